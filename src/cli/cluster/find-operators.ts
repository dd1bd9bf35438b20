// Where our operators run, whoever installed them: Helm gives them other names, and they may live in any namespace.
import type { Deployment } from '../../../gen/kubernetes-types.ts'
import { isForbidden, type KubeClient, type KubeObject } from '../../kube/index.ts'
import { OPERATOR_LABELS } from './installation/build-installation.ts'
import { DEPLOYMENTS } from './others.ts'

/** Undefined: they may not be looked at. */
export async function findOperators(client: KubeClient): Promise<Array<Deployment & KubeObject> | undefined> {
  try {
    return (await client.list(DEPLOYMENTS, { labelSelector: selectorOf(OPERATOR_LABELS) })).items
  } catch (error) {
    if (isForbidden(error)) return undefined
    throw error
  }
}

export function selectorOf(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}

/** The only namespace that an operator looks after; undefined: all of them. */
export function watchedBy({ spec }: Deployment): string | undefined {
  const flag = '--namespace='
  const args = spec?.template.spec?.containers[0]?.args ?? []
  return args.find((arg) => arg.startsWith(flag))?.slice(flag.length)
}
