// Every object of an installation. The chart says the same in Helm's language; a suite compares the two.
import type { Deployment, Namespace, Service, ServiceAccount } from '../../../../gen/kubernetes-types.ts'
import { buildCrd, type Crd } from '../../../api/build-crd.ts'
import { kinds } from '../../../api/kinds.ts'
import type { JobKind, KubeObject } from '../../../api/types.ts'
import { CLUSTER_RULES, JOB_RULES, leaseRules, type Rule } from './rights.ts'

export interface InstallationOptions {
  /** Where the operator lives. */
  namespace: string
  /** The only namespace it looks after; all of them without it. */
  watchNamespace?: string
  image: string
  replicas: number
  /** Kinds to look after although somebody else has defined them. */
  takeOver: readonly JobKind[]
}

export interface Installation {
  namespace: Namespace & KubeObject
  crds: Crd[]
  /** Accounts, rights and the operator, in the order they are to be made. */
  objects: KubeObject[]
}

export const OPERATOR = 'trainyard-operator'
export const OUR_LABELS = { 'app.kubernetes.io/name': 'trainyard' }
export const OPERATOR_LABELS = { ...OUR_LABELS, 'app.kubernetes.io/component': 'operator' }
const PORT = 8080
const RBAC = 'rbac.authorization.k8s.io'

export function buildInstallation(options: InstallationOptions): Installation {
  const { namespace, replicas } = options
  return {
    namespace: buildNamespace(namespace),
    crds: kinds.map(buildCrd),
    objects: [
      buildServiceAccount(namespace),
      ...buildRights(options),
      buildMetricsService(namespace),
      buildDeployment(options),
      ...(replicas > 1 ? [buildDisruptionBudget(namespace)] : []),
    ],
  }
}

/** Nothing in it needs more than the strictest of the Pod Security standards allows. */
function buildNamespace(name: string): Namespace & KubeObject {
  const labels = { ...OUR_LABELS, 'pod-security.kubernetes.io/enforce': 'restricted' }
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
}

function buildServiceAccount(namespace: string): ServiceAccount & KubeObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: OPERATOR, namespace, labels: OPERATOR_LABELS } }
}

function buildRights({ namespace, watchNamespace }: InstallationOptions): KubeObject[] {
  const everywhere = watchNamespace === undefined
  return [
    ...grant(namespace, OPERATOR, everywhere ? [...JOB_RULES, ...CLUSTER_RULES] : CLUSTER_RULES),
    ...(everywhere ? [] : grant(namespace, OPERATOR, JOB_RULES, watchNamespace)),
    ...grant(namespace, `${OPERATOR}-election`, leaseRules(OPERATOR), namespace),
  ]
}

/** A role and its binding to the operator; in one namespace, or in the whole cluster. */
export function grant(operatorIn: string, name: string, rules: readonly Rule[], within?: string): KubeObject[] {
  const scope = within === undefined ? 'Cluster' : ''
  const metadata = { name, ...(within !== undefined && { namespace: within }), labels: OPERATOR_LABELS }
  const apiVersion = `${RBAC}/v1`
  const role = { apiVersion, kind: `${scope}Role`, metadata, rules }
  const subjects = [{ kind: 'ServiceAccount', name: OPERATOR, namespace: operatorIn }]
  const roleRef = { apiGroup: RBAC, kind: role.kind, name }
  const binding = { apiVersion, kind: `${scope}RoleBinding`, metadata, roleRef, subjects }
  return [role, binding]
}

function buildMetricsService(namespace: string): Service & KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `${OPERATOR}-metrics`, namespace, labels: OPERATOR_LABELS },
    spec: { selector: OPERATOR_LABELS, ports: [{ name: 'metrics', port: PORT, targetPort: 'metrics' }] },
  }
}

function buildDisruptionBudget(namespace: string): KubeObject {
  const spec = { maxUnavailable: 1, selector: { matchLabels: OPERATOR_LABELS } }
  const metadata = { name: OPERATOR, namespace, labels: OPERATOR_LABELS }
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec } as KubeObject
}

function buildDeployment(options: InstallationOptions): Deployment & KubeObject {
  const { namespace, watchNamespace, image, replicas, takeOver } = options
  const probe = (path: string) => ({ httpGet: { path, port: 'metrics' } })
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: OPERATOR, namespace, labels: OPERATOR_LABELS },
    spec: {
      replicas,
      selector: { matchLabels: OPERATOR_LABELS },
      template: {
        metadata: { labels: OPERATOR_LABELS },
        spec: {
          serviceAccountName: OPERATOR,
          // A leader gives its lease back before it ends.
          terminationGracePeriodSeconds: 15,
          securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: OPERATOR_LABELS },
            },
          ],
          containers: [
            {
              name: 'operator',
              image,
              imagePullPolicy: 'IfNotPresent',
              args: [
                'operator',
                `--metrics-address=:${PORT}`,
                `--lease-name=${OPERATOR}`,
                `--lease-namespace=${namespace}`,
                ...(watchNamespace === undefined ? [] : [`--namespace=${watchNamespace}`]),
                ...takeOver.map((kind) => `--take-over=${kind}`),
              ],
              ports: [{ name: 'metrics', containerPort: PORT }],
              livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 10, timeoutSeconds: 5 },
              readinessProbe: { ...probe('/readyz'), timeoutSeconds: 5 },
              resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '1Gi' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  }
}
