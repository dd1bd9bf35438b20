import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { TestApi } from './test-api.ts'

/** Starts a kubelet that can be killed, and connects it to the API. */
export class KillableKubelet {
  readonly #child: ChildProcess
  #stopWatching: (() => void) | undefined

  constructor(directory: string, api: TestApi) {
    this.#child = fork(fileURLToPath(new URL('./kubelet-process.ts', import.meta.url)), [directory], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const send = (message: object) => this.#child.connected && this.#child.send(message, () => {})
    this.#child.on('message', async (message: { ready?: true; id: number; method: 'writeStatus'; args: never[] }) => {
      if (message.ready) {
        this.#stopWatching = api.watchPods({
          present: (pod: Pod) => send({ event: 'present', about: pod }),
          gone: (uid: string) => send({ event: 'gone', about: uid }),
          synced: () => send({ event: 'synced' }),
        })
      } else {
        const value = await (api[message.method] as (...args: never[]) => unknown)(...message.args)
        send({ reply: message.id, value })
      }
    })
  }

  async kill(): Promise<void> {
    this.#stopWatching?.()
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await ended
    this.#stopWatching?.()
  }
}
