import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { closingLine } from '../closing-line.ts'
import { type Endpoint, send } from '../parity/endpoint.ts'
import { type Deed, judgeHistory, type Seen } from './history.ts'

const KILLS = Number(process.env.TRAINYARD_KILLS ?? 10)
const WRITERS = 4
const MAPS = '/api/v1/namespaces/default/configmaps'

interface Child extends Endpoint {
  process: ChildProcess
}

async function startChild(dir: string): Promise<Child> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'store-writer.ts'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [string]
  return { ...(JSON.parse(line) as Endpoint), process: child, agent: new Agent({ keepAlive: true }) }
}

/** Writes until the server is gone; notes what was acknowledged. */
async function write(child: Child, writer: number, round: number, deeds: Deed[]): Promise<void> {
  for (let n = 0; ; n++) {
    const name = `w${writer}-${n % 5}`
    const value = round * 100_000 + n
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value: String(value) } }
    const deed: Deed = { name, value, revision: undefined }
    deeds.push(deed)
    try {
      const path = `${MAPS}/${name}?fieldManager=w${writer}&force=true`
      const answer = await send(child, {
        method: 'PATCH',
        path,
        body,
        headers: { 'content-type': 'application/apply-patch+yaml' },
      })
      const { metadata } = answer.body as { metadata?: { resourceVersion?: string } }
      if (answer.code >= 300) throw new Error(`status ${answer.code}`)
      deed.revision = Number(metadata?.resourceVersion)
    } catch {
      return
    }
  }
}

interface Listed {
  metadata: { name: string; resourceVersion: string }
  data: { value: string }
}

const toSeen = (type: string, object: Listed): Seen => ({
  type,
  name: object.metadata.name,
  value: Number(object.data.value),
  revision: Number(object.metadata.resourceVersion),
})

async function readFinal(child: Child): Promise<Map<string, Seen>> {
  const { body } = await send(child, { method: 'GET', path: MAPS, headers: {} })
  return new Map((body as { items: Listed[] }).items.map((item) => [item.metadata.name, toSeen('', item)]))
}

test(`what was acknowledged survives ${KILLS} kills, and every watch tells all of it once and in order`, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-crash-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const deeds: Deed[] = []
  for (let round = 1; round <= KILLS; round++) {
    const child = await startChild(dir)
    const writers = Array.from({ length: WRITERS }, (_, i) => write(child, i, round, deeds))
    // Somewhere between the first write and many: the moment differs from round to round.
    await delay(20 + ((round * 37) % 200))
    child.process.kill('SIGKILL')
    await Promise.all([once(child.process, 'exit'), ...writers])
  }
  const child = await startChild(dir)
  onTestFinished(() => {
    child.process.kill('SIGKILL')
  })
  const final = await readFinal(child)
  const path = `${MAPS}?watch=true&resourceVersion=1&timeoutSeconds=2`
  const watched = await Promise.all(
    [1, 2].map(() => send(child, { method: 'GET', path, headers: {}, events: 1_000_000 })),
  )
  const watches = watched.map(({ body }) =>
    (body as Array<{ type: string; object: Listed }>).map((e) => toSeen(e.type, e.object)),
  )
  expect(judgeHistory(deeds, watches, final)).toEqual([])
  const done = deeds.filter((deed) => deed.revision !== undefined).length
  expect(done).toBeGreaterThan(KILLS)
  closingLine(
    `test:crash store: ${KILLS} kills, ${done} acknowledged writes, none lost, ${watches[0]?.length ?? 0} events told`,
  )
})
