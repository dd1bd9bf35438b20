// Which signal asks a container to end.
import { constants } from 'node:os'

const SIGRTMIN = 34
const SIGRTMAX = 64

/** The signal of `lifecycle.stopSignal` by its number. One that this system does not have would stop nothing, and the
 * program would only hear of its end by SIGKILL: SIGTERM then. */
export function stopSignalOf(name: string | undefined): number {
  if (name === undefined) return constants.signals.SIGTERM
  const named = constants.signals[name as NodeJS.Signals]
  return named ?? realTimeSignal(name) ?? constants.signals.SIGTERM
}

/** Node has no names for these: SIGRTMIN, SIGRTMIN+3, SIGRTMAX-1. */
function realTimeSignal(name: string): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, from, distance = '0'] = /^SIGRT(MIN|MAX)([+-]\d+)?$/.exec(name) ?? []
  if (from === undefined) return undefined
  const signal = (from === 'MIN' ? SIGRTMIN : SIGRTMAX) + Number(distance)
  return signal >= SIGRTMIN && signal <= SIGRTMAX ? signal : undefined
}
