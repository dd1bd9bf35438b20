import { decide } from '../../../src/core/decide.ts'
import { read } from '../../../src/core/read.ts'
import { accept, buildJob } from '../build-job.ts'
import type { Answers, Edition, Given } from '../case.ts'
import { createdOf, NOW, observe, type States, statusIn } from '../observe.ts'

/** pod1, pod2 … stand for workers 0, 1 …; claimed is who counts for the job, and nobody else is touched. */
export function claim(given: Given, edition: Edition): Answers {
  const words = ['pod1', 'pod2'].map((name) => given.take<string>(name) ?? '')
  const job = accept(buildJob(given, edition, { Worker: words.length }))
  const states: States = { Worker: words.map((_, index) => ({ index, phase: 'Running' })) }
  const observed = observe({ job, states })
  const pods = observed.pods.map((pod, i) => {
    const [, uid] = /^owned by UID (\w+)$/.exec(words[i]!) ?? []
    if (!uid) return pod
    const ownerReferences = pod.metadata?.ownerReferences?.map((owner) => ({ ...owner, uid }))
    return { ...pod, metadata: { ...pod.metadata, ownerReferences } }
  })
  const decision = decide(read(job), { ...observed, pods }, NOW)
  const entries = statusIn(decision).trainyard?.tasks?.[0]?.replicaStatus ?? []
  const untouched = !decision.actions.some((action) => action.verb === 'delete' || action.verb === 'patch')
  // A replica whose pod is not claimed is still missing one.
  const missing = createdOf(decision, 'Pod').map((pod) => pod.metadata.name)
  const claimed = entries.flatMap(({ name, phase }, i) =>
    phase === 'Running' && !missing.includes(name) ? [`pod${i + 1}`] : [],
  )
  return { claimed: untouched ? claimed : 'a pod was touched' }
}
