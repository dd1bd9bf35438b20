// Parts of our schemas that are Kubernetes' own. One object each, however often a kind uses it.
import schemas from '../../../gen/kubernetes-schemas.json' with { type: 'json' }
import type { Schema } from '../schema/schema.ts'

const taken = schemas as unknown as Record<
  'PodTemplateSpec' | 'ServicePort' | 'ResourceRequirements' | 'ObjectReference' | 'LabelSelector',
  Schema
>

export const podTemplate: Schema = {
  ...taken.PodTemplateSpec,
  kubernetesType: 'PodTemplateSpec',
  description:
    'The pod to make for each replica. Its own restartPolicy is always set to Never: a restart is a new pod.',
}
/** A Service with any other port would be refused when the job is already there. */
export const servicePort: Schema = {
  ...taken.ServicePort,
  properties: {
    ...taken.ServicePort.properties,
    port: { ...taken.ServicePort.properties?.port, minimum: 1, maximum: 65535 },
  },
  kubernetesType: 'ServicePort',
}
export const resources: Schema = {
  ...taken.ResourceRequirements,
  kubernetesType: 'ResourceRequirements',
  description: 'CPU, memory and devices the container asks for and may use.',
}
export const objectReference: Schema = {
  ...taken.ObjectReference,
  kubernetesType: 'ObjectReference',
  description: 'The object this is about.',
}
export const labelSelector: Schema = { ...taken.LabelSelector, kubernetesType: 'LabelSelector' }
