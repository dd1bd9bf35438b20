/** Seconds since `start` (of performance.now()), as progress lines print them. */
export function elapsed(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}
