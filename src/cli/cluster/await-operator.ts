// Waits until the operator is there: its pods ready, one of them leading.

import type { Deployment } from '../../../gen/kubernetes-types.ts'
import { isForbidden, isNotFound, type KubeClient, type KubeObject, LEASES, PODS, pause } from '../../kube/index.ts'
import { fromTimestamp } from '../../lib/time.ts'
import type { Check } from '../job-commands/doctor-view.ts'
import { hindrance, waitsFor } from '../run/view/replica-view.ts'
import { selectorOf } from './find-operators.ts'
import { OPERATOR_LABELS } from './installation/build-installation.ts'
import { findDeployment } from './installation/plan-installation.ts'

const PACE = 250

export interface OperatorState {
  ready: number
  /** Those of them that are as they are wanted now: the pods of before an update are ready too. */
  renewed: number
  wanted: number
  /** Whether somebody holds the lease now; undefined: it may not be looked at. */
  leads?: boolean
}

export async function lookAtOperator(
  client: KubeClient,
  { status, spec, metadata }: Deployment & KubeObject,
): Promise<OperatorState> {
  const { replicas = 0, updatedReplicas = 0, readyReplicas: ready = 0, observedGeneration } = status ?? {}
  const isSeen = observedGeneration === metadata.generation
  const renewed = isSeen ? Math.max(0, ready - (replicas - updatedReplicas)) : 0
  return { ready, renewed, wanted: spec?.replicas ?? 1, leads: await isHeld(client, metadata) }
}

/** The Lease is called as the Deployment is, and lies beside it. */
async function isHeld(
  client: KubeClient,
  { namespace, name = '' }: KubeObject['metadata'],
): Promise<boolean | undefined> {
  try {
    const { spec } = await client.get(LEASES, { namespace, name })
    const until = (fromTimestamp(spec?.renewTime) ?? 0) + (spec?.leaseDurationSeconds ?? 0) * 1000
    // By the cluster's clock: the one of this machine may be another.
    return Boolean(spec?.holderIdentity) && (client.serverTime ?? Date.now()) < until
  } catch (error) {
    if (isForbidden(error)) return undefined
    if (isNotFound(error)) return false
    throw error
  }
}

export async function awaitOperator(
  client: KubeClient,
  namespace: string,
  patience: number,
  onProgress: (words: string) => void,
): Promise<Check> {
  const name = 'operator'
  for (const start = Date.now(); ; await pause(PACE)) {
    const deployment = await findDeployment(client, namespace)
    const { renewed, wanted, leads } = deployment
      ? await lookAtOperator(client, deployment)
      : { renewed: 0, wanted: 0, leads: false }
    const seconds = Math.round((Date.now() - start) / 1000)
    const count = `${renewed} of ${wanted} ready`
    if (wanted > 0 && renewed >= wanted && leads) {
      return { name, status: 'fine', message: `${count} after ${seconds} s, leader elected` }
    }
    const why = (await findHindrance(client, namespace)) ?? (leads ? undefined : 'no leader yet')
    if (Date.now() - start >= patience) {
      const message = `${count} after ${seconds} s${why ? `: ${why}` : ''}`
      return { name, status: 'problem', message, fix: `look closer  kubectl -n ${namespace} describe pods` }
    }
    onProgress(`${count}${why ? `, ${why}` : ''}`)
  }
}

/** What keeps its pods from starting, if the cluster has said so. */
async function findHindrance(client: KubeClient, namespace: string): Promise<string | undefined> {
  const { items } = await client.list(PODS, { namespace, labelSelector: selectorOf(OPERATOR_LABELS) })
  return items.map((pod) => waitsFor(pod) ?? hindrance(pod)).find((words) => words !== undefined)
}
