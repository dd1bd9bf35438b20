import type { IncomingMessage } from 'node:http'
import { badRequest, StatusError } from '../status-error.ts'

export const BODY_LIMIT = 3 * 1024 * 1024

/** What is too long is refused without being kept. */
export async function readBytes(req: IncomingMessage): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > BODY_LIMIT) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_LIMIT) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The whole body as text. */
export async function readBody(req: IncomingMessage): Promise<string> {
  const bytes = await readBytes(req)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest('the request body is not valid UTF-8')
  }
}

const tooLarge = (): StatusError =>
  new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${BODY_LIMIT}`)
