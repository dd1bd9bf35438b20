// What schemas and CEL cannot say, by kind.

import { check as checkGeneric } from './generic/check.ts'
import type { Issue } from './issue.ts'
import { check as checkPyTorch } from './pytorch/check.ts'
import { check as checkTensorBoard } from './tensorboard/check.ts'
import { check as checkTensorFlow } from './tensorflow/check.ts'
import { check as checkTFJob } from './tfjob/check.ts'

const CHECKS: Record<string, (object: never) => Issue[]> = {
  TensorFlowTrainingJob: checkTensorFlow,
  PyTorchTrainingJob: checkPyTorch,
  GenericJob: checkGeneric,
  TFJob: checkTFJob,
  TensorBoard: checkTensorBoard,
}

export function checkOf(kind: string, object: unknown): Issue[] {
  return CHECKS[kind]?.(object as never) ?? []
}
