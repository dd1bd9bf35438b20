// With TRAINYARD_SEED every property is tried with the same examples again.
const seed = process.env.TRAINYARD_SEED
if (seed !== undefined) {
  const { default: fc } = await import('fast-check')
  fc.configureGlobal({ seed: Number(seed) })
}
