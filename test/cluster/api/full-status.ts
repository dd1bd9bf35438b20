// A status in which no field is left out; what the schema does not declare would be dropped without a word.
import type { JobStatus, TFJobStatus } from '../../../src/api/types.ts'

const NOW = '2026-11-16T09:00:00Z'

export const fullStatus: Required<JobStatus> = {
  phase: 'Running',
  conditions: [
    {
      type: 'Running',
      status: 'True',
      reason: '-',
      message: 'All pods are running normally.',
      lastTransitionTime: NOW,
      lastUpdateTime: NOW,
    },
  ],
  tasks: [
    {
      type: 'worker',
      restartCount: 1,
      replicaStatus: [
        {
          name: 'seen-00000-worker-0',
          uid: 'a',
          phase: 'Running',
          containers: [{ name: 'main', state: 'Terminated', exitCode: 137 }],
          restartCount: 1,
          replaces: 'b',
          attempt: 2,
          setbacks: 2,
          restartAt: NOW,
          runningSince: NOW,
        },
      ],
    },
  ],
  aggregate: { creating: 0, pending: 0, running: 3, succeeded: 0, failed: 0, unknown: 0, deleted: 0 },
  backoffCount: 1,
  tensorboard: {
    name: 'seen-00000',
    action: 'NOP',
    dependent: {
      apiVersion: 'tensorstack.dev/v1beta1',
      kind: 'TensorBoard',
      name: 'seen-00000',
      namespace: 'kubectl',
      uid: 'c',
    },
    note: 'TensorBoard [seen-00000] is ready',
    ready: true,
    reason: 'DependentReady',
    type: 'Normal',
  },
  startTime: NOW,
  completionTime: NOW,
  observedGeneration: 1,
  activeSeconds: 1.5,
  activeSince: NOW,
  replicas: 4,
  selector: 'trainyard.dev/job-uid=a',
  resumed: true,
  underWay: true,
  finishedBy: 'Success',
}

export const fullTFJobStatus: Required<TFJobStatus> = {
  conditions: [
    {
      type: 'Created',
      status: 'True',
      reason: 'TFJobCreated',
      message: 'TFJob seen is created.',
      lastTransitionTime: NOW,
      lastUpdateTime: NOW,
    },
    {
      type: 'Running',
      status: 'True',
      reason: 'TFJobRunning',
      message: 'TFJob seen is running.',
      lastTransitionTime: NOW,
      lastUpdateTime: NOW,
    },
  ],
  replicaStatuses: { Worker: { active: 1, succeeded: 1, failed: 1, selector: 'a=b' } },
  startTime: NOW,
  completionTime: NOW,
  lastReconcileTime: NOW,
  trainyard: fullStatus,
}
