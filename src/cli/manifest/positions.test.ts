import { expect, test } from 'vitest'
import type { Path } from '../../api/issue.ts'
import { parseDocuments } from './documents.ts'

const TEXT = `kind: Job
spec:
  list:
    - name: first
      port: 80
    - &second
      name: "second one"
  same: *second
  empty:
  text: |
    several
    lines
  flow: {a: 1, b: [x, y]}
  merged:
    <<: *second
    own: 1
`

function place(path: Path, atKey = false): string {
  const [document] = parseDocuments(TEXT).documents
  if (!document || !('value' in document)) throw new Error('the text is good')
  const { line, column, length } = document.locate(path, atKey)
  return `${line}:${column}+${length}`
}

test.each<[string, Path, boolean, string]>([
  ['a value', ['kind'], false, '1:7+3'],
  ['its key', ['kind'], true, '1:1+4'],
  ['a value in a list', ['spec', 'list', 0, 'port'], false, '5:13+2'],
  ['a quoted value', ['spec', 'list', 1, 'name'], false, '7:13+12'],
  ['an item', ['spec', 'list', 0], false, '4:7+11'],
  ['a list on the lines below: its key', ['spec', 'list'], false, '3:3+4'],
  ['an empty value: its key', ['spec', 'empty'], false, '9:3+5'],
  ['a block of text: where it starts', ['spec', 'text'], false, '10:9+1'],
  ['a flow list', ['spec', 'flow', 'b'], false, '13:19+6'],
  ['through an alias', ['spec', 'same', 'name'], false, '7:13+12'],
  ['through a merge', ['spec', 'merged', 'name'], false, '7:13+12'],
  ['a missing field: the key of its parent', ['spec', 'flow', 'c'], false, '13:3+4'],
  ['a missing field deep down', ['spec', 'nothing', 'there', 3], false, '2:1+4'],
  ['the document', [], false, '1:1+9'],
])('%s', (_, path, atKey, expected) => {
  expect(place(path, atKey)).toBe(expected)
})
