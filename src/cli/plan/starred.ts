import type { JobModel } from '../../core/job-model.ts'

/** The hash in names depends on the job's uid, which it does not have yet: a star stands for it. */
export function starred(model: JobModel, text: string): string {
  return model.kind === 'TFJob' ? text : text.replaceAll(`${model.name}-${model.hash}`, `${model.name}-*`)
}
