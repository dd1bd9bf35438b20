// `-o` of the commands that show objects of the API.

import { kinds } from '../../api/kinds.ts'
import type { KubeObject } from '../../kube/index.ts'
import { type CommandContext, contextFor } from '../context.ts'
import { renderData } from '../output/data.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../usage-error.ts'

export interface ShowContext extends CommandContext {
  /** Names only, as `kind.group/name`. */
  names: boolean
  /** The picture with more columns. */
  wide: boolean
}

export function showContextFor(
  terminal: Terminal,
  options: { output?: string; color?: string | boolean },
): ShowContext {
  const { output } = options
  if (output !== undefined && !['json', 'yaml', 'name', 'wide'].includes(output)) {
    throw new UsageError(`-o ${output}: the formats are json, yaml, name and wide`)
  }
  const data = output === 'json' || output === 'yaml' ? output : undefined
  return {
    ...contextFor(terminal, { ...options, output: data }),
    names: output === 'name',
    wide: output === 'wide',
  }
}

/** `pytorchtrainingjob.batch.tensorstack.dev/digits`, `configmap/digits-code`. */
export function fullName({ apiVersion, kind, metadata }: KubeObject): string {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : undefined
  const singular = kinds.find((each) => each.kind === kind && each.group === group)?.singular ?? kind.toLowerCase()
  return `${singular}${group ? `.${group}` : ''}/${metadata.name}`
}

/** One object alone, several as a List, as kubectl does; false if the picture was asked for. */
export async function showObjects(
  { terminal, format, names }: ShowContext,
  objects: readonly KubeObject[],
  alone: boolean,
): Promise<boolean> {
  if (names) for (const object of objects) terminal.out(`${fullName(object)}\n`)
  else if (format) {
    const list = { apiVersion: 'v1', kind: 'List', metadata: {}, items: objects }
    terminal.out(await renderData(alone && objects.length === 1 ? objects[0] : list, format))
  } else return false
  return true
}
