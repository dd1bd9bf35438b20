/** Differences that are meant, by the case's area and name: why, and which client would notice. */
export const KNOWN: Record<string, string> = {
  'write: a pod spec stays': "the refusal lacks Go's diff of the two specs; a person reading it",
  'write: a claim': 'no kubernetes.io/pvc-protection finalizer: there are no volumes to protect; nobody',
  'write: a node':
    "no not-ready taint and no pod network ranges: there is no node controller; a client that counts a node's taints",
  'patch: json on a config map: a number where text belongs':
    'the refusal quotes the object with its keys in another order; a person reading it',
  'patch: merge on a config map: the kind':
    'the refusal quotes the object with its keys in another order; a person reading it',
  'patch: strategic on a pod: a list where an object belongs':
    'the refusal quotes the whole object, not the patch; a person reading it',
  'crd: scale':
    'a change through scale is owned as an update of the object; a client that reads managedFields of scale',
  'crd: a definition without storage':
    'the refusal names the versions instead of quoting Go structs; a person reading it',
  'crd: a definition with two storages':
    'the refusal names the versions instead of quoting Go structs; a person reading it',
  'crd: a definition with a bad rule': "the compiler's own words; a person reading it",
  'errors: an accept nobody serves': 'protobuf is not among what is offered, because it is not written; nobody',
  'errors: an access review': 'a review is not stored, so nobody manages its fields; nobody',
}
