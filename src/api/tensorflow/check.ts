import type { Issue } from '../issue.ts'
import { checkParameters } from '../shared/check-parameters.ts'
import { checkRunMode } from '../shared/check-run-mode.ts'
import { checkTemplate, checkVariables, containersOf } from '../shared/check-templates.ts'
import { checkTensorBoard } from '../shared/check-tensorboard.ts'
import type { TensorFlowTrainingJob } from '../types.ts'

export function check(job: TensorFlowTrainingJob): Issue[] {
  const issues: Issue[] = [
    ...checkParameters(job.spec),
    ...checkTensorBoard(job.spec.tensorboardSpec, ['spec', 'tensorboardSpec']),
  ]
  for (const [i, { template }] of job.spec.replicaSpecs.entries()) {
    const here = { path: ['spec', 'replicaSpecs', i, 'template'], template }
    issues.push(...checkTemplate(here))
    for (const { container, at, init } of containersOf(here))
      if (!init && container.name === 'tensorflow')
        issues.push(
          ...checkVariables(container, at, ['TF_CONFIG'], 'is set by hand; the one the job would set is left out'),
        )
  }
  issues.push(
    ...checkRunMode(
      job.spec.runMode,
      job.spec.replicaSpecs.map((r) => r.type),
    ),
  )
  return issues
}
