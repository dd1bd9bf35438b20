import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { programPath } from '../../scripts/real/places.ts'
import type { Step } from './step.ts'

export interface Ran {
  code: number | null
  out: string
  err: string
}

/** A server as the genuine kubectl sees it: a kubeconfig, and a home of its own for what it caches. */
export interface Place {
  kubeconfig: string
  home: string
  namespace: string
  /** Where the scenario's files are. */
  dir: string
}

/** Nothing a step waits for takes as long; only what never comes ends here. */
const PATIENCE = 120_000

export function kubectlPath(): string {
  const program = programPath('kubectl')
  if (!existsSync(program)) throw new Error(`there is no kubectl at ${program}; run: npm run real -- build kubectl`)
  return program
}

export async function runStep(place: Place, step: Step): Promise<Ran> {
  const { promise, resolve, reject } = Promise.withResolvers<Ran>()
  const uids = await readUids(place, step.input ?? '')
  const fill = (text: string): string =>
    text
      .replaceAll('{ns}', place.namespace)
      .replaceAll('{dir}', place.dir)
      .replace(UID, (_, object: string) => uids.get(object) ?? '')
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: place.home,
    KUBECONFIG: place.kubeconfig,
    TMPDIR: place.dir,
    ...Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, fill(value)])),
  }
  const child = spawn(kubectlPath(), ['--namespace', place.namespace, ...splitWords(fill(step.run))], { env })
  const ran: Ran = { code: null, out: '', err: '' }
  const todo = [...(step.meanwhile ?? [])]
  let ended = false
  const look = (): void => {
    const next = todo[0]
    if (next?.once.test(ran.out + ran.err)) {
      todo.shift()
      mustRun(place, { run: next.run }).then(look, reject)
    } else if (!next && step.lines !== undefined && ran.out.split('\n').length > step.lines && !ended) {
      ended = true
      child.kill()
    }
  }
  child.stdout.on('data', (chunk) => {
    ran.out += chunk
    look()
  })
  child.stderr.on('data', (chunk) => {
    ran.err += chunk
    look()
  })
  child.on('error', reject)
  child.on('close', (code) => {
    // What was printed on the way to its end depends on how fast that came.
    const out = ended ? ran.out.split('\n').slice(0, step.lines).join('\n') : ran.out
    resolve({ ...ran, out, code: ended ? 0 : code })
  })
  child.stdin.on('error', () => {})
  child.stdin.end(step.input === undefined ? '' : fill(step.input))
  const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
  return promise.finally(() => clearTimeout(patience))
}

export async function mustRun(place: Place, step: Step): Promise<Ran> {
  const ran = await runStep(place, step)
  if (ran.code !== 0) throw new Error(`kubectl ${step.run} ended with ${ran.code}:\n${ran.err}${ran.out}`)
  return ran
}

const UID = /\{uid:([^}]+)\}/g

async function readUids(place: Place, text: string): Promise<Map<string, string>> {
  const uids = new Map<string, string>()
  for (const [, object = ''] of text.matchAll(UID))
    uids.set(object, (await mustRun(place, { run: `get ${object} -o jsonpath={.metadata.uid}` })).out)
  return uids
}

/** At blanks, but not inside single quotes. */
function splitWords(text: string): string[] {
  return (text.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replace(/'([^']*)'/gs, '$1'))
}
