// Header blocks of SPDY/3: name and value pairs, compressed over the life of a connection with a dictionary that the
// protocol fixes.
import { constants, createDeflate, createInflate } from 'node:zlib'

const names =
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow authorization ' +
  'cache-control connection content-base content-encoding content-language content-length content-location content-md5 ' +
  'content-range content-type date etag expect expires from host if-match if-modified-since if-none-match if-range ' +
  'if-unmodified-since last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer ' +
  'retry-after server te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate method get status'
const more = ['200 OK', 'version', 'HTTP/1.1', 'url', 'public', 'set-cookie', 'keep-alive', 'origin']
const rest =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authoritative ' +
  'Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found500 Internal ' +
  'Server Error501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, ' +
  'Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,' +
  'application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8' +
  'charset=iso-8859-1,utf-,*,enq=0.'

export const spdyDictionary = Buffer.concat([...[...names.split(' '), ...more].map(withLength), Buffer.from(rest)])

export class HeaderCodec {
  readonly #inflate = createInflate({
    dictionary: spdyDictionary,
    finishFlush: constants.Z_SYNC_FLUSH,
    flush: constants.Z_SYNC_FLUSH,
  })
  readonly #deflate = createDeflate({ dictionary: spdyDictionary, flush: constants.Z_SYNC_FLUSH })

  async decode(block: Buffer): Promise<Record<string, string>> {
    const bytes = await push(this.#inflate, block)
    const headers: Record<string, string> = {}
    let at = 4
    const next = () => {
      const length = bytes.readUInt32BE(at)
      const text = bytes.toString('utf8', at + 4, at + 4 + length)
      at += 4 + length
      return text
    }
    for (let left = bytes.readUInt32BE(0); left > 0; left--) headers[next().toLowerCase()] = next()
    return headers
  }

  encode(headers: Record<string, string>): Promise<Buffer> {
    const pairs = Object.entries(headers)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(pairs.length)
    return push(this.#deflate, Buffer.concat([count, ...pairs.flat().map(withLength)]))
  }

  close(): void {
    this.#inflate.destroy()
    this.#deflate.destroy()
  }
}

/** Everything the transform makes of these bytes. */
function push(transform: ReturnType<typeof createInflate>, bytes: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = []
  const collect = (chunk: Buffer) => chunks.push(chunk)
  return new Promise((resolve, reject) => {
    transform.on('data', collect).once('error', reject)
    transform.write(bytes, () => {
      transform.off('data', collect).off('error', reject)
      resolve(Buffer.concat(chunks))
    })
  })
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
