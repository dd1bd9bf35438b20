// Its pods are made by the Job controller inside kube-controller-manager: its own requests are only a part of what a job costs.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { awaitHealth } from '../../scripts/real/await-health.ts'
import { moduleDir } from '../../scripts/real/modules.ts'
import { programPath } from '../../scripts/real/places.ts'
import { programNamed } from '../../scripts/real/programs.ts'
import type { KubeObject } from '../../src/kube/index.ts'
import { define } from './arena.ts'
import { type Contender, startContestant } from './contender.ts'
import { installWebhooks, issueWebhookCertificate } from './webhook.ts'
import { JOBSET } from './workload.ts'

const NAMESPACE = 'jobset-system'

export function jobSet(): Contender {
  const program = programNamed('jobset')
  return {
    name: 'JobSet',
    programs: [program.name],
    workloads: [JOBSET],
    install: async (arena) => {
      const components = join(await moduleDir(program.package, program.version), 'config', 'components')
      await define(arena, [join(components, 'crd', 'bases', 'jobset.x-k8s.io_jobsets.yaml')])
      await arena.kubectl(['create', 'namespace', NAMESPACE])
      const roleFile = join(components, 'rbac', 'role.yaml')
      await arena.kubectl(['apply', '-f', roleFile])
      await arena.grant((parse(readFileSync(roleFile, 'utf8')) as KubeObject).metadata.name ?? '')
      const pki = await issueWebhookCertificate(arena, `jobset-webhook-service.${NAMESPACE}.svc`, 'jobset-ca')
      const certDir = join(arena.plane.dir, 'jobset')
      mkdirSync(certDir)
      copyFileSync(pki.cert, join(certDir, 'tls.crt'))
      copyFileSync(pki.key, join(certDir, 'tls.key'))
      await installWebhooks(arena, join(components, 'webhook', 'manifests.yaml'), pki.caCert, 'jobset')
      const { ports } = arena
      const configuration = {
        apiVersion: 'config.jobset.x-k8s.io/v1alpha1',
        kind: 'Configuration',
        leaderElection: { leaderElect: false },
        internalCertManagement: { enable: false },
        webhook: { port: ports.webhook, certDir },
        metrics: { bindAddress: `127.0.0.1:${ports.metrics}` },
        health: { healthProbeBindAddress: `127.0.0.1:${ports.health}` },
      }
      writeFileSync(join(certDir, 'configuration.yaml'), JSON.stringify(configuration))
    },
    start: async (arena) => {
      const { plane, operator, ports } = arena
      const flags = ['--config', join(plane.dir, 'jobset', 'configuration.yaml'), '--zap-log-level=info']
      const args = [`KUBECONFIG=${operator.kubeconfig}`, programPath(program.name), ...flags]
      const record = startContestant(arena, 'env', args)
      await awaitHealth(record, `http://127.0.0.1:${ports.health}/readyz`, operator)
      return record
    },
  }
}
