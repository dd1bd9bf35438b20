// What is wrong with a piece of YAML, in our words. The parser's own are written for people who write parsers.
import type { YAMLError } from 'yaml'

export const TEMPLATE = 'this is a template ("{{"); render it first, then hand over the result'
export const TOO_DEEP = 'the document is nested too deeply; no manifest needs that'

const BY_CODE: Record<string, string> = {
  TAB_AS_INDENT: 'a tab indents this line; YAML wants spaces',
  BAD_INDENT: 'the indentation does not fit the lines above',
  BLOCK_IN_FLOW: 'indented lines cannot stand between [ ] or { }; is a "," missing?',
  MULTILINE_IMPLICIT_KEY: 'a key must stand on one line and end with ":"; is a ":" missing?',
  KEY_OVER_1024_CHARS: 'a key has more than 1024 characters; is a quote or a line break missing?',
  MULTIPLE_ANCHORS: 'a value can have only one anchor (&)',
  MULTIPLE_TAGS: 'a value can have only one tag (!)',
  ALIAS_PROPS: 'an alias (*) cannot have an anchor or a tag of its own',
  BAD_PROP_ORDER: 'anchors (&) and tags (!) stand after "- ", "? " or ": "',
  BAD_ALIAS: 'an anchor (&) or alias (*) needs a name',
  BAD_DIRECTIVE: 'a line starting with "%" is a YAML directive, and this one is unknown',
  BAD_SCALAR_START: 'a value cannot start with this character; put the value in quotes',
  TAG_RESOLVE_FAILED: 'the tag does not fit its value',
  BAD_COLLECTION_TYPE: 'the tag does not fit its value',
  UNEXPECTED_TOKEN: 'this does not belong here; is a quote, a line break or a ":" missing?',
  RESOURCE_EXHAUSTION: TOO_DEEP,
}

/** The first pattern that fits the parser's message decides; its messages are told apart nowhere else. */
const BY_MESSAGE: Array<[RegExp, string | ((match: RegExpExecArray) => string)]> = [
  [/^Missing closing (['"])/, (match) => `the closing ${match[1]} is missing`],
  [
    /(?:must|and) end with a (.)$/,
    (match) => `a "${match[1]}" is missing, or the lines before it are indented too little`,
  ],
  [/^Implicit map keys need/, 'a ":" is missing after this key'],
  [
    /^Nested mappings are not allowed/,
    'a second ":" in one line; put the value in quotes or the inner key on its own line',
  ],
  [
    /^A block sequence may not be|^Unexpected block-seq-ind on same line/,
    'a list cannot start here; put the first "-" on a line of its own',
  ],
  [/^Missing , (or : )?between/, 'a "," is missing between two items'],
  [/^Unexpected empty item/, 'there is a "," too many'],
  [/^Unexpected , in/, 'there is a "," too many'],
  [/^Missing space after/, 'a blank is missing after ":"'],
  [/^Comments must be separated/, 'a blank is missing before "#"'],
  [/^Missing directives-end/, 'a line "---" is missing after the directives'],
  [/^Block collection cannot start/, 'what follows "---" must start on a line of its own'],
  [/^Tags and anchors must be/, 'a blank is missing after the anchor (&) or tag (!)'],
  [/^Sequence item without/, 'a "-" is missing before this item'],
  [/^Block scalar header/, 'only an indentation and + or - may follow | or > on the same line'],
  [
    /^Invalid escape sequence (.*)$/s,
    (match) => `${match[1]} is no escape in double quotes; use single quotes for a plain \\`,
  ],
  [/^Plain value cannot start with (.+)$/, (match) => `a value cannot start with ${bare(match[1]!)}; put it in quotes`],
  [/^Block scalars with/, 'the empty lines above are indented deeper than the text that follows them'],
  [/^Multi-line/, 'the indentation does not fit the lines above'],
]

export function isNeverClosed(error: YAMLError): boolean {
  return /^Missing closing|(?:must|and) end with a .$/.test(error.message)
}

/** `line` is the one the error starts in, `rest` what of it stands behind the place. */
export function wordsFor(error: YAMLError, line: string, rest: string): string {
  // Helm and its kin: every error in such a line is a consequence of this one.
  if (line.includes('{{')) return TEMPLATE
  if (error.message.startsWith('Nested mappings') && !/:(\s|$)/.test(rest)) {
    return 'the next line is indented deeper, but its key has a value already'
  }
  for (const [pattern, words] of BY_MESSAGE) {
    const match = pattern.exec(error.message)
    if (match) return typeof words === 'string' ? words : words(match)
  }
  return BY_CODE[error.code] ?? 'this is no YAML'
}

function bare(described: string): string {
  return /[`@%|>]/.exec(described)?.[0] ?? described
}
