// The container that runs before TensorBoard and looks for the log directories. TensorBoard itself would serve nothing
// where they are missing or may not be read, and say nothing of it.
import type { Container, Pod } from '../../../gen/kubernetes-types.ts'
import type { Instant } from '../../lib/time.ts'
import type { Standing } from './decide-board.ts'
import { type ClaimSource, pathOf, wordsOf } from './sources.ts'

export const AWAIT_LOGS = 'await-logs'
/** Directories are often made by the job that has just been started; only then is a missing one news. */
const PATIENCE_MS = 30_000

/**
 * $1: not empty if there is something to be served in any case. Then pairs of a directory and its name for people. Whether
 * a directory can be entered and read is tried, as some shells believe that root may do everything. An image without ls is
 * believed.
 */
const SCRIPT = `found=$1
shift
refuse() { echo "$1 cannot be read"; exit 1; }
look() {
  while [ $# -gt 0 ]; do
    up=$1
    until [ -d "$up" ]; do up=\${up%/*}; up=\${up:-/}; done
    (cd "$up") 2>/dev/null || refuse "$2"
    if [ "$up" = "$1" ]; then
      ls "$up" >/dev/null 2>&1 || [ $? = 127 ] || refuse "$2"
      found=yes
    fi
    shift 2
  done
}
look "$@"
until [ "$found" ]; do sleep 1 || exit; look "$@"; done`

/** TensorBoard starts as soon as one directory is there, and finds others that come later by itself. */
export function buildAwaitLogs(
  base: Omit<Container, 'name'>,
  claims: readonly ClaimSource[],
  more: boolean,
): Container {
  const places = claims.flatMap((source) => [pathOf(source), wordsOf(source)])
  return {
    ...base,
    name: AWAIT_LOGS,
    command: ['sh', '-c', SCRIPT, AWAIT_LOGS],
    args: [more ? 'yes' : '', ...places],
    terminationMessagePolicy: 'FallbackToLogsOnError',
  }
}

/** Undefined once it has found what it looks for, and before it has started. */
export function describeAwaiting(
  pod: Pod | undefined,
  claims: readonly ClaimSource[],
  now: Instant,
): (Standing & { wakeAt?: Instant }) | undefined {
  const seen = pod?.status?.initContainerStatuses?.find(({ name }) => name === AWAIT_LOGS)
  const { running, terminated } = seen?.state ?? {}
  if (!seen || terminated?.exitCode === 0) return undefined
  const overdueAt = running && Date.parse(running.startedAt ?? '') + PATIENCE_MS
  if (overdueAt !== undefined && now >= overdueAt) {
    const [first, ...others] = claims.map(wordsOf)
    const message =
      others.length > 0 ? `${[first, ...others].join(', ')}: none is there yet` : `${first} is not there yet`
    return { phase: 'Pending', reason: 'LogsMissing', message }
  }
  const refused = terminated ?? seen.lastState?.terminated
  if (refused?.exitCode === 1 && refused.message) {
    return { phase: 'Pending', reason: 'LogsUnreadable', message: refused.message.trim() }
  }
  return running && { phase: 'Pending', reason: 'Starting', message: 'it is starting', wakeAt: overdueAt }
}
