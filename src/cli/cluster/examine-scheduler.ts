// Whether gangs are placed all at once, by a scheduler that the operator finds and may speak to.
import type { Deployment } from '../../../gen/kubernetes-types.ts'
import { isForbidden, isNotFound, type KubeClient, type KubeObject } from '../../kube/index.ts'
import { isObject } from '../../lib/json.ts'
import type { Check } from '../job-commands/doctor-view.ts'
import type { Asked } from './examine-cluster.ts'
import { findOperators } from './find-operators.ts'
import { findDefinitions } from './others.ts'

interface Scheduler {
  group: string
  who: string
  /** What the chart calls it. The operator makes groups for it, for which it has to be given the right. */
  choice?: string
}

const SCHEDULERS: readonly Scheduler[] = [
  { group: 'scheduling.volcano.sh', who: 'Volcano', choice: 'volcano' },
  { group: 'scheduling.x-k8s.io', who: 'coscheduling', choice: 'coscheduling' },
  { group: 'kueue.x-k8s.io', who: 'Kueue' },
]
const name = 'scheduler'

/** Our own definition of PodGroups says nothing about who reads them. */
export async function examineScheduler({ client, namespace }: Pick<Asked, 'client' | 'namespace'>): Promise<Check> {
  const definitions = await findDefinitions(client).catch((error: unknown) => {
    if (isForbidden(error)) return []
    throw error
  })
  const t9k = definitions.some(({ kind, state }) => kind.kind === 'PodGroup' && state === 'foreign')
  const found = t9k ? { group: '', who: "T9k's scheduler" } : await findServed(client)
  if (!found) {
    return { name, status: 'remark', message: 'no gang scheduler: the default scheduler places each pod by itself' }
  }
  const { group, who, choice } = found
  if (choice !== undefined && (await mayMakeGroups(client, group, namespace)) === false) {
    const message = `${who} is there, but the operator may not make its groups: each pod is placed by itself`
    return { name, status: 'remark', message, fix: `install it by Helm with --set gangScheduler=${choice}` }
  }
  return { name, status: 'fine', message: `${who} is there: gangs are placed all at once` }
}

async function findServed(client: KubeClient): Promise<Scheduler | undefined> {
  for (const scheduler of SCHEDULERS) if (await isServed(client, scheduler.group)) return scheduler
  return undefined
}

async function isServed(client: KubeClient, group: string): Promise<boolean> {
  return client.raw({ method: 'GET', path: `/apis/${group}` }).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false
      throw error
    },
  )
}

/** Undefined: there is no operator, or it is not for us to know. */
async function mayMakeGroups(client: KubeClient, group: string, namespace: string): Promise<boolean | undefined> {
  const [operator] = (await findOperators(client)) ?? []
  if (!operator) return undefined
  const apiVersion = 'authorization.k8s.io/v1'
  const resourceAttributes = { group, resource: 'podgroups', verb: 'create', namespace }
  const spec = { user: accountOf(operator), resourceAttributes }
  const body = { apiVersion, kind: 'SubjectAccessReview', metadata: {}, spec }
  try {
    const answer = await client.raw({ method: 'POST', path: `/apis/${apiVersion}/subjectaccessreviews`, body })
    return isObject(answer) && isObject(answer.status) && answer.status.allowed === true
  } catch (error) {
    if (isForbidden(error) || isNotFound(error)) return undefined
    throw error
  }
}

function accountOf({ metadata, spec }: Deployment & KubeObject): string {
  return `system:serviceaccount:${metadata.namespace}:${spec?.template.spec?.serviceAccountName ?? 'default'}`
}
