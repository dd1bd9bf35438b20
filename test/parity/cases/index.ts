import type { Case } from '../case.ts'
import { APPLY } from './apply.ts'
import { APPLY_CUSTOM } from './apply-custom.ts'
import { CRD } from './crd.ts'
import { CRD_LIFE } from './crd-life.ts'
import { CRD_RULES } from './crd-rules.ts'
import { DELETE } from './delete.ts'
import { DELETE_MORE } from './delete-more.ts'
import { ERRORS } from './errors.ts'
import { LIST } from './list.ts'
import { LIST_MORE } from './list-more.ts'
import { PATCH } from './patch.ts'
import { PATCH_MORE } from './patch-more.ts'
import { WATCH } from './watch.ts'
import { WATCH_LIVE } from './watch-live.ts'
import { WRITE } from './write.ts'
import { WRITE_MORE } from './write-more.ts'

export const CASES: readonly Case[] = [
  ...WRITE,
  ...WRITE_MORE,
  ...PATCH,
  ...PATCH_MORE,
  ...APPLY,
  ...APPLY_CUSTOM,
  ...LIST,
  ...LIST_MORE,
  ...WATCH,
  ...WATCH_LIVE,
  ...DELETE,
  ...DELETE_MORE,
  ...CRD,
  ...CRD_RULES,
  ...CRD_LIFE,
  ...ERRORS,
]
