/**
 * Shares E replicas over the types by weight: whole parts first, the rest to the largest remainders, ties to the
 * earlier type. The first type always gets one: its first replica is the master.
 */
export function allocateReplicas(expected: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total <= 0) return weights.map((_, i) => (i === 0 ? expected : 0))
  const shares = weights.map((weight) => Math.floor((expected * weight) / total))
  let rest = expected - shares.reduce((sum, share) => sum + share, 0)
  const byRemainder = weights
    .map((weight, i) => ({ i, remainder: (expected * weight) % total }))
    .sort((a, b) => b.remainder - a.remainder || a.i - b.i)
  for (const { i } of byRemainder) {
    if (rest <= 0) break
    shares[i]! += 1
    rest -= 1
  }
  if (shares[0] === 0 && expected > 0) {
    const largest = shares.indexOf(Math.max(...shares))
    shares[largest]! -= 1
    shares[0] = 1
  }
  return shares
}
