import { checkOf } from '../api/checks.ts'
import type { GenericJob, PyTorchTrainingJob, TensorFlowTrainingJob, TFJob, TrainingJob } from '../api/types.ts'
import type { JobModel } from './job-model.ts'
import { readGeneric } from './kinds/generic.ts'
import { readPyTorch } from './kinds/pytorch.ts'
import { readTensorFlow } from './kinds/tensorflow.ts'
import { readTFJob } from './kinds/tfjob.ts'

/**
 * One of the four kinds, as stored, as the engine sees it: spellings normalised, defaults applied. What schemas and CEL
 * could not refuse is among its problems.
 */
export function read(object: TrainingJob): JobModel {
  const model = readKind(object)
  const issues = checkOf(model.kind, object)
  return {
    ...model,
    problems: issues.filter((issue) => issue.severity === 'error'),
    warnings: issues.filter((issue) => issue.severity === 'warning'),
  }
}

function readKind(object: TrainingJob): JobModel {
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
