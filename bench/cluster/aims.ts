import type { Aim } from '../result.ts'
import { medianOf } from './median.ts'
import type { LoadFigures, RaceFigures } from './race.ts'

type Results = Record<string, readonly RaceFigures[]>

/** The aims that the contenders of this race can tell of. */
export function judge(results: Results): Aim[] {
  const has = (...names: string[]): boolean => names.every((name) => (results[name]?.length ?? 0) > 0)
  const of = (name: string, load: string, figure: (figures: LoadFigures) => number): number =>
    medianOf((results[name] ?? []).map(({ loads }) => figure(loads[load]!)))
  const against = (other: string, load: string, figure: (figures: LoadFigures) => number): number =>
    of('ours', load, figure) / of(other, load, figure)
  const firstPod = (figures: LoadFigures): number => figures.createdToFirstPod.p50
  const seconds = (figures: LoadFigures): number => figures.seconds
  const cpu = (figures: LoadFigures): number => figures.cpuSeconds
  const peak = (figures: LoadFigures): number => figures.peakMib
  const aims: Aim[] = []
  const add = (name: string, value: number, atMost: number, unit: string): void =>
    void aims.push({ name, value, atMost, unit })
  if (has('ours')) {
    for (const load of ['paced', 'burst']) {
      const requests = (kind: string) => of('ours', load, ({ kinds }) => kinds[kind]?.requestsPerJob ?? Number.NaN)
      add(`${load}: requests per PyTorchTrainingJob`, requests('PyTorchTrainingJob'), 9, '')
      add(`${load}: requests per TFJob`, requests('TFJob'), 12, '')
    }
    const toEnd = of('ours', 'burst', ({ masterDoneToSucceeded }) => masterDoneToSucceeded.p50)
    add('burst: master done → job Succeeded, p50', toEnd, 1000, 'ms')
  }
  if (has('ours', 'bare')) {
    add('paced: created → first pod p50, against the bare client', against('bare', 'paced', firstPod), 1.5, 'x')
    add('burst: time for all, against the bare client', against('bare', 'burst', seconds), 1.15, 'x')
    add('peak memory beyond the bare client', of('ours', 'burst', peak) - of('bare', 'burst', peak), 60, 'MiB')
  }
  if (has('ours', 'same'))
    add(
      'burst: time for all, against the bare client with the same objects',
      against('same', 'burst', seconds),
      1.15,
      'x',
    )
  if (has('ours', 'tuned')) {
    add('paced: created → first pod p50, against training-operator', against('tuned', 'paced', firstPod), 1, 'x')
    for (const load of ['paced', 'burst'])
      add(`${load}: CPU, against training-operator`, against('tuned', load, cpu), 0.5, 'x')
  }
  return aims
}
