// `subPath` may be a text or a list in either casing, which no structural schema can say.
import type { Issue, Path } from '../issue.ts'
import { quote } from '../schema/finding.ts'
import type { TensorBoardSpec } from '../types.ts'
import { fault } from './check-templates.ts'

export function* checkTensorBoard(spec: TensorBoardSpec | undefined, path: Path): Generator<Issue> {
  for (const [i, volume] of (spec?.logDir?.pvc ?? []).entries()) {
    const at = [...path, 'logDir', 'pvc', i]
    for (const key of ['subPath', 'subpath'] as const) {
      const value: unknown = volume[key]
      if (value === undefined || typeof value === 'string') continue
      if (!Array.isArray(value)) yield fault([...at, key], `${quote(value)} is neither a folder nor a list of folders`)
      else
        for (const [j, folder] of value.entries())
          if (typeof folder !== 'string') yield fault([...at, key, j], `${quote(folder)} is not a text`)
    }
    if (volume.subPath !== undefined && volume.subpath !== undefined)
      yield fault([...at, 'subpath'], 'stands beside subPath{seeAlone}; both spellings mean the same, keep one', {
        see: [...at, 'subPath'],
      })
  }
  if (spec?.runMode && spec.suspend !== undefined && (spec.runMode === 'paused') !== spec.suspend)
    yield fault(
      [...path, 'runMode'],
      `"${spec.runMode}" contradicts suspend: ${spec.suspend}{seeAlone}; keep suspend`,
      { see: [...path, 'suspend'] },
    )
}
