// Every kind we define: what it is called, its versions and schemas, what kubectl shows of it.

import {
  jobColumns,
  type PrinterColumn,
  podGroupColumns,
  queueColumns,
  tensorBoardColumns,
  tfJobColumns,
} from './columns.ts'
import { genericJob } from './generic/schema.ts'
import { podGroup } from './podgroup/schema.ts'
import { pyTorchTrainingJob } from './pytorch/schema.ts'
import { queue } from './queue/schema.ts'
import type { Schema } from './schema/schema.ts'
import { tensorBoard } from './tensorboard/schema.ts'
import { tensorFlowTrainingJob } from './tensorflow/schema.ts'
import { tfJob } from './tfjob/schema.ts'

export interface KindVersion {
  name: string
  storage: boolean
  schema: Schema
}

export interface Kind {
  kind: string
  group: string
  plural: string
  singular: string
  shortNames: string[]
  categories: string[]
  /** The newest first. */
  versions: KindVersion[]
  columns: PrinterColumn[]
  scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath: string }
  /** One of the four job kinds. */
  job: boolean
}

const BATCH = 'batch.tensorstack.dev'

function kind(group: string, name: string, schema: Schema, rest: Partial<Kind>): Kind {
  return {
    kind: name,
    group,
    plural: `${name.toLowerCase()}s`,
    singular: name.toLowerCase(),
    shortNames: [],
    categories: [],
    versions: [{ name: 'v1beta1', storage: true, schema }],
    columns: [],
    job: false,
    ...rest,
  }
}

const job = { job: true, categories: ['all', 'trainyard'], columns: jobColumns }

export const kinds: Kind[] = [
  kind(BATCH, 'TensorFlowTrainingJob', tensorFlowTrainingJob, { ...job, shortNames: ['tj', 'tftj'] }),
  kind(BATCH, 'PyTorchTrainingJob', pyTorchTrainingJob, {
    ...job,
    shortNames: ['pj', 'ptj'],
    scale: {
      specReplicasPath: '.spec.elastic.expectedReplicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  }),
  kind(BATCH, 'GenericJob', genericJob, { ...job, shortNames: ['gj'] }),
  kind(
    'kubeflow.org',
    'TFJob',
    {},
    {
      ...job,
      columns: tfJobColumns,
      versions: [
        { name: 'v1', storage: true, schema: tfJob('v1') },
        { name: 'v1beta2', storage: false, schema: tfJob('v1beta2') },
      ],
    },
  ),
  kind('scheduler.tensorstack.dev', 'PodGroup', podGroup, { columns: podGroupColumns }),
  kind('scheduler.tensorstack.dev', 'Queue', queue, { columns: queueColumns }),
  kind('tensorstack.dev', 'TensorBoard', tensorBoard, { columns: tensorBoardColumns }),
]

export interface KnownKind extends Kind {
  apiVersion: string
  version: KindVersion
}

/** The kind an object says it is, at the version it says, or undefined when it is none of ours. */
export function kindOf(apiVersion: unknown, kindName: unknown): KnownKind | undefined {
  for (const candidate of kinds) {
    if (candidate.kind !== kindName) continue
    const version = candidate.versions.find((v) => `${candidate.group}/${v.name}` === apiVersion)
    if (version) return { ...candidate, apiVersion: `${candidate.group}/${version.name}`, version }
  }
  return undefined
}
