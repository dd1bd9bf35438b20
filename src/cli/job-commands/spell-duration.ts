// Times as people read them in a narrow column.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago, as kubectl tells ages: `73s`, `5m41s`, `14m`, `3h`, `2d`. */
export function spellAge(milliseconds: number): string {
  const ms = Math.max(0, milliseconds)
  if (ms < 2 * MINUTE) return `${Math.floor(ms / SECOND)}s`
  if (ms < 10 * MINUTE) return two(ms, MINUTE, 'm', SECOND, 's')
  if (ms < 3 * HOUR) return `${Math.floor(ms / MINUTE)}m`
  if (ms < 8 * HOUR) return two(ms, HOUR, 'h', MINUTE, 'm')
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)}h`
  if (ms < 8 * DAY) return two(ms, DAY, 'd', HOUR, 'h')
  return `${Math.floor(ms / DAY)}d`
}

/** How long something took, the two largest units: `19s`, `1m12s`, `2h5m`. */
export function spellDuration(milliseconds: number): string {
  const ms = Math.round(Math.max(0, milliseconds) / SECOND) * SECOND
  if (ms < MINUTE) return `${ms / SECOND}s`
  if (ms < HOUR) return two(ms, MINUTE, 'm', SECOND, 's')
  return ms < DAY ? two(ms, HOUR, 'h', MINUTE, 'm') : two(ms, DAY, 'd', HOUR, 'h')
}

/** What somebody waited for, with a tenth: `1.4 s`. */
export function spellWait(milliseconds: number): string {
  return milliseconds < MINUTE ? `${(milliseconds / SECOND).toFixed(1)} s` : spellDuration(milliseconds)
}

function two(ms: number, large: number, largeWord: string, small: number, smallWord: string): string {
  const rest = Math.floor((ms % large) / small)
  return `${Math.floor(ms / large)}${largeWord}${rest > 0 ? `${rest}${smallWord}` : ''}`
}
