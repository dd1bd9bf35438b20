import type { Row } from './row.ts'
import { everyKindRows } from './rows/every-kind.ts'
import { objectRows } from './rows/objects.ts'
import { outcomeRows } from './rows/outcome.ts'
import { particularRows } from './rows/particular.ts'
import { restartRows } from './rows/restart.ts'
import { runModeRows } from './rows/run-mode.ts'
import { runPolicyRows } from './rows/run-policy.ts'

export const rows: Row[] = [
  ...outcomeRows,
  ...everyKindRows,
  ...particularRows,
  ...restartRows,
  ...runPolicyRows,
  ...runModeRows,
  ...objectRows,
]
