/** Differences that are meant, by the case's area and name: why, and which client would notice. */
export const KNOWN: Record<string, string> = {
  'write: a pod spec stays': "the refusal lacks Go's diff of the two specs; a person reading it",
  'crd: a definition with a bad rule': "the compiler's own words; a person reading it",
  'errors: an accept nobody serves': 'protobuf is not among what is offered, because it is not written; nobody',
}
