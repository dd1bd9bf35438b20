// Good objects that leave out no field of ours.
import { generic, podgroup, pytorch, queue, tensorboard, tensorflow, tfjob } from './bases.ts'
import { change, type KubeObject } from './row.ts'

const scheduler = { t9kScheduler: { queue: 'q', Queue: 'q', priority: 5 } }

const board = {
  trainingLogFilesets: ['t9k://pvc/a/b'],
  logDir: {
    pvc: [{ name: 'claim', subPath: ['a'] }],
    s3: { secretRef: { name: 's' }, uri: ['s3://a'] },
    http: { url: ['http://a'] },
  },
  image: 'i',
  suspend: true,
  runMode: 'paused',
  scheduler,
  resources: { limits: { cpu: 1 } },
}

const runMode = {
  debug: {
    enable: false,
    enabled: false,
    replicaSpecs: [{ type: 'worker', skipInitContainer: true, command: ['sleep'] }],
  },
  pause: {
    enable: true,
    enabled: true,
    resumeSpecs: [{ type: 'worker', skipInitContainer: true, command: ['a'], args: ['b'] }],
  },
}

const runPolicy = {
  activeDeadlineSeconds: 60,
  backoffLimit: 3,
  cleanUpPolicy: 'all',
  ttlSecondsAfterFinished: 60,
  restartScope: 'Job',
}

export const full: KubeObject[] = [
  change(pytorch, {
    'metadata.name': 'full',
    'spec.replicaSpecs[0].replicas': 1,
    'spec.replicaSpecs[0].restartPolicy': 'Always',
    'spec.replicaSpecs[0].scalingWeight': 2,
    'spec.tensorboardSpec': board,
    'spec.runMode': runMode,
    'spec.runPolicy': runPolicy,
    'spec.scheduler': scheduler,
    'spec.elastic': { enable: true, enabled: true, minReplicas: 2, maxReplicas: 6, expectedReplicas: 4 },
    'spec.torchrunConfig': {
      enable: true,
      enabled: true,
      maxRestarts: 1,
      procPerNode: 'gpu',
      rdzvBackend: 'etcd',
      extraOptions: ['-x'],
      minNodes: 1,
    },
  }),
  change(tensorflow, {
    'metadata.name': 'full',
    'spec.replicaSpecs[0].replicas': 1,
    'spec.replicaSpecs[0].restartPolicy': 'Always',
    'spec.tensorboardSpec': board,
    'spec.runMode': runMode,
    'spec.runPolicy': runPolicy,
    'spec.scheduler': scheduler,
  }),
  change(generic, {
    'metadata.name': 'full',
    'spec.replicaSpecs[0].restartPolicy': { policy: 'Always', limit: 3 },
    'spec.service': { ports: [{ name: 'a', port: 80 }] },
    'spec.runMode': runMode,
    'spec.cleanUpPolicy': 'All',
    'spec.runPolicy': { cleanUpPolicy: 'All' },
    'spec.scheduler': scheduler,
    'spec.ttlSecondsAfterFinished': 60,
    'spec.restartScope': 'Job',
  }),
  change(tfjob, {
    'metadata.name': 'full',
    'spec.tfReplicaSpecs.Worker.restartPolicy': 'Always',
    'spec.activeDeadlineSeconds': 60,
    'spec.backoffLimit': 3,
    'spec.cleanPodPolicy': 'All',
    'spec.ttlSecondsAfterFinished': 60,
    'spec.runPolicy': {
      activeDeadlineSeconds: 60,
      backoffLimit: 3,
      cleanPodPolicy: 'All',
      ttlSecondsAfterFinished: 60,
      suspend: true,
      managedBy: 'kubeflow.org/training-operator',
      restartScope: 'Job',
      schedulingPolicy: {
        minAvailable: 1,
        queue: 'q',
        minResources: { cpu: 1 },
        priorityClass: 'p',
        scheduleTimeoutSeconds: 5,
      },
    },
    'spec.successPolicy': 'AllWorkers',
    'spec.enableDynamicWorker': true,
    'spec.edition': 'v1',
  }),
  change(podgroup, {
    spec: {
      minMember: 1,
      roles: [{ name: 'a', minMember: 1 }],
      queue: 'q',
      priority: 5,
      topologyPolicy: {},
      finished: true,
    },
  }),
  change(queue, {
    spec: {
      quota: { requests: { cpu: 1 } },
      requests: { cpu: 1 },
      priority: 5,
      preemptible: true,
      closed: true,
      maxDuration: '1d',
      resourceShapeProfile: 'p',
      nodeSelector: { matchLabels: { a: 'b' } },
      namespaceSelector: { matchLabels: { a: 'b' } },
    },
  }),
  change(tensorboard, { spec: board }),
]
