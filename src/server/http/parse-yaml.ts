import { type Document, isScalar, LineCounter, parseDocument, type Tags, visit, type YAMLParseError } from 'yaml'

export interface ParsedYaml {
  value: unknown
  /** One line for each key that stands twice in one map; the last one wins. */
  repeated: string[]
}

/** Why a text is no YAML, as Go's parser puts it. */
export class YamlProblem extends Error {}

/** What YAML 1.1 would make of dates, times and the like, Go's parser leaves as text. */
const LEFT_ALONE = ['timestamp', 'intTime', 'floatTime', 'binary', 'omap', 'pairs', 'set']
const NO_MATTER = ['MULTIPLE_DOCS', 'TAG_RESOLVE_FAILED']

/** The first document, read by the rules of YAML 1.1 as Kubernetes does: `yes` is true, `0777` is 511. */
export function parseYaml(text: string): ParsedYaml {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, {
    version: '1.1',
    lineCounter,
    // The parser would compare each key with every other one.
    uniqueKeys: false,
    customTags: (tags): Tags =>
      tags.filter((tag) => !LEFT_ALONE.some((name) => typeof tag === 'object' && isNamed(tag, name))),
  })
  const errors = document.errors.filter((error) => !NO_MATTER.includes(error.code))
  if (errors.length > 0) throw new YamlProblem(describe(text, errors))
  const repeated = [...repeatedKeys(document)].map(
    (at) => `line ${lineCounter.linePos(at).line}: key ${keyAt(text, at)} already set in map`,
  )
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) ?? null, repeated }
  } catch (error) {
    const name = /before the alias\): (.*)$/.exec((error as Error).message)?.[1]
    throw new YamlProblem(
      name ? `yaml: unknown anchor '${name}' referenced` : 'yaml: document contains excessive aliasing',
    )
  }
}

/** Where keys stand that their map has already. */
function repeatedKeys(document: Document): Set<number> {
  const found = new Set<number>()
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value) && key.value !== '<<') found.add(key.range?.[0] ?? 0)
        seen.add(key.value)
      }
    },
  })
  return found
}

const isNamed = (tag: { tag: string; format?: string | undefined }, name: string): boolean =>
  tag.tag.endsWith(`:${name}`) || (tag.format === 'TIME' && name.endsWith('Time'))

const keyAt = (text: string, at: number): string => JSON.stringify(/^["']?([^"':\s]*)/.exec(text.slice(at))?.[1] ?? '')

function describe(text: string, errors: readonly YAMLParseError[]): string {
  const [first] = errors
  const several = errors.find((error) => error.code === 'MULTILINE_IMPLICIT_KEY')
  const line = ((several?.linePos?.[1] ?? first?.linePos?.[0])?.line ?? 1) - 1
  // The end of the text counts as a line of its own.
  const end = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  // The scanner counts lines from one, the parser from nought; neither names the first.
  const scanner = (problem: string, at = line): string => `yaml: ${at > 0 ? `line ${at + 1}: ` : ''}${problem}`
  const parser = (problem: string, at = line): string => `yaml: ${at > 0 ? `line ${at}: ` : ''}${problem}`
  const message = first?.message ?? ''
  if (/^Nested mappings/.test(message)) return scanner('mapping values are not allowed in this context')
  if (first?.code === 'TAB_AS_INDENT' || first?.code === 'BAD_SCALAR_START')
    return scanner('found character that cannot start any token')
  if (/^Missing closing/.test(message)) return scanner('found unexpected end of stream', end - 1)
  if (first?.code === 'BAD_DIRECTIVE') return scanner('could not find expected directive name')
  if (/^Implicit map keys/.test(message)) return scanner("could not find expected ':'", line + 1)
  if (/^Flow/.test(message)) {
    if (/[[{,]\s*$/.test(text)) return parser('did not find expected node content', end)
    return parser(`did not find expected ',' or '${/sequence/.test(message) ? ']' : '}'}'`, end)
  }
  if (/^Unexpected flow/.test(message)) return parser('did not find expected node content')
  return parser(text.startsWith('- ') ? "did not find expected '-' indicator" : 'did not find expected key')
}
