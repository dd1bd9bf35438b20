import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { programPath } from '../../scripts/real/places.ts'
import { startTestServer, type TestServer } from '../server/client.ts'

export interface Ran {
  code: number | null
  out: string
  err: string
}

/** A server and the genuine kubectl, which knows nothing but its kubeconfig. */
export interface Bench {
  server: TestServer
  kubectl(args: string, options?: { input?: string; env?: Record<string, string> }): Promise<Ran>
  /** The same, and it must succeed. */
  ok(args: string, input?: string): Promise<string>
}

export async function startBench(): Promise<Bench> {
  const program = programPath('kubectl')
  if (!existsSync(program)) throw new Error(`there is no kubectl at ${program}; run: npm run real -- build kubectl`)
  const home = mkdtempSync(join(tmpdir(), 'trainyard-kubectl-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const server = await startTestServer()
  const kubectl: Bench['kubectl'] = (args, options = {}) =>
    new Promise((resolve, reject) => {
      const env = { PATH: process.env.PATH ?? '', HOME: home, KUBECONFIG: server.server.kubeconfigPath, ...options.env }
      const child = spawn(program, splitWords(args), { env })
      let out = ''
      let err = ''
      child.stdout.on('data', (chunk) => {
        out += chunk
      })
      child.stderr.on('data', (chunk) => {
        err += chunk
      })
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, out, err }))
      child.stdin.end(options.input ?? '')
    })
  const ok: Bench['ok'] = async (args, input) => {
    const ran = await kubectl(args, input === undefined ? {} : { input })
    if (ran.code !== 0) throw new Error(`kubectl ${args} ended with ${ran.code}:\n${ran.err}${ran.out}`)
    return ran.out
  }
  return { server, kubectl, ok }
}

/** At blanks, but not inside single quotes. */
function splitWords(text: string): string[] {
  return (text.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/s, '$1'))
}
