// Follows a job to its end: the job, its pods and what they write, into a view and onto a display.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { Informer, isNotFound, type KubeObject, PODS } from '../../kube/index.ts'
import { type AnyJob, resourceOf } from '../home/running-jobs.ts'
import { type Followed, News } from './news.ts'

const PACE = 20
const PROBE = 1_000
const GIVE_UP = 30_000
const BACKOFF = { first: 250, most: 2_000 }

/** Resolves when the job has ended or is gone, and everything about it has been told; or when it is left alone. */
export async function followJob(followed: Followed, signal: AbortSignal): Promise<'finished' | 'gone' | 'left'> {
  const { view } = followed
  const { client } = followed.line
  const { namespace, name, uid } = view.job.metadata
  const stop = new AbortController()
  const running = AbortSignal.any([signal, stop.signal])
  const news = new News(followed, running)
  const trouble = { since: undefined as number | undefined, told: false }
  const onError = () => {
    trouble.since ??= Date.now()
  }
  const jobs = new Informer<AnyJob>({
    client,
    resource: resourceOf(view.job),
    selection: { namespace, fieldSelector: `metadata.name=${name}` },
    onError,
    backoff: BACKOFF,
    onChange: ({ type, object }) => {
      if (object.metadata.uid !== uid) return
      if (type === 'removed') news.gone = true
      else news.job(object)
    },
  })
  const pods = new Informer<Pod & KubeObject>({
    client,
    resource: PODS,
    selection: { namespace, labelSelector: `trainyard.dev/job-uid=${uid}` },
    onError,
    backoff: BACKOFF,
    onChange: ({ type, object }) => (type === 'removed' ? news.podGone(object) : news.pod(object)),
  })
  const loops = [jobs.run(running), pods.run(running)]
  try {
    await Promise.race([jobs.synced, aborted(running)])
    // It may have gone before we came.
    if (!running.aborted && jobs.cache.size === 0) news.gone = true
    while (!view.finished && !news.gone && !running.aborted) {
      await sleep(PACE, undefined, { signal: running }).catch(() => {})
      news.tellWaits(Date.now())
      if (news.defect !== undefined) throw news.defect
      if (trouble.since !== undefined && !running.aborted) await ask(followed, trouble, running)
    }
    if (view.finished && !running.aborted) {
      await Promise.race([pods.synced, aborted(running), sleep(GIVE_UP, undefined, { ref: false })])
      await news.settle()
      await news.tellAll()
    }
  } finally {
    stop.abort()
    await Promise.allSettled(loops)
  }
  if (view.finished) return 'finished'
  return news.gone ? 'gone' : 'left'
}

/** The API has not answered somebody: is it still there? Gives up with its error in the end. */
async function ask(
  { line, view, display }: Followed,
  trouble: { since: number | undefined; told: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '' } = view.job.metadata
  try {
    await line.client.get(resourceOf(view.job), { namespace, name }, signal)
    if (trouble.told) display.notice({ about: 'trouble', text: `${line.who} answers again` })
    trouble.since = undefined
    trouble.told = false
  } catch (error) {
    if (signal.aborted || isNotFound(error)) {
      trouble.since = undefined
      return
    }
    if (Date.now() - trouble.since! > GIVE_UP) throw error
    if (!trouble.told)
      display.notice({ about: 'trouble', text: `${line.who} does not answer; trying again`, detail: line.advice })
    trouble.told = true
    if (await line.reconnect()) return
    await sleep(PROBE, undefined, { signal }).catch(() => {})
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
