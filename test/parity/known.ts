/** Differences that are meant, by the case's area and name: why, and which client would notice. */
export const KNOWN: Record<string, string> = {}
