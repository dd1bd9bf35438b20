import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, type ExpectStatic, test } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { realCluster } from '../real-cluster.ts'
import { noteFigure } from './figures.ts'
import { mustRun, type Place, type Ran, runStep } from './kubectl.ts'
import { mask } from './masks.ts'
import { prepare, type Scenario, type Step } from './step.ts'
import { SCENARIOS } from './steps/index.ts'

const crds = join(import.meta.dirname, '../../deploy/crds')
const scratch = mkdtempSync(join(tmpdir(), 'trainyard-kubectl-'))
const run = process.pid.toString(36)
let server: RunningServer
let equal = 0
let known = 0

const kubeconfigs = (): Array<[name: string, kubeconfig: string]> => [
  ['embedded', server.kubeconfigPath],
  ['real', realCluster().kubeconfig],
]

beforeAll(async () => {
  server = await startServer({ dir: join(scratch, 'data') })
  await Promise.all(
    kubeconfigs().map(async ([name, kubeconfig]) => {
      const place = { kubeconfig, home: join(scratch, name), namespace: 'default', dir: scratch }
      await mustRun(place, prepare(`apply --server-side --force-conflicts -f ${crds}`))
      await mustRun(place, prepare('wait crd --all --for=condition=Established --timeout=60s'))
      await awaitDescriptions(place)
    }),
  )
}, 180_000)

afterAll(async () => {
  await server?.stop()
  rmSync(scratch, { recursive: true, force: true })
  noteFigure(`${equal} kubectl steps equal on both${known > 0 ? `, ${known} known to differ` : ''}`)
})

/** A kind is offered and described some moments after it is established. */
async function awaitDescriptions(place: Place): Promise<void> {
  for (const { plural, group } of kinds)
    while ((await runStep(place, prepare(`explain ${plural}.${group}`))).code !== 0) await delay(100)
}

/** All steps of a scenario in a new namespace of one server. */
async function play(place: Place, scenario: Scenario): Promise<Ran[]> {
  await mustRun({ ...place, namespace: 'default' }, prepare(`create namespace ${place.namespace}`))
  await mustRun(place, prepare('wait --for=create serviceaccount/default --timeout=60s'))
  const results: Ran[] = []
  for (const step of scenario.steps) results.push(await (step.unseen ? mustRun : runStep)(place, step))
  await mustRun(place, prepare(`delete namespace ${place.namespace} --wait=false`))
  return results
}

// Most of a step is waiting for a server or for a program to start.
test.concurrent.for(SCENARIOS.map((scenario, i) => ({ ...scenario, i })))(
  '$name',
  { timeout: 600_000 },
  async ({ i, ...scenario }, { expect }) => {
    const namespace = `api-${run}-${i}`
    const [ours = [], theirs = []] = await Promise.all(
      kubeconfigs().map(([name, kubeconfig]) => {
        const home = join(scratch, name)
        const dir = join(scratch, `${name}-${i}`)
        mkdirSync(dir, { recursive: true })
        for (const [file, content] of Object.entries(scenario.files ?? {}))
          writeFileSync(join(dir, file), content, { mode: 0o755 })
        return play({ kubeconfig, home, namespace, dir }, scenario)
      }),
    )
    scenario.steps.forEach((step, at) => {
      if (!step.unseen) compareStep(expect, step, ours[at], theirs[at])
    })
  },
)

function compareStep(expect: ExpectStatic, step: Step, left: Ran | undefined, right: Ran | undefined): void {
  if (!left || !right) throw new Error(`kubectl ${step.run} was not run`)
  const [ours, theirs] = [read(step, left), read(step, right)]
  if (step.offered) theirs.out = onlyOffered(theirs.out, ours.out)
  expect.soft(right.code, `exit code of kubectl ${step.run}: ${right.err}`).toBe(step.code ?? 0)
  if (step.shows) expect.soft(right.out + right.err, `kubectl ${step.run}`).toContain(step.shows)
  const same = isDeepStrictEqual(ours, theirs)
  if (step.known) {
    expect.soft(same, `kubectl ${step.run} is listed as different and is not: ${step.known}`).toBe(false)
    known++
  } else expect.soft(ours, `kubectl ${step.run}`).toEqual(theirs)
  if (same) equal++
}

function read(step: Step, { code, out, err }: Ran): { code: number | null; out: string; err: string } {
  const masked = mask(dropPaths(out))
  const text = step.unordered ? masked.split('\n').sort().join('\n') : masked
  return {
    code,
    out: step.json && code === 0 ? JSON.stringify(sortKeys(JSON.parse(text)), null, 1) : text,
    err: step.talkative ? '' : mask(dropPaths(err)),
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, child]) => [key, sortKeys(child)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The scenario's own files have one folder per server. */
const dropPaths = (text: string): string =>
  text.replaceAll(`${scratch}/embedded-`, '/').replaceAll(`${scratch}/real-`, '/')

/** kube-apiserver serves more kinds; of its lines those count that speak of a kind the embedded server has. */
function onlyOffered(theirs: string, ours: string): string {
  const idOf = (line: string): string => {
    const words = line.split(/ +/)
    return `${words[0]} ${words.find((word) => /^(\S+\/)?v\d/.test(word)) ?? ''}`
  }
  const offered = new Set(ours.split('\n').map(idOf))
  return theirs
    .split('\n')
    .filter((line) => offered.has(idOf(line)))
    .join('\n')
}
