import { setTimeout as sleep } from 'node:timers/promises'
import { isConflict, isNotFound, type KubeClient, PODS } from '../../kube/index.ts'
import { type AnyJob, resourceOf } from '../home/running-jobs.ts'

const PACE = 50

/** Deletes the job and, on request, waits until it and its pods are gone; another job of its name is left alone. */
export async function deleteJob(client: KubeClient, job: AnyJob, wait: boolean): Promise<void> {
  const { namespace, name = '', uid } = job.metadata
  const resource = resourceOf(job)
  try {
    await client.delete(resource, { namespace, name }, { uid, propagationPolicy: 'Background' })
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
  while (wait && (await isThere(client, job))) await sleep(PACE)
}

async function isThere(client: KubeClient, job: AnyJob): Promise<boolean> {
  const { namespace, name = '', uid } = job.metadata
  const pods = await client.list(PODS, { namespace, labelSelector: `trainyard.dev/job-uid=${uid}` })
  if (pods.items.length > 0) return true
  try {
    return (await client.get(resourceOf(job), { namespace, name })).metadata.uid === uid
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
