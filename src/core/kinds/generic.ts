import { expandRank } from '../../api/generic/ranks.ts'
import { cleanUpPolicyOf, isOn, replicaSpecsOf } from '../../api/spellings.ts'
import type { FinishedRule, GenericJob } from '../../api/types.ts'
import type { JobModel, Role, Rule } from '../job-model.ts'
import { isRetryable, readGang, readIdentity, readRunMode } from './read-common.ts'

export function readGeneric(job: GenericJob): JobModel {
  const { spec } = job
  const roles = replicaSpecsOf(spec).map(
    (replica): Role => ({
      type: replica.type,
      label: replica.type,
      replicas: replica.replicas ?? 1,
      restartPolicy: replica.restartPolicy?.policy ?? 'OnFailure',
      limitPerReplica: replica.restartPolicy?.limit ?? 0,
      template: replica.template,
      trainingContainer: 0,
      ...readRunMode(spec.runMode, replica.type),
    }),
  )
  return {
    kind: 'GenericJob',
    ...readIdentity(job),
    roles,
    success: (spec.successRules ?? []).map((rule) => readRule(rule, roles)),
    failure: (spec.failureRules ?? []).map((rule) => readRule(rule, roles)),
    anyFailureFails: false,
    restartScope: spec.restartScope ?? 'Replica',
    retryable: isRetryable,
    ttlSecondsAfterFinished: spec.ttlSecondsAfterFinished,
    cleanUp: cleanUpPolicyOf(spec.cleanUpPolicy ?? spec.runPolicy?.cleanUpPolicy),
    paused: isOn(spec.runMode?.pause),
    debug: isOn(spec.runMode?.debug),
    gang: readGang(
      spec.scheduler,
      0,
      roles.reduce((sum, role) => sum + role.replicas, 0),
    ),
    environment: { framework: 'generic', service: spec.service && { ports: spec.service.ports ?? [] } },
    waitForPeers: readIdentity(job).waitForPeers && spec.service !== undefined,
    managedByOther: false,
    problems: [],
    warnings: [],
  }
}

/** Ranks that cannot be read were refused before; here they name nobody. */
function readRule(rule: FinishedRule, roles: readonly Role[]): Rule {
  const slots = Object.entries(rule).flatMap(([type, ranks]) => {
    const replicas = roles.find((role) => role.type === type)?.replicas ?? 0
    return ranks.flatMap((element) => {
      const expanded = expandRank(element, replicas)
      return typeof expanded === 'string' ? [] : expanded.map((index) => ({ type, index }))
    })
  })
  const asStrings = Object.fromEntries(Object.entries(rule).map(([type, ranks]) => [type, ranks.map(String)]))
  return { slots, text: JSON.stringify(asStrings) }
}
