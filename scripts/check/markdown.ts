// What `npm run check` needs to know of a Markdown file: its links, its headings, its fenced blocks.

export interface Link {
  target: string
  line: number
}

export interface Fence {
  language: string
  text: string
  line: number
}

const INLINE_LINK = /!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)/g
const DEFINITION = /^\[[^\]]+\]:\s*<?([^\s>]+)>?/

export function readMarkdown(text: string): { links: Link[]; anchors: Set<string>; fences: Fence[] } {
  const links: Link[] = []
  const anchors = new Set<string>()
  const fences: Fence[] = []
  let open: { marker: string; fence: Fence } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const marker = line.match(/^\s*(`{3,}|~{3,})\s*(\S*)/)
    if (open) {
      if (marker?.[1]?.startsWith(open.marker) && !marker[2]) {
        fences.push(open.fence)
        open = undefined
      } else open.fence.text += `${line}\n`
      continue
    }
    if (marker) {
      open = { marker: marker[1]!, fence: { language: marker[2] ?? '', text: '', line: index + 1 } }
      continue
    }
    const heading = line.match(/^#{1,6}\s+(.*)$/)?.[1]
    if (heading) anchors.add(anchorOf(heading, anchors))
    const prose = line.replace(/`[^`]*`/g, '')
    for (const match of prose.matchAll(INLINE_LINK)) links.push({ target: match[1]!, line: index + 1 })
    const definition = prose.match(DEFINITION)
    if (definition) links.push({ target: definition[1]!, line: index + 1 })
  }
  return { links, anchors, fences }
}

/** The anchor a forge gives a heading: lower case, blanks to hyphens, punctuation gone, repeats numbered. */
function anchorOf(heading: string, taken: Set<string>): string {
  const plain = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
  let anchor = plain
  for (let n = 1; taken.has(anchor); n++) anchor = `${plain}-${n}`
  return anchor
}
