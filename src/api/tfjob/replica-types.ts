// TFJob's replica types are written in any case; names use lower case, status the canonical spelling.

export const TF_REPLICA_TYPES = ['Chief', 'Master', 'Worker', 'PS', 'Evaluator'] as const
export type TFReplicaType = (typeof TF_REPLICA_TYPES)[number]

export function canonicalType(key: string): TFReplicaType | undefined {
  return TF_REPLICA_TYPES.find((type) => type.toLowerCase() === key.toLowerCase())
}
