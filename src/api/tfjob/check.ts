import type { Issue } from '../issue.ts'
import { checkParameters } from '../shared/check-parameters.ts'
import { checkTemplate, checkVariables, containersOf, warn } from '../shared/check-templates.ts'
import type { TFJob, TFJobSpec } from '../types.ts'

export function check(job: TFJob): Issue[] {
  const issues: Issue[] = [...checkParameters(job.spec)]
  for (const [key, { template }] of Object.entries(job.spec.tfReplicaSpecs)) {
    const here = { path: ['spec', 'tfReplicaSpecs', key, 'template'], template }
    issues.push(...checkTemplate(here))
    if (job.spec.runPolicy?.schedulingPolicy && template.spec?.schedulerName)
      issues.push(
        warn(
          [...here.path, 'spec', 'schedulerName'],
          'is kept; pods that another scheduler places are not placed together',
        ),
      )
    for (const { container, at, init } of containersOf(here))
      if (!init && isConfigured(job.spec, container.name))
        issues.push(
          ...checkVariables(
            container,
            at,
            ['TF_CONFIG'],
            'is set by hand, but the one the job sets comes after it and wins',
          ),
        )
  }
  if (job.spec.runPolicy?.managedBy === 'kueue.x-k8s.io/multikueue')
    issues.push(warn(['spec', 'runPolicy', 'managedBy'], 'this job is left to MultiKueue; Trainyard does not touch it'))
  return issues
}

/** Whether a container is given TF_CONFIG: every one in v1beta2; in v1 the one that trains, unless it trains alone. */
function isConfigured({ edition, tfReplicaSpecs }: TFJobSpec, container: string): boolean {
  if (edition !== 'v1') return true
  const replicas = Object.values(tfReplicaSpecs).reduce((sum, spec) => sum + (spec.replicas ?? 1), 0)
  return container === 'tensorflow' && replicas > 1
}
