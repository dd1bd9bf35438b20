import type { Stage } from './stage.ts'

/** One promise of the API, named by the seed's field it belongs to. */
export interface Row {
  kind: 'TensorFlowTrainingJob' | 'PyTorchTrainingJob' | 'GenericJob' | 'TFJob'
  /** As in the list of the seeds' fields. */
  field: string
  /** Other fields it shows on the way. */
  also?: string[]
  what: string
  play(stage: Stage): Promise<void>
}
