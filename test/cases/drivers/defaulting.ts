import type { TFJobStatus } from '../../../src/api/types.ts'
import { decide } from '../../../src/core/decide.ts'
import { read } from '../../../src/core/read.ts'
import { sameJson } from '../../../src/lib/json.ts'
import { asStored, buildJob } from '../build-job.ts'
import type { Answers, Edition, Given } from '../case.ts'
import { NOW, observe } from '../observe.ts'

const KUBEFLOWS_WORD = { All: 'All', Unfinished: 'Running', None: 'None' }

/** A job that is refused later has been read before. */
export function applyDefaults(given: Given, edition: Edition): Answers {
  const job = asStored(buildJob(given, edition))
  const model = read(job)
  const explicit = read({ ...job, spec: { ...job.spec, successPolicy: '' } })
  const status = decide(model, observe({ job }), NOW).status as TFJobStatus
  const portsOf = (type: string, container = 'tensorflow') =>
    model.roles.find(({ label }) => label === type)?.template.spec?.containers.find((c) => c.name === container)?.ports
  const worker = model.roles.find(({ label }) => label === 'Worker')
  return {
    cleanPodPolicy: KUBEFLOWS_WORD[model.cleanUp],
    Worker: { replicas: worker?.replicas, restartPolicy: worker?.restartPolicy, ports: portsOf('Worker') },
    ports: portsOf('Worker'),
    portsByContainer: (expected: object) =>
      Object.fromEntries(Object.keys(expected).map((name) => [name, portsOf('Worker', name) ?? []])),
    replicaTypes: Object.keys(status.replicaStatuses ?? {}),
    successPolicy: sameJson(model.success, explicit.success) ? '' : model.success,
  }
}
