import { ConnectionError } from './errors.ts'

/**
 * The values of a stream with one JSON document per line. Throws `cut` when the stream ends inside a line: what
 * came before has been handed out, what is missing must be asked for again.
 */
export async function* readJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  const decoder = new TextDecoder()
  // Pieces of the unfinished line are joined once it is whole: adding chunk to chunk would copy a long line again and again.
  let pieces: string[] = []
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      pieces.push(text.slice(from, end))
      from = end + 1
      const line = pieces.join('')
      pieces = []
      if (line.trim() !== '') yield parse(line)
    }
    if (from < text.length) pieces.push(text.slice(from))
  }
  const rest = pieces.join('').trim()
  if (rest === '') return
  // The last line may come without its line end; only half a document is a cut.
  let last: unknown
  try {
    last = JSON.parse(rest)
  } catch {
    throw new ConnectionError('cut', 'the watch ended in the middle of an event')
  }
  yield last
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new ConnectionError('garbled', 'the watch sent a line that is no JSON', { cause })
  }
}
