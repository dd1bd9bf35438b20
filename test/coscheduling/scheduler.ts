// scheduler-plugins' own scheduler with its plugin Coscheduling, as its chart installs it beside the default scheduler.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { CustomResourceDefinition } from '../../gen/kubernetes-types.ts'
import { awaitHealth } from '../../scripts/real/await-health.ts'
import { findFreePorts } from '../../scripts/real/free-ports.ts'
import { moduleDir } from '../../scripts/real/modules.ts'
import { programPath } from '../../scripts/real/places.ts'
import { signal, startProcess, stopProcess } from '../../scripts/real/processes.ts'
import { programNamed } from '../../scripts/real/programs.ts'
import { CRDS, type KubeClient, type KubeObject, type Resource } from '../../src/kube/index.ts'
import { eventually } from '../conformance/stage.ts'
import { realCluster } from '../real-cluster.ts'

export const GROUPS: Resource = {
  group: 'scheduling.x-k8s.io',
  version: 'v1alpha1',
  plural: 'podgroups',
  kind: 'PodGroup',
  namespaced: true,
}
export const SCHEDULER_NAME = 'scheduler-plugins-scheduler'

/** With the project's definition of groups, which it needs from the first moment. */
export async function startCoscheduling(client: KubeClient): Promise<() => Promise<void>> {
  await defineGroups(client)
  const { kubeconfig, cert, key } = realCluster()
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-coscheduling-'))
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    leaderElection: { leaderElect: false },
    clientConnection: { kubeconfig },
    profiles: [
      {
        schedulerName: SCHEDULER_NAME,
        plugins: { multiPoint: { enabled: [{ name: 'Coscheduling' }], disabled: [{ name: 'PrioritySort' }] } },
      },
    ],
  }
  writeFileSync(join(dir, 'configuration.json'), JSON.stringify(configuration))
  const [port] = await findFreePorts(1)
  const args = [
    `--config=${join(dir, 'configuration.json')}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    // A new node does not move it to look again at a gang it has turned away whole; that happens after five minutes.
    '--pod-max-in-unschedulable-pods-duration=20s',
  ]
  const record = startProcess('coscheduling', programPath('coscheduling'), args, join(dir, 'log'))
  const endNow = (): void => signal(record, 'SIGKILL')
  process.on('exit', endNow)
  await awaitHealth(record, `https://127.0.0.1:${port}/healthz`, { cert, key })
  return async () => {
    await stopProcess(record, 1_000)
    process.off('exit', endNow)
    rmSync(dir, { recursive: true, force: true })
  }
}

async function defineGroups(client: KubeClient): Promise<void> {
  const { module = '', version } = programNamed('coscheduling')
  const file = join(await moduleDir(module, version), 'config/crd/bases/scheduling.x-k8s.io_podgroups.yaml')
  const body = parse(readFileSync(file, 'utf8')) as CustomResourceDefinition & KubeObject
  const options = { fieldManager: 'test', force: true }
  await client.patch(CRDS, { name: body.metadata.name! }, { type: 'apply', body }, options)
  await eventually('groups are served', () => client.list(GROUPS, { limit: 1 }))
}
