// The real programs our suites measure themselves against. Adding one is a row here.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Program {
  name: string
  version: string
  /** Go package of its main function. */
  package: string
  /**
   * `pinned`: built in scripts/real/k8s, whose go.mod fixes every version. `released`: by `go install package@version`.
   * `required`: in a module made for it, where `go install` is refused. `inside`: in the folder of its own module, which
   * replaces modules and so cannot be installed or required.
   */
  from: 'pinned' | 'released' | 'required' | 'inside'
  /** Where it is built inside of it. */
  module?: string
  /** Variables set at link time; without them a Kubernetes program calls itself v0.0.0. */
  variables?: Record<string, string>
  /** Go build tags: what is left out. */
  tags?: readonly string[]
  /** Built where nobody names programs. */
  usual: boolean
}

export const PINNED_MODULE = join(import.meta.dirname, 'k8s')

const goMod = readFileSync(join(PINNED_MODULE, 'go.mod'), 'utf8')

function pinnedVersion(module: string): string {
  const version = goMod.split('\n').find((line) => line.replace(/^(require )?\s*/, '').startsWith(`${module} v`))
  const found = version?.match(/ (v\S+)/)?.[1]
  if (!found) throw new Error(`scripts/real/k8s/go.mod does not require ${module}`)
  return found
}

export const KUBERNETES_VERSION = pinnedVersion('k8s.io/kubernetes')

function versionOf(kubernetes: string): Record<string, string> {
  const [major = '', minor = ''] = kubernetes.slice(1).split('.')
  const variable = (key: string): string => `k8s.io/component-base/version.${key}`
  return {
    [variable('gitVersion')]: kubernetes,
    [variable('gitMajor')]: major,
    [variable('gitMinor')]: minor,
    [variable('gitTreeState')]: 'clean',
    // A fixed date, so that the same sources give the same program.
    [variable('buildDate')]: '2026-01-01T00:00:00Z',
  }
}

function kubernetes(name: string, usual: boolean): Program {
  return {
    name,
    version: KUBERNETES_VERSION,
    package: `k8s.io/kubernetes/cmd/${name}`,
    from: 'pinned',
    variables: versionOf(KUBERNETES_VERSION),
    usual,
  }
}

function released(name: string, path: string, version: string, versionVariable?: string): Program {
  const variables = versionVariable ? { [versionVariable]: version } : {}
  return { name, version, package: path, from: 'released', variables, usual: false }
}

function coscheduling(): Program {
  const module = 'sigs.k8s.io/scheduler-plugins'
  // Built on Kubernetes of the same number, whose version it must know of itself.
  const variables = versionOf('v1.33.5')
  return { ...released('coscheduling', `${module}/cmd/scheduler`, 'v0.33.5'), variables, from: 'inside', module }
}

function containerd(name: string): Program {
  const path = 'github.com/containerd/containerd/v2'
  const program = released(name, `${path}/cmd/${name}`, 'v2.4.2', `${path}/version.Version`)
  // Snapshotters that need headers the machine may not have.
  return { ...program, tags: ['no_btrfs', 'no_devmapper', 'no_zfs'] }
}

// In this order each build reuses most of what the ones before it have compiled.
export const PROGRAMS: readonly Program[] = [
  {
    name: 'etcd',
    version: pinnedVersion('go.etcd.io/etcd/server/v3'),
    package: 'go.etcd.io/etcd/server/v3',
    from: 'pinned',
    usual: true,
  },
  kubernetes('kube-apiserver', true),
  kubernetes('kubectl', true),
  kubernetes('kube-controller-manager', true),
  kubernetes('kube-scheduler', true),
  kubernetes('kubelet', false),
  kubernetes('kube-proxy', false),
  released('kwok', 'sigs.k8s.io/kwok/cmd/kwok', 'v0.8.0', 'sigs.k8s.io/kwok/pkg/consts.Version'),
  containerd('containerd'),
  containerd('containerd-shim-runc-v2'),
  containerd('ctr'),
  released('coredns', 'github.com/coredns/coredns', 'v1.14.7'),
  released('training-operator', 'github.com/kubeflow/training-operator/cmd/training-operator.v1', 'v1.9.3'),
  { ...released('jobset', 'sigs.k8s.io/jobset', 'v0.12.0'), from: 'required' },
  coscheduling(),
  released('helm', 'helm.sh/helm/v3/cmd/helm', 'v3.22.0', 'helm.sh/helm/v3/internal/version.version'),
]

export function programNamed(name: string): Program {
  const program = PROGRAMS.find((candidate) => candidate.name === name)
  if (!program) throw new Error(`no program is called ${name}; there are ${PROGRAMS.map((p) => p.name).join(', ')}`)
  return program
}
