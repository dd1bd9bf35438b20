// The example torch-elastic, whose number of nodes is changed while it trains, by whatever means.
import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import { programPath } from '../../scripts/real/places.ts'
import type { JobStatus } from '../../src/api/types.ts'
import { type ExampleRun, readTraining } from '../examples/example-run.ts'
import type { StartGate } from './start-gate.ts'

export const JOB = 'torch-elastic'
/** Samples of one step, of all ranks together. */
const BATCH = 240
/** How long torchrun waits for more nodes once there are enough: long, so that nobody is late. */
export const PATIENT = { from: 'last_call_timeout=3', to: 'last_call_timeout=8' }

const PATIENCE = { timeout: 300_000, interval: 500 }
/** Seconds from the wish to the first steps in the new world; told, not asserted: machines differ. */
const AIM = 60

const run = promisify(execFile)

interface Job {
  status?: JobStatus
}

export interface ElasticStage {
  run: ExampleRun
  gate: StartGate
  /** The directory that stands for the claim of the checkpoints. */
  claim: string
  /** Where it is known by then. */
  kubeconfig: () => string
}

export class ElasticRun {
  readonly #stage: ElasticStage
  readonly #sizes: number[] = []
  readonly #took: { by: string; size: number; seconds: number }[] = []
  readonly #keepGoing: string
  #first: string | undefined

  constructor(stage: ElasticStage) {
    this.#stage = stage
    this.#keepGoing = join(stage.claim, 'keep-going')
    // However slow the machine is, it must not be done before it was scaled.
    writeFileSync(this.#keepGoing, '')
  }

  /** After `trainyard run` has begun. */
  async begins(size: number): Promise<void> {
    await this.#stage.gate.open(size)
    await this.#trains(size)
    await this.#check(size)
  }

  /** One change: whoever joins is let in, and the group trains in its new size. */
  async changes(by: string, size: number, act: () => Promise<unknown>): Promise<void> {
    const { run: example, gate } = this.#stage
    const joining = size - this.#sizes.at(-1)!
    const begun = performance.now()
    await act()
    if (joining > 0) await gate.open(joining)
    await this.#trains(size)
    const seconds = (performance.now() - begun) / 1000
    this.#took.push({ by, size, seconds })
    example.say(`trains with ${size} after ${seconds.toFixed(1)} s: ${by}`)
    await this.#check(size)
  }

  async kubectl(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { run: example, kubeconfig } = this.#stage
    const all = { PATH: process.env.PATH, HOME: example.bench.dir, KUBECONFIG: kubeconfig(), ...env }
    const { stdout } = await run(programPath('kubectl'), [...args], { env: all, maxBuffer: 1 << 26 })
    return stdout
  }

  /** `kubectl edit`, with an editor that knows what to do. */
  edit(before: number, after: number): Promise<string> {
    const editor = `sed -i 's/expectedReplicas: ${before}$/expectedReplicas: ${after}/'`
    return this.kubectl(['edit', 'pytorchtrainingjob', JOB], { KUBE_EDITOR: editor })
  }

  /** Lets it come to its end, looks at all it has written, and tells how long the changes took. */
  async ends(): Promise<string> {
    rmSync(this.#keepGoing)
    const { code, stdout, job } = await this.#stage.run.end()
    expect(code).toBe(0)
    expect(job.phase).toBe('Succeeded')
    // Those who were told to leave are no failures of the job.
    expect(job.restarts.used).toBe(0)
    this.#judge(stdout)
    const changes = this.#took.map((each) => `${each.size} by ${each.by} in ${each.seconds.toFixed(0)} s`)
    const slowest = Math.max(...this.#took.map(({ seconds }) => seconds))
    return `world ${this.#sizes[0]}, ${changes.join(', ')}; aim ${AIM} s each ${slowest <= AIM ? 'met' : 'missed'}`
  }

  /** Rank 0 has greeted in all sizes so far, in this order, and has trained in the last one. */
  async #trains(size: number): Promise<void> {
    this.#sizes.push(size)
    const greetings = this.#sizes.map((each) => `rank 0 of ${each}, `).join('[\\s\\S]*?')
    await this.#stage.run.sees(new RegExp(`${greetings}[\\s\\S]*? step +\\d+/`))
  }

  /** The first node's pod is the same as ever, nobody else is there, and nothing counts as a failure. */
  async #check(size: number): Promise<void> {
    // Pods that were told to leave have the time they are given for it.
    const here = async (): Promise<Pod[]> => {
      const { items } = JSON.parse(await this.kubectl(['get', 'pods', '-o', 'json'])) as { items: Pod[] }
      return items.filter(({ metadata }) => metadata?.labels?.['tensorstack.dev/owner-name'] === JOB)
    }
    await expect.poll(here, PATIENCE).toHaveLength(size)
    const first = (await here()).find(({ metadata }) => metadata?.labels?.['replica-index'] === '0')
    this.#first ??= first?.metadata?.uid
    expect(this.#first).toBeDefined()
    expect(first?.metadata?.uid).toBe(this.#first)
    const status = async () => {
      const job = JSON.parse(await this.kubectl(['get', 'pytorchtrainingjob', JOB, '-o', 'json'])) as Job
      return job.status
    }
    await expect.poll(status, PATIENCE).toMatchObject({ backoffCount: 0, phase: 'Running', replicas: size })
  }

  #judge(text: string): void {
    const greetings = [...text.matchAll(/rank (\d+) of (\d+), .* step (\d+), (\d+) samples seen/g)]
    const [worlds, resumed] = [[] as number[], [] as number[]]
    for (const [, rank, world, step] of greetings) {
      expect(this.#sizes).toContain(Number(world))
      if (rank !== '0') continue
      worlds.push(Number(world))
      resumed.push(Number(step))
    }
    expect(worlds).toEqual(this.#sizes)
    // Whoever has to leave says so in time: every world goes on where the one before it stopped.
    const stops = [...text.matchAll(/rank 0 stops after step (\d+)/g)].map(([, step]) => Number(step))
    expect(resumed).toEqual([0, ...stops])
    const counts = [...text.matchAll(/ step +(\d+)(?:\/\d+ +loss \S+ +|, )(\d+) samples/g)]
    const samples = counts.map(([, , seen]) => Number(seen))
    expect(samples).toEqual([...samples].sort((a, b) => a - b))
    expect(samples).toEqual(counts.map(([, step]) => Number(step) * BATCH))
    expect(text).toMatch(/the checkpoint has step \d+, \d+ samples/)
    const { steps, weights } = readTraining(text)
    expect(steps.at(-1)!.step).toBeGreaterThanOrEqual(200)
    expect(steps.at(-1)!.loss).toBeLessThan(steps[0]!.loss / 4)
    expect(new Set(weights).size).toBe(1)
  }
}
