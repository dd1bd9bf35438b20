// What a container wants done right after its start or before its end.
import type { Container, LifecycleHandler } from '../../../gen/kubernetes-types.ts'
import { askHttp, type ProbeTarget, portNumber } from './probe.ts'

/** Undefined when it went well, otherwise what is wrong. Of an answer over HTTP only that it came counts, as on a cluster. */
export async function runHook(
  hook: LifecycleHandler,
  container: Container,
  target: ProbeTarget,
  timeout: number,
): Promise<string | undefined> {
  if (hook.exec) {
    const code = await target.exec(hook.exec.command ?? [], timeout)
    return code === 0 ? undefined : `ended with exit code ${code}`
  }
  if (hook.httpGet) {
    const port = portNumber(container, hook.httpGet.port)
    if (port === undefined) return `asks a port named ${hook.httpGet.port}, which the container does not have`
    const answer = await askHttp(hook.httpGet, target.portOf(port), timeout)
    return typeof answer === 'number' ? undefined : `failed: ${answer}`
  }
  const wait = hook.sleep && Math.min(hook.sleep.seconds * 1000, timeout)
  if (wait === undefined) return 'is of no kind that can be run'
  await new Promise((resolve) => setTimeout(resolve, wait))
  return undefined
}
