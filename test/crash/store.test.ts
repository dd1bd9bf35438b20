import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { STORE_POINTS } from '../../src/server/store/store.ts'
import { closingLine } from '../closing-line.ts'
import { type Endpoint, send } from '../parity/endpoint.ts'
import { type Deed, judgeHistory, type Seen } from './history.ts'

const KILLS = Number(process.env.TRAINYARD_KILLS ?? 10)
const WRITERS = 4
const MAPS = '/api/v1/namespaces/default/configmaps'

interface Child extends Endpoint {
  process: ChildProcess
}

async function startChild(dir: string, ...more: string[]): Promise<Child> {
  const args = [join(import.meta.dirname, 'store-writer.ts'), dir, ...more]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
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

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-crash-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** Four clients write until the server is no more. */
async function writeUntilGone(child: Child, round: number, deeds: Deed[]): Promise<void> {
  const writers = Array.from({ length: WRITERS }, (_, i) => write(child, i, round, deeds))
  await Promise.all([once(child.process, 'exit'), ...writers])
}

async function reopen(dir: string): Promise<Child> {
  const child = await startChild(dir)
  onTestFinished(() => {
    child.process.kill('SIGKILL')
  })
  return child
}

const MOMENTS = STORE_POINTS.filter((point) => !point.endsWith('compact'))

test(
  `${KILLS} kills at named moments and at any: nothing acknowledged is lost, watches tell all of it once and in order`,
  async () => {
    const dir = scratch()
    const deeds: Deed[] = []
    for (let round = 1; round <= KILLS; round++) {
      const point = MOMENTS[round % (MOMENTS.length + 1)]
      // A different hit each time, so that the batch it falls into differs too.
      const child = point ? await startChild(dir, point, String(3 + ((round * 7) % 20))) : await startChild(dir)
      const gone = writeUntilGone(child, round, deeds)
      if (!point) {
        await delay(20 + ((round * 37) % 200))
        child.process.kill('SIGKILL')
      }
      await gone
    }
    const child = await reopen(dir)
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
  },
  60_000 + KILLS * 15_000,
)

test.each(['before compact', 'after compact'])('killed %s, the present is whole', async (point) => {
  const dir = scratch()
  const deeds: Deed[] = []
  for (let round = 1; round <= 3; round++)
    await writeUntilGone(await startChild(dir, point, String(round), '200'), round, deeds)
  expect(judgeHistory(deeds, [], await readFinal(await reopen(dir)))).toEqual([])
})
