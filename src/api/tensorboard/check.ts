import type { Issue } from '../issue.ts'
import { checkParameters } from '../shared/check-parameters.ts'
import { checkTensorBoard } from '../shared/check-tensorboard.ts'
import type { TensorBoardSpec } from '../types.ts'

export function check(board: { spec: TensorBoardSpec }): Issue[] {
  return [...checkParameters(board.spec), ...checkTensorBoard(board.spec, ['spec'])]
}
