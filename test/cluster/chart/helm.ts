import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { buildPrograms } from '../../../scripts/real/build.ts'
import { programPath } from '../../../scripts/real/places.ts'
import type { KubeObject } from '../../../src/kube/index.ts'

export const CHARTS = join(import.meta.dirname, '../../../deploy/charts')
const run = promisify(execFile)

/** Building it from nothing takes minutes. */
export function provideHelm(): Promise<unknown> {
  return buildPrograms(['helm'], () => {})
}

export async function helm(...args: string[]): Promise<string> {
  const { stdout } = await run(programPath('helm'), args, { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

export async function render(chart: string, namespace: string, values: readonly string[] = []): Promise<KubeObject[]> {
  const set = values.flatMap((value) => ['--set', value])
  const text = await helm(
    'template',
    'trainyard',
    join(CHARTS, chart),
    '-n',
    namespace,
    '--kube-version',
    '1.37',
    ...set,
  )
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    const object = document.toJS() as KubeObject | null
    return object ? [object] : []
  })
}
