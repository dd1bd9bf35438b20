// trainyard explain: a kind or one of its fields, laid out as `kubectl explain` does.
import { type Explained, type ExplainedField, explain } from '../api/explain.ts'
import type { CommandContext } from './context.ts'
import { refuse } from './jobs.ts'
import { renderData } from './output/data.ts'
import type { Style } from './output/terminal.ts'
import { wrap } from './output/text.ts'

export async function explainSubject(context: CommandContext, subject: string): Promise<number> {
  const { terminal, format, out } = context
  const explained = explain(subject)
  if (typeof explained === 'string') {
    await refuse(context, explained)
    return 1
  }
  terminal.out(format ? await renderData(explained, format) : renderExplained(explained, out))
  return 0
}

function renderExplained(explained: Explained, style: Style): string {
  const [group, version] = explained.apiVersion.split('/')
  const head = [`GROUP:      ${group}`, `KIND:       ${explained.kind}`, `VERSION:    ${version}`]
  const blocks = [head]
  if (explained.path.length > 0) blocks.push([`FIELD: ${fieldTitle(explained, ' ')}`])
  const description = details(explained, style)
  if (description.length > 0) blocks.push(['DESCRIPTION:', ...description])
  if (explained.fields.length > 0) {
    const fields = explained.fields.map((field) => [`  ${fieldTitle(field, '\t')}`, ...details(field, style), ''])
    blocks.push(['FIELDS:', ...fields.flat().slice(0, -1)])
  }
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function fieldTitle(field: ExplainedField, gap: string): string {
  return `${field.name}${gap}<${typeTitle(field.type)}>${field.required ? ' -required-' : ''}`
}

/** As kubectl writes types. */
function typeTitle(type: string): string {
  return type.replace(/object$/, 'Object').replace('int or string', 'IntOrString')
}

function details(field: ExplainedField, style: Style): string[] {
  const { minimum, maximum } = field
  const range = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ]
  const facts = [
    field.description,
    field.enum ? `One of ${field.enum.join(', ')}.` : '',
    range.length > 0 ? `A number of ${range.join(' and ')}.` : '',
    field.default === undefined ? '' : `Default: ${JSON.stringify(field.default)}`,
    field.deprecated ? `Deprecated: ${field.deprecated}` : '',
  ]
  return facts
    .filter((fact) => fact !== '')
    .flatMap((fact) => wrap(fact, style.width - 4, '').map((line) => `    ${line}`))
}
