// The picture `plan` draws of one job.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { KubeObject } from '../../api/types.ts'
import type { JobModel, Rule } from '../../core/job-model.ts'
import { placesOf } from '../../core/slots.ts'
import type { Style } from '../output/terminal.ts'
import { printable, wrap } from '../output/text.ts'
import { renderEnvironment } from './environment-matrix.ts'
import { renderObjects } from './objects-table.ts'
import { slotRanges } from './ranges.ts'

export function renderPlan(model: JobModel, objects: readonly KubeObject[], style: Style): string {
  const replicas = new Map(placesOf(model).map((place) => [place.podName, place]))
  const pods = objects.filter((object) => object.kind === 'Pod') as Pod[]
  const title = wrap(printable(headline(model, objects)), style.width)
  title[0] = title[0]!.replace(` ${model.name}:`, () => ` ${style.paint('bold', model.name)}:`)
  // A job that is created paused has nothing to show yet.
  if (objects.length === 0) return `${title.join('\n')}\n`
  const blocks = [[...title, ...renderObjects(model, objects, replicas, style)]]
  const environment = renderEnvironment(model, pods, replicas, style)
  if (environment.length > 0) blocks.push(environment)
  blocks.push(wrap(closing(model), style.width, '').map((line) => style.paint('dim', line)))
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function headline(model: JobModel, objects: readonly KubeObject[]): string {
  const counts = [
    count(objects, 'Pod', 'pod'),
    count(objects, 'Service', 'service'),
    count(objects, 'PodGroup', 'pod group'),
    count(objects, 'TensorBoard', 'TensorBoard'),
  ].filter((text) => text !== '')
  const parts = [
    counts.length > 0 ? counts.join(', ') : 'nothing is made',
    ...modeWords(model),
    successWords(model.success),
  ]
  return `${model.kind} ${model.name}: ${parts.join('; ')}`
}

function count(objects: readonly KubeObject[], kind: string, word: string): string {
  const number = objects.filter((object) => object.kind === kind).length
  return number === 0 ? '' : `${number} ${word}${number === 1 ? '' : 's'}`
}

function modeWords(model: JobModel): string[] {
  if (model.managedByOther) return ['another controller looks after it']
  if (model.paused) return ['paused, its pods come when it is resumed']
  if (model.debug) return ['in debug mode']
  if (model.elastic) return [`elastic, ${model.elastic.min} to ${model.elastic.max} nodes`]
  return []
}

function successWords(rules: readonly Rule[]): string {
  const ways = rules.map(({ slots }) => {
    const ranges = slotRanges(slots)
    const list = ranges.length > 1 ? `${ranges.slice(0, -1).join(', ')} and ${ranges.at(-1)}` : ranges.join('')
    return `${list} ${slots.length === 1 ? 'does' : 'do'}`
  })
  return `succeeds when ${ways.join(', or ')}`
}

function closing(model: JobModel): string {
  const star = model.kind === 'TFJob' ? '' : '* is fixed when the job is created. '
  const peers = model.environment.framework === 'generic' && !model.environment.service
  const ports = peers
    ? ''
    : 'On one machine the names and ports above become free loopback ports when a replica starts. '
  return `${star}${ports}Complete objects: -o yaml`
}
