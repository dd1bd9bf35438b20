import { bounds } from './bounds.ts'
import { genericRows, otherRows, pytorchRows, tensorflowRows, tfjobBetaRows, tfjobRows } from './kinds.ts'
import { names } from './names.ts'
import type { Row } from './row.ts'
import { shared } from './shared.ts'
import { templates } from './templates.ts'
import { updates } from './updates.ts'

export const rows: Row[] = [
  ...names,
  ...shared,
  ...templates,
  ...pytorchRows,
  ...tensorflowRows,
  ...genericRows,
  ...tfjobRows,
  ...tfjobBetaRows,
  ...otherRows,
  ...updates,
  ...bounds,
]
