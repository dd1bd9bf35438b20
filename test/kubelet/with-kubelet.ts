import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { Container } from '../../gen/kubernetes-types.ts'
import { Kubelet, type KubeletOptions } from '../../src/kubelet/kubelet.ts'
import { readProcesses } from '../../src/kubelet/process/process-table.ts'
import { TestApi } from './test-api.ts'
import { until } from './until.ts'

export class Stage {
  readonly home = mkdtempSync(join(tmpdir(), 'kubelet-'))
  readonly api = new TestApi()
  /** What went wrong behind the scenes; nothing may. */
  readonly errors: string[] = []
  kubelet!: Kubelet

  start(options: Partial<KubeletOptions> = {}): void {
    const { home: directory, api } = this
    const onError = (where: string, error: unknown) => void this.errors.push(`${where}: ${error}`)
    this.kubelet = new Kubelet({ directory, source: api, sink: api, objects: api, onError, ...options })
  }

  run(name: string, ...containers: Array<Partial<Container>>): string {
    const named = containers.map((container, i) => ({ name: i === 0 ? 'main' : `c${i}`, image: 'x', ...container }))
    return this.api.create(name, { containers: named })
  }

  log(uid: string, container = 'main'): string {
    const pod = this.api.pods.get(uid)!
    return readFileSync(join(this.kubelet.context.home.logDirectory(pod, 0), `${container}.log`), 'utf8')
  }

  line(uid: string, text: string, container = 'main'): Promise<string> {
    return until(`${JSON.stringify(text)} in the log`, () => {
      try {
        const log = this.log(uid, container)
        return log.includes(text) && log
      } catch {
        return false
      }
    })
  }

  processes(uid: string) {
    return readProcesses().filter((row) => row.podUid === uid)
  }

  /** Deletes every pod and waits until nothing of any is left. */
  async end(): Promise<void> {
    const uids = [...this.api.pods.keys()]
    for (const uid of uids) this.api.forceDelete(uid)
    const pods = join(this.home, 'pods')
    await until('all pods to leave the disk', () => !existsSync(pods) || readdirSync(pods).length === 0)
    await this.kubelet.close()
    const left = uids.flatMap((uid) => this.processes(uid))
    rmSync(this.home, { recursive: true })
    if (this.errors.length > 0) throw new Error(this.errors.join('\n'))
    if (left.length > 0) throw new Error(`orphans: ${JSON.stringify(left)}`)
  }
}

/** A kubelet with an API of its own for each test; afterwards no process may be left. */
export function useStage(options: Partial<KubeletOptions> = {}): () => Stage {
  let stage: Stage
  beforeEach(() => {
    stage = new Stage()
    stage.start(options)
  })
  afterEach(() => stage.end())
  return () => stage
}
