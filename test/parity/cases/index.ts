import type { Case } from '../case.ts'
import { APPLY } from './apply.ts'
import { CRD } from './crd.ts'
import { CRD_LIFE } from './crd-life.ts'
import { CRD_RULES } from './crd-rules.ts'
import { DELETE } from './delete.ts'
import { ERRORS } from './errors.ts'
import { LIST } from './list.ts'
import { PATCH } from './patch.ts'
import { WATCH } from './watch.ts'
import { WATCH_LIVE } from './watch-live.ts'
import { WRITE } from './write.ts'

export const CASES: readonly Case[] = [
  ...WRITE,
  ...PATCH,
  ...APPLY,
  ...LIST,
  ...WATCH,
  ...WATCH_LIVE,
  ...DELETE,
  ...CRD,
  ...CRD_RULES,
  ...CRD_LIFE,
  ...ERRORS,
]
