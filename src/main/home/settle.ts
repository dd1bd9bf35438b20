// What is best done when a home has started and its first job is under way.
import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then those who have started it for a job have mostly seen it run, and perhaps a second one. */
const SOON = 10_000

export function settleAfterStart(): void {
  // Hardly anything of what a job needs has run before, and the interpreter takes twice as long: a home that was just
  // started has its first jobs' code compiled at once. Starting itself would only take longer.
  setFlagsFromString('--always-sparkplug')
  setTimeout(() => {
    // Otherwise it is written when the process ends, and one that runs for weeks and is killed would never write it.
    flushCompileCache()
    giveMemoryBack()
  }, SOON).unref()
}

/** Starting leaves twice as much heap behind as a quiet home needs, and a quiet home collects no garbage. */
function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
