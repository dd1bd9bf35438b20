// What is wrong or doubtful in pod templates, alike for all job kinds.
import type { Container, PodTemplateSpec } from '../../../gen/kubernetes-types.ts'
import type { Issue, Path } from '../issue.ts'
import { checkPod } from './pod/check-pod.ts'

export interface TemplateAt {
  path: Path
  template: PodTemplateSpec
}

export const warn = (path: Path, message: string, more: Partial<Issue> = {}): Issue => ({
  severity: 'warning',
  path,
  message,
  ...more,
})
export const fault = (path: Path, message: string, more: Partial<Issue> = {}): Issue => ({
  severity: 'error',
  path,
  message,
  reason: 'FieldValueInvalid',
  ...more,
})

export function* containersOf({
  path,
  template,
}: TemplateAt): Generator<{ container: Container; at: Path; init: boolean }> {
  for (const key of ['containers', 'initContainers'] as const)
    for (const [i, container] of (template.spec?.[key] ?? []).entries())
      yield { container, at: [...path, 'spec', key, i], init: key === 'initContainers' }
}

export function* checkTemplate(here: TemplateAt): Generator<Issue> {
  const { template, path } = here
  yield* checkPod(template, path)
  const restartPolicy = template.spec?.restartPolicy
  if (restartPolicy !== undefined && restartPolicy !== 'Never')
    yield warn(
      [...path, 'spec', 'restartPolicy'],
      'has no effect: it is always set to Never, and a restart is a new pod',
    )
  const volumes = new Set(template.spec?.volumes?.map((volume) => volume.name))
  for (const { container, at } of containersOf(here)) {
    if (!container.image) yield warn(at, `container ${container.name} has no image; its pod will be refused`)
    for (const [i, mount] of (container.volumeMounts ?? []).entries())
      if (!volumes.has(mount.name))
        yield warn(
          [...at, 'volumeMounts', i, 'name'],
          `there is no volume "${mount.name}"; a cluster will refuse the pod`,
        )
  }
}

/** A variable the job would set itself. */
export function* checkVariables(
  container: Container,
  at: Path,
  names: readonly string[],
  message: string,
): Generator<Issue> {
  for (const [i, variable] of (container.env ?? []).entries())
    if (names.includes(variable.name)) yield warn([...at, 'env', i], `${variable.name} ${message}`)
}
