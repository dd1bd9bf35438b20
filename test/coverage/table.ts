// The coverage table: every field of the seeds, by kind.
import type { FieldTest } from './field-test.ts'
import { aggregateFields } from './fields/aggregate.ts'
import { genericFields } from './fields/generic.ts'
import { elasticFields, torchrunFields } from './fields/pytorch.ts'
import { cleanUpField, policyFields, replicaFields } from './fields/replicas.ts'
import { debugFields, pauseFields } from './fields/run-mode.ts'
import { schedulerFields, tensorboardField } from './fields/scheduling.ts'
import { conditionFields, phaseField, taskFields } from './fields/status.ts'
import { tensorboardStatusFields } from './fields/tensorboard-status.ts'
import { tfJobSpecFields, tfJobStatusFields } from './fields/tfjob.ts'
import { KITS, type Kit } from './stage.ts'

function commonFields(kit: Kit): FieldTest[] {
  return [
    ...replicaFields(kit),
    ...debugFields(kit),
    ...pauseFields(kit),
    ...schedulerFields(kit),
    ...taskFields(kit),
    ...aggregateFields(kit),
    ...conditionFields(kit),
    phaseField(kit),
  ]
}

function ownFields(kit: Kit): FieldTest[] {
  if (kit.kind === 'GenericJob') {
    const cleanUp = cleanUpField('spec.cleanUpPolicy', kit.code, (cleanUpPolicy) => kit.job({ cleanUpPolicy }))
    return [...genericFields(kit), cleanUp]
  }
  const shared = [...policyFields(kit), tensorboardField(kit), ...tensorboardStatusFields(kit)]
  return kit.kind === 'PyTorchTrainingJob' ? [...shared, ...elasticFields(kit), ...torchrunFields(kit)] : shared
}

export const TABLE: Record<string, FieldTest[]> = {
  ...Object.fromEntries(KITS.map((kit) => [kit.kind, [...commonFields(kit), ...ownFields(kit)]])),
  TFJob: [...tfJobSpecFields, ...tfJobStatusFields],
}
