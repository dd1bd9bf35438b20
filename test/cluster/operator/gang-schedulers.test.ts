// The groups we make for other projects' gang schedulers, judged by those projects' own definitions.
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { CustomResourceDefinition } from '../../../gen/kubernetes-types.ts'
import { mustRun } from '../../../scripts/run-program.ts'
import { CRDS, KubeClient, type KubeObject, loadConnection, PODS, type Resource } from '../../../src/kube/index.ts'
import { GangFinder } from '../../../src/operator/gang-finder.ts'
import { startOperator } from '../../../src/operator/operator.ts'
import { trainingJobs } from '../../conformance/manifests.ts'
import { eventually, Stage } from '../../conformance/stage.ts'
import { installCrds } from '../../operator/operator-at-work.ts'
import { statusDriver } from '../../operator/status-driver.ts'
import { realCluster } from '../../real-cluster.ts'

const PROJECTS = {
  volcano: {
    module: 'volcano.sh/volcano@v1.10.0',
    file: 'config/crd/volcano/bases/scheduling.volcano.sh_podgroups.yaml',
  },
  coscheduling: {
    module: 'sigs.k8s.io/scheduler-plugins@v0.33.5',
    file: 'config/crd/bases/scheduling.x-k8s.io_podgroups.yaml',
  },
} as const
type Project = keyof typeof PROJECTS

let client: KubeClient
const defined = {} as Record<Project, CustomResourceDefinition & KubeObject>
beforeAll(async () => {
  client = new KubeClient(await loadConnection({ kubeconfig: realCluster().kubeconfig }))
  await installCrds(client)
  for (const [project, { module, file }] of Object.entries(PROJECTS)) {
    const told = await mustRun('go', ['mod', 'download', '-json', module], { cwd: tmpdir() })
    const folder = (JSON.parse(told) as { Dir: string }).Dir
    const body = parse(readFileSync(join(folder, file), 'utf8')) as CustomResourceDefinition & KubeObject
    defined[project as Project] = body
    await client.patch(
      CRDS,
      { name: body.metadata.name! },
      { type: 'apply', body },
      { fieldManager: 'test', force: true },
    )
    await eventually(`groups of ${project} are served`, () => client.list(groupsOf(project as Project), { limit: 1 }))
  }
}, 300_000)
afterAll(async () => {
  for (const { metadata } of Object.values(defined)) await client.delete(CRDS, { name: metadata.name! })
  await client.close()
})

function groupsOf(project: Project): Resource {
  const { group, versions } = defined[project].spec
  return {
    group,
    version: versions.find(({ storage }) => storage)!.name,
    plural: 'podgroups',
    kind: 'PodGroup',
    namespaced: true,
  }
}

test.each(Object.keys(PROJECTS) as Project[])('%s takes our group, and the job ends as it should', async (project) => {
  const refused: string[] = []
  const stage = await Stage.open({ kubeconfig: realCluster().kubeconfig, driver: statusDriver(client) })
  const operator = startOperator({
    client,
    namespace: stage.namespace,
    gangScheduler: project,
    onError: (where, error) => refused.push(`${where}: ${error}`),
  })
  await operator.ready
  const scheduler = { t9kScheduler: { queue: 'default', priority: 5 } }
  const job = await trainingJobs(stage).pytorch({ master: 1, worker: 2 }, { scheduler })
  const name = job.name
  const at = { namespace: stage.namespace, name }
  const group = (await eventually('the group is there', () => client.get(groupsOf(project), at))) as KubeObject & {
    spec: { minMember: number }
  }
  expect(group.spec.minMember).toBe(3)
  const { items } = await eventually('three pods are there', async () => {
    const pods = await client.list(PODS, { namespace: stage.namespace })
    expect(pods.items).toHaveLength(3)
    return pods
  })
  for (const { metadata, spec } of items) {
    expect(spec?.schedulerName).toBe(project === 'volcano' ? 'volcano' : 'scheduler-plugins-scheduler')
    expect({ ...metadata.labels, ...metadata.annotations }).toMatchObject(
      project === 'volcano' ? { 'scheduling.k8s.io/group-name': name } : { 'scheduling.x-k8s.io/pod-group': name },
    )
  }
  await job.run('master-0', 0)
  await job.reaches('Succeeded')
  await eventually('the group is gone', async () => {
    expect((await client.list(groupsOf(project), { namespace: stage.namespace })).items).toEqual([])
  })
  await operator.stop()
  await stage.close()
  expect(refused).toEqual([])
})

test('the scheduler that is there is found, and kinds that we defined ourselves are no sign of one', async () => {
  const finder = new GangFinder(client, 'auto', (error) => expect.fail(String(error)))
  await finder.reader.list(groupsOf('volcano'))
  expect(finder.found).toBe('volcano')
})
