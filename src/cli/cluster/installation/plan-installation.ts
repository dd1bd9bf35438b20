// What installing would do in this cluster: what is ours to make, and what is somebody else's to be left alone.
import type { Deployment } from '../../../../gen/kubernetes-types.ts'
import type { JobKind } from '../../../api/types.ts'
import { isNotFound, type KubeClient, type KubeObject, NAMESPACES } from '../../../kube/index.ts'
import { Declined } from '../../job-commands/declined.ts'
import { findOperators, watchedBy } from '../find-operators.ts'
import {
  type Controller,
  DEPLOYMENTS,
  type Definition,
  definitionName,
  findControllers,
  findDefinitions,
  isOurs,
} from '../others.ts'
import { buildInstallation, type Installation, type InstallationOptions, OPERATOR } from './build-installation.ts'
import { type Rescoped, refuseSecond, rescope } from './operator-scope.ts'

export interface InstallationPlan extends Installation {
  /** One is there already. */
  update: boolean
  /** The operator that is there looks after other jobs than the new one will, and has rights that the new one must not keep. */
  rescoped?: Rescoped
  /** The namespace was somebody's before us: it gets no labels of ours, and it will not go with us. */
  sharesNamespace: boolean
  /** Definitions that belong to others, and why they are left to them. */
  left: Array<{ name: string; because: string }>
  /** Definitions of others that become ours. */
  taken: string[]
  /** Deployments of others that are scaled to nothing. */
  stopped: Controller[]
}

export interface PlanOptions extends Omit<InstallationOptions, 'takeOver'> {
  takeOver: boolean
}

export async function planInstallation(client: KubeClient, options: PlanOptions): Promise<InstallationPlan> {
  const { namespace, takeOver } = options
  const [definitions, controllers, operators, there, sharesNamespace] = await Promise.all([
    findDefinitions(client),
    findControllers(client),
    findOperators(client),
    findDeployment(client, namespace),
    isSomebodys(client, namespace),
  ])
  refuseSecond(operators ?? [], options)
  if (there?.metadata.labels?.['app.kubernetes.io/managed-by'] === 'Helm') {
    throw new Declined(
      `${OPERATOR} in namespace ${namespace} was installed by Helm, and Helm keeps count of what it made`,
      `upgrade it  helm upgrade trainyard <chart> -n ${namespace}`,
    )
  }
  const others = definitions.flatMap((definition) => {
    const because = whose(definition, controllers)
    return because ? [{ definition, name: definitionName(definition.kind), because }] : []
  })
  const left = takeOver ? [] : others
  const mine = new Set(definitions.map(({ kind }) => definitionName(kind)))
  for (const { name } of left) mine.delete(name)
  if (!definitions.some(({ kind }) => kind.job && mine.has(definitionName(kind)))) {
    throw new Declined(
      `every kind of jobs there is somebody else's: ${left.map(({ because }) => because)[0]}`,
      'take them over  trainyard install --take-over',
    )
  }
  // What we define ourselves is ours; nothing need be said to the operator.
  const installation = buildInstallation({ ...options, takeOver: [] as JobKind[] })
  return {
    ...installation,
    crds: installation.crds.filter(({ metadata }) => mine.has(metadata.name ?? '')),
    update: there !== undefined,
    ...(there && watchedBy(there) !== options.watchNamespace && { rescoped: rescope(there, options) }),
    sharesNamespace,
    left: left.map(({ name, because }) => ({ name, because })),
    taken: takeOver ? others.filter(({ definition }) => definition.state === 'foreign').map(({ name }) => name) : [],
    stopped: takeOver ? controllers : [],
  }
}

async function isSomebodys(client: KubeClient, namespace: string): Promise<boolean> {
  return client.get(NAMESPACES, { name: namespace }).then(
    (there) => !isOurs(there),
    (error: unknown) => {
      if (isNotFound(error)) return false
      throw error
    },
  )
}

/** Why a definition is not ours to touch; undefined if it is. */
function whose({ kind, state }: Definition, controllers: readonly Controller[]): string | undefined {
  const controller = controllers.find((candidate) => candidate.kinds.includes(kind))
  if (state !== 'foreign') {
    // A definition of ours under a controller that would act on it: only where we have not been before.
    return controller && state === 'absent' && kind.job ? runs(controller) : undefined
  }
  return controller ? runs(controller) : 'somebody else has defined it'
}

function runs({ project, namespace, name }: Controller): string {
  return `${project}'s ${name} runs in namespace ${namespace}`
}

export async function findDeployment(
  client: KubeClient,
  namespace: string,
): Promise<(Deployment & KubeObject) | undefined> {
  return client.get(DEPLOYMENTS, { namespace, name: OPERATOR }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
}

/** All that is to be there, in the order it is to be made: the kinds first. */
export function objectsOf({ crds, namespace, sharesNamespace, objects }: InstallationPlan): KubeObject[] {
  return [...crds, ...(sharesNamespace ? [] : [namespace]), ...objects]
}

/** `namespace trainyard, 7 CRDs, 1 ClusterRole (no secrets), 1 Deployment (2 pods)`. */
export function summarise({ namespace, sharesNamespace, crds, objects }: InstallationPlan): string {
  const count = (kind: string): number => objects.filter((object) => object.kind === kind).length
  const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`
  const deployment = objects.find((object) => object.kind === 'Deployment') as (Deployment & KubeObject) | undefined
  return [
    ...(sharesNamespace ? [] : [`namespace ${namespace.metadata.name}`]),
    plural(crds.length, 'CRD'),
    `${plural(count('ClusterRole'), 'ClusterRole')} (no secrets)`,
    `1 Deployment (${plural(deployment?.spec?.replicas ?? 0, 'pod')})`,
  ].join(', ')
}
