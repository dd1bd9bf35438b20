import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { awaitHealth } from '../../scripts/real/await-health.ts'
import { moduleDir } from '../../scripts/real/modules.ts'
import { programPath } from '../../scripts/real/places.ts'
import { programNamed } from '../../scripts/real/programs.ts'
import { define } from './arena.ts'
import { type Contender, startContestant } from './contender.ts'
import { installWebhooks, issueWebhookCertificate } from './webhook.ts'
import { KUBEFLOW_PYTORCH, TFJOB } from './workload.ts'

const MODULE = 'github.com/kubeflow/training-operator'
/** Fixed in its source, where a Secret would be mounted. */
const CERTIFICATES = '/tmp/k8s-webhook-server/serving-certs'
/** Its controllers start only if all of their kinds are defined. */
const KINDS = ['tfjobs', 'pytorchjobs', 'xgboostjobs', 'paddlejobs', 'mpijobs', 'jaxjobs']
const NAMESPACE = 'kubeflow'

/** Stock: 20 requests a second, a burst of 30, one worker per kind. */
const FLAGS = {
  stock: [],
  tuned: ['--kube-api-qps=1000', '--kube-api-burst=2000', '--controller-threads=10'],
}

export function trainingOperator(variant: keyof typeof FLAGS): Contender {
  const program = programNamed('training-operator')
  return {
    name: `training-operator ${variant}`,
    programs: [program.name],
    workloads: [KUBEFLOW_PYTORCH, TFJOB],
    install: async (arena) => {
      const sources = await moduleDir(MODULE, program.version)
      const manifests = (...path: string[]): string => join(sources, 'manifests', 'base', ...path)
      await define(
        arena,
        KINDS.map((plural) => manifests('crds', `kubeflow.org_${plural}.yaml`)),
      )
      await arena.kubectl(['apply', '-f', manifests('rbac', 'role.yaml')])
      await arena.grant('training-operator')
      await arena.kubectl(['create', 'namespace', NAMESPACE])
      // Its webhook cannot be turned off, and nothing starts before its certificate is there as Secret and as files.
      const service = `training-operator.${NAMESPACE}.svc`
      const pki = await issueWebhookCertificate(arena, service, 'training-operator-ca')
      const files = { 'ca.crt': pki.caCert, 'ca.key': pki.caKey, 'tls.crt': pki.cert, 'tls.key': pki.key }
      const from = Object.entries(files).map(([name, file]) => `--from-file=${name}=${file}`)
      await arena.kubectl(['-n', NAMESPACE, 'create', 'secret', 'generic', 'training-operator-webhook-cert', ...from])
      mkdirSync(CERTIFICATES, { recursive: true })
      for (const [name, file] of Object.entries(files)) copyFileSync(file, join(CERTIFICATES, name))
      const configuration = 'validator.training-operator.kubeflow.org'
      await installWebhooks(arena, manifests('webhook', 'manifests.yaml'), pki.caCert, configuration)
    },
    start: async (arena) => {
      const { operator, ports } = arena
      const env = [`KUBECONFIG=${operator.kubeconfig}`, `MY_POD_NAMESPACE=${NAMESPACE}`]
      const flags = [
        `--metrics-bind-address=127.0.0.1:${ports.metrics}`,
        `--health-probe-bind-address=127.0.0.1:${ports.health}`,
        `--webhook-server-port=${ports.webhook}`,
        '--zap-log-level=info',
        ...FLAGS[variant],
      ]
      const record = startContestant(arena, 'env', [...env, programPath(program.name), ...flags])
      await awaitHealth(record, `http://127.0.0.1:${ports.health}/readyz`, operator)
      return record
    },
    cleanUp: () => rmSync(CERTIFICATES, { recursive: true, force: true }),
  }
}
