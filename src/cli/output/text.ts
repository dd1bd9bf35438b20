// Text on a page of limited width: measured as a terminal shows it, cut, wrapped, and without control characters.

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/u
const NO_WIDTH = /\p{Mark}|\u200b|\u200d/u

export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

function characterWidth(character: string): number {
  if (NO_WIDTH.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** A value from a manifest must not steer the terminal: control characters become visible ones. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, (character) => (character === '\t' ? ' ' : '\ufffd'))
}

export function cut(text: string, width: number, ellipsis: string): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  let used = ellipsis.length
  for (const character of text) {
    used += characterWidth(character)
    if (used > width) break
    kept += character
  }
  return kept + ellipsis
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text
}

/** Breaks between words; lines after the first are indented. A word longer than the page stands alone. */
export function wrap(text: string, width: number, indent = '  '): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const word of text.split(' ')) {
    const length = textWidth(word)
    if (line !== '' && used + 1 + length > width) {
      lines.push(line)
      line = indent + word
      used = indent.length + length
    } else if (line === '') {
      line = word
      used = length
    } else {
      line += ` ${word}`
      used += 1 + length
    }
  }
  return [...lines, line]
}
