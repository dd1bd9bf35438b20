/** Replaces `$(NAME)` as Kubernetes does: an unknown name stays as it is, `$$` is one `$` and ends the reference. */
export function expand(text: string, lookUp: (name: string) => string | undefined): string {
  let result = ''
  let i = 0
  while (i < text.length) {
    const char = text[i]!
    const next = text[i + 1]
    if (char !== '$' || next === undefined) {
      result += char
      i += 1
    } else if (next === '$') {
      result += '$'
      i += 2
    } else if (next === '(') {
      const end = text.indexOf(')', i + 2)
      if (end < 0) {
        // Not a reference after all: the rest of the text is read on behind the parenthesis.
        result += '$('
        i += 2
      } else {
        const name = text.slice(i + 2, end)
        result += lookUp(name) ?? `$(${name})`
        i = end + 1
      }
    } else {
      result += char + next
      i += 2
    }
  }
  return result
}
