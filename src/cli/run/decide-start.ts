// What `run` does about a job of that name that is there already.

import { isObject, sameJson } from '../../lib/json.ts'
import { fromTimestamp, type Instant } from '../../lib/time.ts'
import { type AnyJob, isFinished, recordOf } from '../home/running-jobs.ts'
import { ago } from './words.ts'

export type Start =
  | { do: 'create' }
  | { do: 'replace'; old: AnyJob }
  | { do: 'attach'; job: AnyJob }
  | { do: 'refuse'; because: string }

export function decideStart(wanted: AnyJob, there: AnyJob | undefined, replace: boolean, now: Instant): Start {
  if (!there) return { do: 'create' }
  if (replace) return { do: 'replace', old: there }
  const name = there.metadata.name
  if (there.metadata.deletionTimestamp) return { do: 'refuse', because: `job ${name} is being deleted` }
  const { phase = 'Pending', completionTime } = recordOf(there)
  if (isFinished(there)) {
    const since = fromTimestamp(completionTime)
    const when = since === undefined ? '' : ` ${ago(now - since)}`
    return { do: 'refuse', because: `job ${name} exists and has ${phase}${when}; a finished job never runs again.` }
  }
  const place = differenceOf(wanted.spec, there.spec, 'spec')
  if (place === undefined) return { do: 'attach', job: there }
  return { do: 'refuse', because: `job ${name} exists, is ${phase}, and differs from the manifest in ${place}.` }
}

/** The first place where two values differ. */
function differenceOf(a: unknown, b: unknown, path: string): string | undefined {
  if (sameJson(a, b)) return undefined
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    const i = a.findIndex((item, at) => !sameJson(item, b[at]))
    return differenceOf(a[i], b[i], `${path}[${i}]`)
  }
  if (isObject(a) && isObject(b)) {
    const key = [...new Set([...Object.keys(a), ...Object.keys(b)])].find((each) => !sameJson(a[each], b[each]))!
    return differenceOf(a[key], b[key], `${path}.${key}`)
  }
  return path
}
