// Many trainings of the JavaScript example at once, each of two processes, all with the same ports in their manifests.
import { readFileSync } from 'node:fs'
import { phaseOfJob } from '../../src/api/job-phase.ts'
import { type AnyJob, recordOf } from '../../src/cli/home/running-jobs.ts'
import { readManifestText } from '../../src/cli/manifest/manifest.ts'
import type { KubeObject, Resource } from '../../src/kube/index.ts'
import type { HomeUnderTest } from './home-under-test.ts'

const CONFIG_MAPS: Resource<KubeObject> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
}

export interface Trainings {
  jobs: number
  seconds: number
  restarts: number
  homeCpu: number
  homeRss: number
}

export async function runTrainings(home: HomeUnderTest, count: number): Promise<Trainings> {
  const file = new URL('../../examples/digits/job.yaml', import.meta.url)
  const objects = readManifestText('job.yaml', readFileSync(file, 'utf8')).manifests.map(({ object }) => object)
  const code = objects.find((object) => object?.kind === 'ConfigMap') as object as KubeObject
  await home.client.create(CONFIG_MAPS, { ...code, metadata: { ...code.metadata, namespace: 'default' } })
  const example = objects.find((object) => object?.kind === 'PyTorchTrainingJob') as object as AnyJob
  const [cpu, start] = [home.cpu(), performance.now()]
  await Promise.all(Array.from({ length: count }, (_, i) => home.create(ofTwo(example, `digits-${i}`))))
  const jobs = await home.untilFinished(count)
  const seconds = (performance.now() - start) / 1000
  const failed = jobs.filter((job) => phaseOfJob(job) !== 'Succeeded').map(({ metadata }) => metadata.name)
  if (failed.length > 0) throw new Error(`${failed.length} of ${count} trainings did not succeed: ${failed.join(', ')}`)
  const restarts = jobs.reduce((sum, job) => sum + (recordOf(job).backoffCount ?? 0), 0)
  const result = { jobs: count, seconds, restarts, homeCpu: home.cpu() - cpu, homeRss: home.rss() }
  await home.deleteAll()
  return result
}

/** One master and one worker. */
function ofTwo(example: AnyJob, name: string): AnyJob {
  const job = structuredClone(example)
  job.metadata = { name, namespace: 'default' }
  const { replicaSpecs } = job.spec as { replicaSpecs: Array<{ type: string; replicas?: number }> }
  for (const each of replicaSpecs) each.replicas = 1
  return job
}
