/** Milliseconds since 1970. The pure parts get it as an argument and never ask a clock. */
export type Instant = number

/** RFC 3339; whole seconds are written without a fraction, as Kubernetes does. */
export function toTimestamp(instant: Instant): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z')
}

export function fromTimestamp(text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : instant
}
