// A kubelet in a process of its own, to be killed; its API is the parent, over the IPC channel.
import { Kubelet } from '../../src/kubelet/kubelet.ts'

let calls = 0
const waiting = new Map<number, (value: unknown) => void>()
function call(method: string, ...args: unknown[]): Promise<never> {
  const id = ++calls
  return new Promise((resolve) => {
    waiting.set(id, resolve as (value: unknown) => void)
    process.send!({ id, method, args })
  })
}

new Kubelet({
  directory: process.argv[2]!,
  source: {
    watchPods(listener) {
      process.on(
        'message',
        (message: { reply?: number; value?: unknown; event?: keyof typeof listener; about?: never }) => {
          if (message.reply) waiting.get(message.reply)?.(message.value)
          else listener[message.event!](message.about!)
        },
      )
      process.send!({ ready: true })
      return () => {}
    },
  },
  sink: {
    writeStatus: (pod, status) => call('writeStatus', pod, status),
    removePod: (pod) => call('removePod', pod),
    recordEvent: (pod, event) => void call('recordEvent', pod, event),
  },
  objects: {
    configMap: (namespace, name) => call('configMap', namespace, name),
    secret: (namespace, name) => call('secret', namespace, name),
    persistentVolumeClaim: (namespace, name) => call('persistentVolumeClaim', namespace, name),
  },
})
process.on('disconnect', () => process.exit(1))
