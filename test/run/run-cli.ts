// `trainyard run` as users start it: a process of its own, with a home of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const launcher = resolve(import.meta.dirname, '../../bin/trainyard.js')

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export class Bench {
  readonly dir = mkdtempSync(join(tmpdir(), 'trainyard-run-'))
  readonly env: { TRAINYARD_HOME: string } & NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: this.dir,
    LANG: 'C.UTF-8',
    TRAINYARD_HOME: join(this.dir, 'home'),
  }

  file(name: string, text: string): string {
    writeFileSync(join(this.dir, name), text)
    return name
  }

  read(name: string): string {
    return readFileSync(join(this.dir, name), 'utf8')
  }

  /** A GenericJob of one replica that runs this in a shell. */
  job(name: string, script: string, rest = ''): string {
    return this.file(
      `${name}.yaml`,
      `apiVersion: batch.tensorstack.dev/v1beta1
kind: GenericJob
metadata: {name: ${name}}
spec:
  successRules: [{worker: [0]}]
  failureRules: [{worker: [0]}]
  replicaSpecs:
    - type: worker
      replicas: 1
      template: {spec: {terminationGracePeriodSeconds: 1, containers: [{name: c, image: i, command: [sh, -c, ${JSON.stringify(script)}]}]}}
${rest}`,
    )
  }

  start(...args: string[]): { child: ChildProcess; ran: Promise<Ran>; sees: (text: string) => Promise<void> } {
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: this.dir,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    const looking: Array<{ text: string; found: () => void }> = []
    const look = (): void => {
      for (const { text, found } of looking) if (stdout.includes(text) || stderr.includes(text)) found()
    }
    child.stdout?.on('data', (chunk) => {
      stdout += chunk
      look()
    })
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
      look()
    })
    const ran = new Promise<Ran>((done) => child.on('close', (code) => done({ code, stdout, stderr })))
    const sees = async (text: string): Promise<void> => {
      const found = new Promise<void>((resolve) => {
        looking.push({ text, found: resolve })
        look()
      })
      await Promise.race([
        found,
        ran.then(() => Promise.reject(new Error(`it never said ${text}:\n${stdout}${stderr}`))),
      ])
    }
    return { child, ran, sees }
  }

  run(...args: string[]): Promise<Ran> {
    return this.start(...args).ran
  }

  /** Of what goes to standard output only how much it is and how it ends: it may be more than a text can hold. */
  count(...args: string[]): Promise<{ code: number | null; bytes: number; end: string }> {
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: this.dir,
      env: this.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let [bytes, end] = [0, '']
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      end = (end + chunk.subarray(-9)).slice(-9)
    })
    return new Promise((done) => child.on('close', (code) => done({ code, bytes, end })))
  }

  async close(): Promise<void> {
    await this.run('down', '--force', '--purge')
    rmSync(this.dir, { recursive: true, force: true })
  }
}
