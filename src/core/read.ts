import type { GenericJob, PyTorchTrainingJob, TensorFlowTrainingJob, TFJob, TrainingJob } from '../api/types.ts'
import type { JobModel } from './job-model.ts'
import { readGeneric } from './kinds/generic.ts'
import { readPyTorch } from './kinds/pytorch.ts'
import { readTensorFlow } from './kinds/tensorflow.ts'
import { readTFJob } from './kinds/tfjob.ts'

/** One of the four kinds, as stored, as the engine sees it: spellings normalised, defaults applied. */
export function read(object: TrainingJob): JobModel {
  switch (object.kind) {
    case 'TensorFlowTrainingJob':
      return readTensorFlow(object as TensorFlowTrainingJob)
    case 'PyTorchTrainingJob':
      return readPyTorch(object as PyTorchTrainingJob)
    case 'GenericJob':
      return readGeneric(object as GenericJob)
    case 'TFJob':
      return readTFJob(object as TFJob)
    default:
      throw new TypeError(`not a training job: ${object.kind}`)
  }
}
