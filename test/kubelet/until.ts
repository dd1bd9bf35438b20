/** Waits for a state, never for a time: asks again until the answer is there. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  ms = 45_000,
) {
  const deadline = Date.now() + ms
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen as T
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
