import { setTimeout as delay } from 'node:timers/promises'
import type { Case, Step } from './case.ts'
import { type Answer, type Endpoint, send } from './endpoint.ts'
import { normalize } from './ignored.ts'

/** Sends the steps of a case in order; `{ns}` becomes its namespace, `{rv}` the newest revision seen, `{uid}` the last uid. */
export async function runCase(endpoint: Endpoint, { steps }: Case, namespace: string): Promise<unknown[]> {
  const seen = { rv: '0', uid: '', continue: '' }
  const out: unknown[] = []
  await send(
    endpoint,
    json('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
  )
  for (const step of steps) {
    const answer = await perform(endpoint, step, namespace, seen).catch(
      (error: Error): Answer => ({ code: 0, warnings: [], body: error.message }),
    )
    if (step.unseen) continue
    remember(answer.body, seen)
    const { code, warnings, retryAfter } = answer
    out.push({
      code,
      ...(warnings.length > 0 ? { warnings } : {}),
      ...(retryAfter ? { retryAfter } : {}),
      body: normalize(answer.body),
    })
  }
  return out
}

const json = (method: string, path: string, body: unknown) => ({
  method,
  path,
  body,
  headers: { 'content-type': 'application/json' },
})

async function perform(
  endpoint: Endpoint,
  step: Step,
  namespace: string,
  seen: Record<string, string>,
): Promise<Answer> {
  const fill = (text: string): string =>
    text.replaceAll('{ns}', namespace).replace(/\{(rv|uid|continue)\}/g, (_, name: string) => seen[name] ?? '')
  const [method = '', path = ''] = fill(step.call).split(/ (.*)/s)
  const filled =
    typeof step.body === 'string'
      ? fill(step.body)
      : Buffer.isBuffer(step.body)
        ? step.body
        : step.body === undefined
          ? undefined
          : fill(JSON.stringify(step.body))
  const headers = {
    ...(filled === undefined ? {} : { 'content-type': step.type ?? 'application/json' }),
    ...step.headers,
  }
  const opened = step.during && {
    events: step.opened ?? 0,
    go: () => void performAll(endpoint, step.during ?? [], namespace, seen),
  }
  for (let attempt = 0; ; attempt++) {
    const answer = await send(endpoint, { method, path, body: filled, headers, events: step.events, opened })
    if (isAwaited(step, answer) || attempt === 600) return answer
    await delay(50)
  }
}

async function performAll(
  endpoint: Endpoint,
  steps: readonly Step[],
  namespace: string,
  seen: Record<string, string>,
): Promise<void> {
  for (const step of steps) await perform(endpoint, step, namespace, seen)
}

function isAwaited(step: Step, answer: Answer): boolean {
  if (step.until !== undefined) return answer.code === step.until
  if (step.untilEvent === undefined) return true
  return Array.isArray(answer.body) && (answer.body[0] as { type?: string } | undefined)?.type === step.untilEvent
}

function remember(body: unknown, seen: { rv: string; uid: string; continue: string }): void {
  const last = Array.isArray(body) ? (body.at(-1) as { object?: unknown })?.object : body
  const meta = (last as { metadata?: { resourceVersion?: string; uid?: string; continue?: string } } | undefined)
    ?.metadata
  if (meta?.resourceVersion) seen.rv = meta.resourceVersion
  if (meta?.uid) seen.uid = meta.uid
  if (meta?.continue) seen.continue = meta.continue
}
