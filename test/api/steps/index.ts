import type { Scenario } from '../step.ts'
import { APPLYING } from './applying.ts'
import { DELETING } from './deleting.ts'
import { LEARNING } from './learning.ts'
import { OUR_KINDS } from './our-kinds.ts'
import { READING } from './reading.ts'
import { WRITING } from './writing.ts'

export const SCENARIOS: readonly Scenario[] = [
  ...READING,
  ...WRITING,
  ...APPLYING,
  ...DELETING,
  ...OUR_KINDS,
  ...LEARNING,
]
