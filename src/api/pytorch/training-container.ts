import type { PodTemplateSpec } from '../../../gen/kubernetes-types.ts'

/** The container that trains: the one named `python`, else the first. */
export function trainingContainer(template: PodTemplateSpec): number {
  return Math.max(0, template.spec?.containers?.findIndex((container) => container.name === 'python') ?? 0)
}
