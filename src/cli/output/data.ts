// `-o json` and `-o yaml`: for machines, complete, never cut or coloured.
import { UsageError } from '../usage-error.ts'

export type DataFormat = 'json' | 'yaml'

export function dataFormat(text: string | undefined): DataFormat | undefined {
  if (text === undefined) return undefined
  if (text === 'json' || text === 'yaml') return text
  throw new UsageError(`-o ${text}: the formats are json and yaml`)
}

export async function renderData(value: unknown, format: DataFormat): Promise<string> {
  if (format === 'json') return `${JSON.stringify(value, null, 2)}\n`
  const { stringify } = await import('yaml')
  // Quoted for YAML 1.1, so that kubectl, too, reads the text "on" or "0644" back as a text.
  return stringify(value, { version: '1.1', aliasDuplicateObjects: false, lineWidth: 0 })
}
