// Numbers and times as `run` writes them.

export function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}

/** `0:07`, `12:31`, `1:02:03`: on the job's own clock. */
export function clock(millis: number): string {
  const seconds = Math.floor(millis / 1000)
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (n: number): string => String(n).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** `4s`, `1m12s`, `2h05m`; with tenths `0.2s` in the first second. */
export function span(millis: number, tenths: boolean): string {
  if (tenths && millis < 950) return `${(Math.max(0, millis) / 1000).toFixed(1)}s`
  const seconds = Math.max(0, Math.round(millis / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`
  return `${Math.floor(seconds / 3600)}h${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}m`
}

/** `19 s`, `1 min 12 s`, `2 h 5 min`: in a sentence. */
export function duration(millis: number): string {
  const seconds = Math.round(millis / 1000)
  if (millis < 950) return `${(millis / 1000).toFixed(1)} s`
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`
}

/** `2 minutes ago`. */
export function ago(millis: number): string {
  const seconds = Math.floor(millis / 1000)
  if (seconds < 1) return 'just now'
  const [number, word] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3600
        ? [Math.floor(seconds / 60), 'minute']
        : seconds < 86_400
          ? [Math.floor(seconds / 3600), 'hour']
          : [Math.floor(seconds / 86_400), 'day']
  return `${counted(number as number, word as string)} ago`
}
