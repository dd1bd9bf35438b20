import type { Pod } from '../../../gen/kubernetes-types.ts'
import { accept, buildJob } from '../build-job.ts'
import type { Answers, Edition, Given } from '../case.ts'
import { createdOf, decideNow } from '../observe.ts'

const GANG_SCHEDULER = 't9k-scheduler'

/** A scheduler the user names is kept and warned about; everybody else gets the gang's. */
export function askScheduler(given: Given, edition: Edition): Answers {
  given.take('gangScheduler')
  const names = given.take<string[]>('schedulerNames')!
  const job = accept(buildJob(given, edition, { Worker: 1, PS: 1 }))
  job.spec.runPolicy = { ...job.spec.runPolicy, schedulingPolicy: {} }
  const decision = decideNow({ job })
  const pods = createdOf(decision, 'Pod') as Pod[]
  const warned = decision.reasons.some(({ event }) => event === 'SetPodTemplateSchedulerName')
  const used = pods.map((pod) => pod.spec?.schedulerName)
  const wanted = names.map((name) => name || GANG_SCHEDULER)
  return { custom: used.join() === wanted.join() ? warned : used }
}
