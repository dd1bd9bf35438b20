import type { JobKind } from '../api/types.ts'
import type { ClusterFacts } from '../core/decision.ts'
import type { GangChoice } from '../core/gangs.ts'
import type { KubeClient } from '../kube/index.ts'
import type { Instant } from '../lib/time.ts'
import type { OperatorPatience } from './busy-patience.ts'
import type { OperatorMetrics } from './metrics.ts'
import { World } from './world.ts'

export interface OperatorOptions {
  client: KubeClient
  /** Looks after this namespace only; after all of them without it. */
  namespace?: string
  /** Kinds to look after even where their definition is somebody else's: its operator must be gone. */
  takeOver?: readonly JobKind[]
  /** What the cluster cannot be asked for. */
  facts?: Partial<Omit<ClusterFacts, 'gangScheduler' | 'tensorboards'>>
  /** Who places gangs; whoever is found if nobody is named. */
  gangScheduler?: GangChoice
  /** Where several operators take turns: ours. */
  term?: Term
  /** Jobs looked at side by side. */
  workers?: number
  /** Counted only if somebody will read it: the library for it is not small. */
  metrics?: OperatorMetrics
  /** What may wait to be stored together with what comes next; nothing does without it. */
  patience?: OperatorPatience
  /** By how many milliseconds the clocks of the API servers may differ; nothing, where there is one. */
  clocksApart?: number
  /** How long events wait for the deeds they tell of, in milliseconds. */
  eventsRest?: number
  /** Who the events say they come from. */
  component?: string
  /** Which of several operators this one is. */
  instance?: string
  onError?: (where: string, error: unknown) => void
}

export interface Term {
  /** Watched since before it began, and after it is over. */
  world: World
  /** When it began, by the clock of the API server. */
  began: Instant | undefined
  /** Whether it still is our turn, at this very moment. */
  holds: () => boolean
}

/** What an operator with these options has to know of the cluster. */
export function worldFor(options: OperatorOptions): World {
  const { client, namespace, takeOver, facts, gangScheduler = 'auto', metrics, onError } = options
  return new World({
    client,
    namespace,
    takeOver,
    facts: { forceDeleteAfter: 300, ...facts },
    gangScheduler,
    onError: (resource, error) => {
      metrics?.watchBroke(resource)
      onError?.(`watching ${resource}`, error)
    },
  })
}
