// Fails to compile when the schemas and src/api/types.ts part. Spelled-out values (unions of texts) count as texts.
import type * as schemas from '../../gen/api-types.ts'
import type * as types from '../../src/api/types.ts'

type Loose<T> = T extends string
  ? string
  : T extends ReadonlyArray<infer Item>
    ? Loose<Item>[]
    : T extends object
      ? { [Key in keyof T]: Loose<T[Key]> }
      : T

type Same<A, B> =
  (<T>() => T extends Loose<A> ? 1 : 2) extends <T>() => T extends Loose<B> ? 1 : 2
    ? true
    : { inTypes: Loose<A>; inSchema: Loose<B> }

export const agree: {
  TensorFlowTrainingJobSpec: Same<types.TensorFlowTrainingJobSpec, schemas.TensorFlowTrainingJobSpec>
  PyTorchTrainingJobSpec: Same<types.PyTorchTrainingJobSpec, schemas.PyTorchTrainingJobSpec>
  GenericJobSpec: Same<types.GenericJobSpec, schemas.GenericJobSpec>
  TFJobSpec: Same<types.TFJobSpec, schemas.TFJobSpec>
  TensorBoardSpec: Same<types.TensorBoardSpec, schemas.TensorBoardSpec>
  JobStatus: Same<types.JobStatus, schemas.PyTorchTrainingJobStatus>
  TFJobStatus: Same<types.TFJobStatus, schemas.TFJobStatus>
} = {
  TensorFlowTrainingJobSpec: true,
  PyTorchTrainingJobSpec: true,
  GenericJobSpec: true,
  TFJobSpec: true,
  TensorBoardSpec: true,
  JobStatus: true,
  TFJobStatus: true,
}
