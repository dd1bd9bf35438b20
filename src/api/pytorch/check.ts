import type { Issue, Path } from '../issue.ts'
import { checkParameters } from '../shared/check-parameters.ts'
import { checkRunMode } from '../shared/check-run-mode.ts'
import { checkTemplate, checkVariables, warn } from '../shared/check-templates.ts'
import { checkTensorBoard } from '../shared/check-tensorboard.ts'
import { isOn } from '../spellings.ts'
import type { PyTorchTrainingJob, PyTorchTrainingJobSpec } from '../types.ts'
import { trainingContainer } from './training-container.ts'

const ALWAYS = ['MASTER_ADDR', 'MASTER_PORT']
const FOR_TORCHRUN = ['TORCH_DISABLE_SHARE_RDZV_TCP_STORE', 'PET_LOCAL_ADDR']
/** An elastic job does not know them. */
const FOR_FIXED_SIZE = ['RANK', 'WORLD_SIZE']

export function check(job: PyTorchTrainingJob): Issue[] {
  const { spec } = job
  const torchrun = isOn(spec.torchrunConfig) && !isOn(spec.runMode?.debug)
  const issues: Issue[] = [
    ...checkParameters(spec),
    ...checkTensorBoard(spec.tensorboardSpec, ['spec', 'tensorboardSpec']),
  ]
  for (const [i, { template }] of spec.replicaSpecs.entries()) {
    const path: Path = ['spec', 'replicaSpecs', i, 'template']
    issues.push(...checkTemplate({ path, template }))
    const at = trainingContainer(template)
    const container = template.spec?.containers[at]
    if (container)
      issues.push(
        ...checkVariables(
          container,
          [...path, 'spec', 'containers', at],
          injectedBy(spec),
          'is set by hand; the one the job would set is left out',
        ),
      )
    if (torchrun && container?.command?.length)
      issues.push(warn([...path, 'spec', 'containers', at, 'command'], 'is ignored: torchrun runs args instead'))
  }
  issues.push(
    ...checkRunMode(
      spec.runMode,
      spec.replicaSpecs.map((r) => r.type),
    ),
  )
  if (torchrun)
    for (const [i, entry] of (spec.runMode?.pause?.resumeSpecs ?? []).entries())
      if (entry.command?.length)
        issues.push(
          warn(['spec', 'runMode', 'pause', 'resumeSpecs', i, 'command'], 'is ignored: torchrun runs args instead'),
        )
  // Where the two spellings of the switch contradict each other, that is told, and nothing that would follow from it.
  const { enable, enabled } = spec.torchrunConfig ?? {}
  if (isOn(spec.elastic) && !enable && !enabled)
    issues.push(
      warn(['spec', 'elastic'], 'has no effect without torchrun (spec.torchrunConfig.enable); replicas holds', {
        atKey: true,
      }),
    )
  return issues
}

function injectedBy(spec: PyTorchTrainingJobSpec): string[] {
  if (!isOn(spec.torchrunConfig)) return [...ALWAYS, ...FOR_FIXED_SIZE]
  return [...ALWAYS, ...FOR_TORCHRUN, ...(isOn(spec.elastic) ? [] : FOR_FIXED_SIZE)]
}
