/** Differences that are meant, by the case's area and name: why, and which client would notice. */
export const KNOWN: Record<string, string> = {
  'write: a pod spec stays':
    "the refusal says which fields may change, but lacks Go's diff of its own inner structs; a person reading it",
  'crd: a definition with a bad rule':
    'the refusal names the rule, but not what the compiler of kube-apiserver expected next; a person reading it',
  'errors: an accept nobody serves':
    'protobuf is not among what is offered, because it is read and not written; a client that reads the list, instead of offering JSON too as all do',
}
