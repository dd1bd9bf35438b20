// The smallest jobs of each kind that can be driven; rows add what they are about.
import type { Actor, Stage } from './stage.ts'

type Counts = Record<string, number>
type PerReplica = (type: string) => object

export function trainingJobs(stage: Stage) {
  const replicaSpecs = (counts: Counts, container: string, extra: PerReplica) =>
    Object.entries(counts).map(([type, replicas]) => ({
      type,
      replicas,
      template: stage.template({ name: container }),
      ...extra(type),
    }))
  const none: PerReplica = () => ({})
  return {
    tensorflow: (counts: Counts, spec: object = {}, extra = none): Promise<Actor> =>
      stage.create('TensorFlowTrainingJob', { replicaSpecs: replicaSpecs(counts, 'tensorflow', extra), ...spec }),
    pytorch: (counts: Counts, spec: object = {}, extra = none): Promise<Actor> =>
      stage.create('PyTorchTrainingJob', { replicaSpecs: replicaSpecs(counts, 'pytorch', extra), ...spec }),
    generic: (counts: Counts, spec: object = {}, extra = none): Promise<Actor> => {
      const first = Object.keys(counts)[0]!
      const rules = { successRules: [{ [first]: [0] }], failureRules: [] }
      return stage.create('GenericJob', { ...rules, replicasSpec: replicaSpecs(counts, 'main', extra), ...spec })
    },
    tfjob: (counts: Counts, spec: object = {}, extra = none): Promise<Actor> => {
      const tfReplicaSpecs = Object.fromEntries(
        Object.entries(counts).map(([type, replicas]) => [
          type,
          { replicas, template: stage.template({ name: 'tensorflow' }), ...extra(type) },
        ]),
      )
      return stage.create('TFJob', { tfReplicaSpecs, ...spec })
    },
  }
}
