import { forbiddenField, notSupported } from '../resources/field-errors.ts'
import { invalid, type StatusCause } from '../status-error.ts'

/** A switch in a query: whatever is there means yes, but for `false` and `0`. */
export function isOn(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value !== null && value !== '0' && value.toLowerCase() !== 'false'
}

const MATCH = 'resourceVersionMatch'

/** Options of a list or watch that contradict each other. */
export function checkListOptions(query: URLSearchParams): void {
  const causes = isOn(query, 'watch') ? judgeWatch(query) : judgeList(query)
  if (causes.length > 0) throw invalid('meta.k8s.io', 'ListOptions', '', causes)
}

function judgeList(query: URLSearchParams): StatusCause[] {
  const causes: StatusCause[] = []
  const forbid = (why: string): number => causes.push(forbiddenField(MATCH, `${MATCH} ${why}`))
  const match = query.get(MATCH)
  if (match) {
    if (!query.get('resourceVersion')) forbid('is forbidden unless resourceVersion is provided')
    if (query.get('continue')) forbid('is forbidden when continue is provided')
    if (match !== 'Exact' && match !== 'NotOlderThan')
      causes.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']))
    if (match === 'Exact' && query.get('resourceVersion') === '0')
      forbid('"exact" is forbidden for resourceVersion "0"')
  }
  if (query.has('sendInitialEvents'))
    causes.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  return causes
}

function judgeWatch(query: URLSearchParams): StatusCause[] {
  const causes: StatusCause[] = []
  const match = query.get(MATCH)
  const asksForEvents = query.has('sendInitialEvents')
  if (asksForEvents && match !== 'NotOlderThan')
    causes.push(forbiddenField(MATCH, `sendInitialEvents requires setting ${MATCH} to NotOlderThan`))
  if (!match) return causes
  if (!asksForEvents)
    causes.push(forbiddenField(MATCH, `${MATCH} is forbidden for watch unless sendInitialEvents is provided`))
  if (match !== 'NotOlderThan') causes.push(notSupported(MATCH, match, ['NotOlderThan']))
  if (query.get('continue')) causes.push(forbiddenField(MATCH, `${MATCH} is forbidden when continue is provided`))
  return causes
}
