// How each gang scheduler is told that a job's pods belong together. What differs between them is here and nowhere else.
import type { JobCondition, KubeObject } from '../api/types.ts'
import type { JobModel } from './job-model.ts'
import { GROUP_LABEL, JOB_UID_LABEL, ownerOf, QUEUE_LABEL, ROLE_LABEL } from './labels.ts'

export type GangScheduler = 't9k' | 'volcano' | 'coscheduling' | 'kueue'

/** One of them, `none`, or whichever is found. */
export type GangChoice = GangScheduler | 'auto' | 'none'
export const GANG_CHOICES: readonly GangChoice[] = ['auto', 't9k', 'volcano', 'coscheduling', 'kueue', 'none']

type Gang = NonNullable<JobModel['gang']>

export interface Standing {
  placed: boolean
  reason: string
  message: string
}

interface GangAdapter {
  /** The pods' scheduler; absent where the default one does it. */
  schedulerName?: string
  /** The object that stands for the group; absent where the pods' own marks are enough. */
  group?: {
    apiVersion: string
    spec(gang: Gang): Record<string, unknown>
    /** Its status says why it waits; elsewhere only the pods do. */
    tellsWhy?: boolean
    /** What the scheduler says of it, if it says anything. */
    standing(status: GroupStatus): Standing | undefined
  }
  marks(model: JobModel, gang: Gang, type: string, replicas: number): { labels?: Marks; annotations?: Marks }
}

type Marks = Record<string, string>

interface GroupStatus {
  phase?: string
  conditions?: JobCondition[]
}

export const GANGS: Record<GangScheduler, GangAdapter> = {
  t9k: {
    schedulerName: 't9k-scheduler',
    group: {
      apiVersion: 'scheduler.tensorstack.dev/v1beta1',
      tellsWhy: true,
      spec: ({ minMember, queue, priority }) => ({ minMember, queue, priority }),
      standing: ({ conditions }) => standingBy(conditions, 'GroupScheduled'),
    },
    marks: ({ name }, { queue }, type) => ({
      labels: { [GROUP_LABEL]: name, [QUEUE_LABEL]: queue, [ROLE_LABEL]: type },
    }),
  },
  volcano: {
    schedulerName: 'volcano',
    group: {
      apiVersion: 'scheduling.volcano.sh/v1beta1',
      tellsWhy: true,
      spec: ({ minMember, queue, priorityClass }) => ({ minMember, queue, ...nameOf(priorityClass) }),
      standing: ({ phase, conditions }) => {
        const refused = conditions?.findLast(({ type, status }) => type === 'Unschedulable' && status === 'True')
        const words = { reason: refused?.reason ?? phase ?? '-', message: refused?.message ?? `the group is ${phase}` }
        if (phase === 'Running') return { placed: true, reason: 'Running', message: 'the group runs' }
        return phase === undefined ? undefined : { placed: false, ...words }
      },
    },
    marks: ({ name }) => ({ annotations: { 'scheduling.k8s.io/group-name': name } }),
  },
  coscheduling: {
    schedulerName: 'scheduler-plugins-scheduler',
    group: {
      apiVersion: 'scheduling.x-k8s.io/v1alpha1',
      spec: ({ minMember }) => ({ minMember }),
      standing: ({ phase }) => {
        if (!phase) return undefined
        const placed = ['Scheduled', 'Running', 'Finished', 'Failed'].includes(phase)
        return { placed, reason: phase, message: `the group is ${phase}` }
      },
    },
    marks: ({ name }) => ({ labels: { 'scheduling.x-k8s.io/pod-group': name } }),
  },
  kueue: {
    marks: ({ name }, { queue, priorityClass }, _type, replicas) => ({
      labels: {
        'kueue.x-k8s.io/queue-name': queue,
        'kueue.x-k8s.io/pod-group-name': name,
        ...(priorityClass && { 'kueue.x-k8s.io/priority-class': priorityClass }),
      },
      annotations: { 'kueue.x-k8s.io/pod-group-total-count': String(replicas) },
    }),
  },
}

export function buildPodGroup(
  model: JobModel,
  scheduler: GangScheduler,
  gang: Gang,
): (KubeObject & { spec: Record<string, unknown> }) | undefined {
  const { group } = GANGS[scheduler]
  return (
    group && {
      apiVersion: group.apiVersion,
      kind: 'PodGroup',
      metadata: {
        name: model.name,
        namespace: model.namespace,
        labels: { [JOB_UID_LABEL]: model.uid },
        ownerReferences: [ownerOf(model)],
      },
      spec: group.spec(gang),
    }
  )
}

export function standingOf(
  scheduler: GangScheduler | undefined,
  podGroup: KubeObject | undefined,
): Standing | undefined {
  if (!scheduler || !podGroup) return undefined
  return GANGS[scheduler].group?.standing((podGroup as { status?: GroupStatus }).status ?? {})
}

function standingBy(conditions: JobCondition[] | undefined, type: string): Standing | undefined {
  const found = conditions?.find((condition) => condition.type === type)
  return found && { placed: found.status === 'True', reason: found.reason ?? '-', message: found.message ?? '' }
}

const nameOf = (priorityClassName: string | undefined) => priorityClassName && { priorityClassName }
