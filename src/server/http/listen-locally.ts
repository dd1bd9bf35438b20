// A socket in the server's own directory, for the commands of whoever owns it. The same requests with the same token, but
// no TLS: nobody else can open it, and a command spends more on encrypting a few requests than on all that they do.
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'

/** What fits into a socket's address everywhere, with its end. */
const LONGEST_PATH = 103

/** Resolves with its path, or with undefined where there cannot be one: the server is reached over TLS then. */
export async function listenLocally(server: Server, dir: string): Promise<string | undefined> {
  const path = join(dir, 'api.sock')
  if (process.platform === 'win32' || Buffer.byteLength(path) > LONGEST_PATH) return undefined
  // Left by a server that was killed: the directory has one server, and that is us.
  rmSync(path, { force: true })
  try {
    server.listen(path)
    await once(server, 'listening')
    chmodSync(path, 0o600)
    return path
  } catch {
    // Not every file system can hold one.
    server.close()
    return undefined
  }
}
