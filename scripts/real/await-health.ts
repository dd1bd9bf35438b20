import http from 'node:http'
import https from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive, lastLines, type ProcessRecord } from './processes.ts'

// On a machine with nothing to spare an apiserver was seen to need 75 s.
const PATIENCE_MS = 120_000

export interface Identity {
  cert: string
  key: string
}

/** Asks until the answer is 200; gives up at once when the process has ended. */
export async function awaitHealth(record: ProcessRecord, url: string, identity: Identity): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  for (let answer = await ask(url, identity); answer !== 200; answer = await ask(url, identity)) {
    if (!isAlive(record)) throw new Error(`${record.name} has ended; its last lines:\n${lastLines(record, 20)}`)
    if (performance.now() > end)
      throw new Error(
        `${record.name} is not ready after ${PATIENCE_MS / 1000} s; its last lines:\n${lastLines(record, 20)}`,
      )
    await delay(100)
  }
}

function ask(url: string, { cert, key }: Identity): Promise<number | undefined> {
  // Which certificate the parts show is their own affair; who we are is what lets us in.
  const options = { cert, key, rejectUnauthorized: false, timeout: 5_000, agent: false as const }
  return new Promise((resolve) => {
    const request = (url.startsWith('https:') ? https : http).get(url, options, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
  })
}
