import type { Issue } from '../issue.ts'
import { checkParameters } from '../shared/check-parameters.ts'
import { checkRunMode } from '../shared/check-run-mode.ts'
import { checkTemplate, fault } from '../shared/check-templates.ts'
import { replicaSpecsOf } from '../spellings.ts'
import type { GenericJob } from '../types.ts'
import { checkReferences } from './check-references.ts'
import { firstBadRank } from './finished-rules.ts'

export function check(job: GenericJob): Issue[] {
  const { spec } = job
  const field = spec.replicaSpecs ? 'replicaSpecs' : 'replicasSpec'
  const specs = replicaSpecsOf(spec)
  const issues: Issue[] = [...checkParameters(spec)]
  for (const rules of ['successRules', 'failureRules'] as const) {
    const bad = firstBadRank(spec, rules)
    if (bad) issues.push(fault(['spec', ...bad.path], bad.message))
  }
  const ports = spec.service?.ports ?? []
  if (ports.length > 1)
    for (const [i, port] of ports.entries())
      if (!port.name)
        issues.push(fault(['spec', 'service', 'ports', i], 'needs a name: where there are several ports, each has one'))
  for (const [i, { template }] of specs.entries())
    issues.push(...checkTemplate({ path: ['spec', field, i, 'template'], template }))
  issues.push(...checkReferences(spec, field))
  issues.push(
    ...checkRunMode(
      spec.runMode,
      specs.map((r) => r.type),
    ),
  )
  return issues
}
