// Whose jobs an operator looks after: one operator for each, with rights on no others.
import type { Deployment } from '../../../../gen/kubernetes-types.ts'
import type { KubeObject } from '../../../kube/index.ts'
import { Declined } from '../../job-commands/declined.ts'
import { watchedBy } from '../find-operators.ts'
import { grant, type InstallationOptions, OPERATOR } from './build-installation.ts'
import { JOB_RULES } from './rights.ts'

type Scoped = Pick<InstallationOptions, 'namespace' | 'watchNamespace'>

export interface Rescoped {
  from: string
  to: string
  /** What it may do to the jobs of before. */
  obsolete: KubeObject[]
}

/** Two operators for the same jobs would get in each other's way, and two of the same name share their rights in the cluster. */
export function refuseSecond(
  operators: ReadonlyArray<Deployment & KubeObject>,
  { namespace, watchNamespace }: Scoped,
): void {
  const others = operators.filter(({ metadata }) => metadata.name !== OPERATOR || metadata.namespace !== namespace)
  const rival = others.find((other) => {
    const watched = watchedBy(other)
    const meets = watched === undefined || watchNamespace === undefined || watched === watchNamespace
    return meets || other.metadata.name === OPERATOR
  })
  if (!rival) return
  const { name, namespace: elsewhere } = rival.metadata
  throw new Declined(
    `${name} runs in namespace ${elsewhere} already, for ${scopeOf(watchedBy(rival))}`,
    `update it  trainyard install -n ${elsewhere}, or remove it first`,
  )
}

function scopeOf(watched: string | undefined): string {
  return watched === undefined ? 'all namespaces' : `namespace ${watched} only`
}

export function rescope(there: Deployment, options: Scoped): Rescoped {
  const watchNamespace = watchedBy(there)
  const obsolete = watchNamespace === undefined ? [] : grant(options.namespace, OPERATOR, JOB_RULES, watchNamespace)
  return { from: scopeOf(watchNamespace), to: scopeOf(options.watchNamespace), obsolete }
}
