// Who else looks after jobs of our kinds in a cluster: definitions that are not ours, and controllers at work.
import type { CustomResourceDefinition, Deployment } from '../../../gen/kubernetes-types.ts'
import { type Kind, kinds } from '../../api/kinds.ts'
import { CRDS, isForbidden, isNotFound, type KubeClient, type KubeObject, type Resource } from '../../kube/index.ts'
import { OUR_LABELS } from './installation/build-installation.ts'

export const DEPLOYMENTS: Resource<Deployment & KubeObject> = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
}

export interface Controller {
  namespace: string
  name: string
  /** Whose it is. */
  project: 'Kubeflow' | 'T9k'
  /** Kinds it looks after. */
  kinds: Kind[]
}

export interface Definition {
  kind: Kind
  state: 'absent' | 'ours' | 'foreign'
  /** As it is there. */
  crd?: CustomResourceDefinition
}

const KUBEFLOW = /(^|[/-])(training|tf|tf-job)-operator($|[:@-])/
const T9K = /(^|[/-])(t9k-)?((tensorflow|pytorch)?-?training-?job|generic-?job|t9k-job)s?-(controller|operator|manager)/

export function definitionName({ plural, group }: Kind): string {
  return `${plural}.${group}`
}

export async function findDefinitions(client: KubeClient): Promise<Definition[]> {
  return Promise.all(
    kinds.map(async (kind): Promise<Definition> => {
      try {
        const crd: CustomResourceDefinition = await client.get(CRDS, { name: definitionName(kind) })
        return { kind, state: isOurs(crd) ? 'ours' : 'foreign', crd }
      } catch (error) {
        if (isNotFound(error)) return { kind, state: 'absent' }
        throw error
      }
    }),
  )
}

export function isOurs({ metadata }: Pick<KubeObject, 'metadata'> | CustomResourceDefinition): boolean {
  return Object.entries(OUR_LABELS).every(([key, value]) => metadata?.labels?.[key] === value)
}

/** Those at work; what is scaled to nothing does no harm. Nobody is found where Deployments may not be listed. */
export async function findControllers(client: KubeClient): Promise<Controller[]> {
  const { items } = await client.list(DEPLOYMENTS).catch((error: unknown) => {
    if (isForbidden(error)) return { items: [] }
    throw error
  })
  return items.flatMap((deployment): Controller[] => {
    const { namespace = '', name = '' } = deployment.metadata
    if ((deployment.spec?.replicas ?? 1) === 0 || isOurs(deployment)) return []
    const images = deployment.spec?.template.spec?.containers.map(({ image = '' }) => image) ?? []
    const project = projectOf([name, ...images])
    return project ? [{ namespace, name, project, kinds: kindsOf(project) }] : []
  })
}

function projectOf(words: readonly string[]): Controller['project'] | undefined {
  if (words.some((word) => KUBEFLOW.test(word))) return 'Kubeflow'
  return words.some((word) => T9K.test(word)) ? 'T9k' : undefined
}

function kindsOf(project: Controller['project']): Kind[] {
  return kinds.filter(({ group }) => (group === 'kubeflow.org') === (project === 'Kubeflow'))
}
