import { expect, test } from 'vitest'
import { readMarkdown } from './markdown.ts'

const TEXT = `# One & Two

See [this](a.md#b), [that](<c.md> "title") and \`[not](this)\`.

\`\`\`yaml
apiVersion: v1
[neither](this)
\`\`\`

## One & Two

[name]: other.md
    [indented](code.md) counts
~~~
\`\`\`
~~~
`

test('finds links, but not in code', () => {
  const { links } = readMarkdown(TEXT)
  expect(links.map(({ target }) => target)).toEqual(['a.md#b', 'c.md', 'other.md', 'code.md'])
  expect(links[0]?.line).toBe(3)
})

test('gives headings the anchors a forge gives them', () => {
  expect([...readMarkdown(TEXT).anchors]).toEqual(['one--two', 'one--two-1'])
})

test('finds fenced blocks with their language and line', () => {
  expect(readMarkdown(TEXT).fences).toEqual([
    { language: 'yaml', text: 'apiVersion: v1\n[neither](this)\n', line: 5 },
    { language: '', text: '```\n', line: 14 },
  ])
})
