// Holds the table against the seeds' fields, and each test against the absence of its field.
import { type FieldTest, World } from './field-test.ts'

export interface Verdict {
  /** Each a line; none: all is well. */
  problems: string[]
  fields: number
}

/** `textOf`: a file's text, or undefined if there is none. */
export function checkTable(
  table: Record<string, readonly FieldTest[]>,
  seeds: Record<string, readonly string[]>,
  textOf: (file: string) => string | undefined,
): Verdict {
  const problems: string[] = []
  let fields = 0
  for (const [kind, wanted] of Object.entries(seeds)) {
    const rows = Map.groupBy(table[kind] ?? [], ({ field }) => field)
    fields += wanted.length
    for (const field of wanted) {
      const found = rows.get(field) ?? []
      if (found.length !== 1) problems.push(`${kind} ${field}: ${found.length} tests instead of one`)
    }
    for (const [field, [row]] of rows) {
      const complaint = wanted.includes(field) ? checkRow(row!, textOf) : 'is no field of the seeds'
      if (complaint) problems.push(`${kind} ${field}: ${complaint}`)
    }
  }
  return { problems, fields }
}

function checkRow(row: FieldTest, textOf: (file: string) => string | undefined): string | undefined {
  const text = textOf(row.code)
  if (text === undefined) return `there is no ${row.code}`
  const word = row.field.split('.').at(-1)!.replace('[]', '')
  if (!new RegExp(`\\b${word}\\b`).test(text)) return `${row.code} does not speak of ${word}`
  const failure = failureOf(row)
  if (failure) return `"${row.test}" fails: ${failure}`
  return failureOf(row, row.field) ? undefined : `"${row.test}" passes without its field`
}

function failureOf({ run }: FieldTest, missing?: string): string | undefined {
  try {
    run(new World(missing))
    return undefined
  } catch (error) {
    return (error as Error).message || 'without a message'
  }
}
