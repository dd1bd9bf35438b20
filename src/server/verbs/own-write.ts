import type { WriteOptions } from '../api.ts'

/** For what the server writes of its own accord. */
export function ownWrite(): WriteOptions {
  return { dryRun: false, manager: 'trainyard', fieldValidation: 'Ignore', duplicates: [], warnings: [] }
}
