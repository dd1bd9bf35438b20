import { setTimeout as sleep } from 'node:timers/promises'
import { isConflict, isNotFound, type KubeClient, PODS } from '../../kube/index.ts'
import type { CommandContext } from '../context.ts'
import { type AnyJob, resourceOf } from '../home/running-jobs.ts'
import { tellWhatIsAwaited } from '../job-commands/patience.ts'

const PACE = 50

/** Another job of its name is left alone. */
export async function deleteJob(client: KubeClient, job: AnyJob): Promise<void> {
  const { namespace, name = '', uid } = job.metadata
  try {
    await client.delete(resourceOf(job), { namespace, name }, { uid, propagationPolicy: 'Background' })
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
}

/** The job and its pods are gone when this returns. */
export async function deleteAndWait(context: CommandContext, client: KubeClient, job: AnyJob): Promise<void> {
  let left = 0
  const patience = tellWhatIsAwaited(context, () => {
    return `waiting until ${job.metadata.name} is deleted${left > 0 ? `; ${left} of its pods are still there` : ''}`
  })
  try {
    await deleteJob(client, job)
    for (;;) {
      left = await countPods(client, job)
      if (left === 0 && !(await isThere(client, job))) return
      await sleep(PACE)
    }
  } finally {
    patience.end()
  }
}

async function countPods(client: KubeClient, { metadata: { namespace, uid } }: AnyJob): Promise<number> {
  const { items } = await client.list(PODS, { namespace, labelSelector: `trainyard.dev/job-uid=${uid}` })
  return items.length
}

async function isThere(client: KubeClient, job: AnyJob): Promise<boolean> {
  const { namespace, name = '', uid } = job.metadata
  try {
    return (await client.get(resourceOf(job), { namespace, name })).metadata.uid === uid
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
