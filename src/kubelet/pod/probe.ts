// One look at a container: does it answer?
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import type { Container, HTTPGetAction, Probe } from '../../../gen/kubernetes-types.ts'
import { askHealth } from './grpc-health.ts'

// Imported, it would bring all of fetch with it, since a module's names are all looked up: 14 MB and 50 ms in every home.
const { request: requestHttp } = process.getBuiltinModule('node:http')

export interface ProbeTarget {
  /** Runs a command in the container's environment; resolves with its exit code. */
  exec(command: string[], timeoutMs: number): Promise<number>
  /** The port of this machine that stands for a port of the container. */
  portOf(port: number): number
}

/** Undefined when all is well, otherwise what is wrong. */
export async function probeOnce(probe: Probe, container: Container, target: ProbeTarget): Promise<string | undefined> {
  const timeout = (probe.timeoutSeconds || 1) * 1000
  if (probe.exec) {
    const code = await target.exec(probe.exec.command ?? [], timeout)
    return code === 0 ? undefined : `command ended with exit code ${code}`
  }
  const action = probe.httpGet ?? probe.tcpSocket ?? probe.grpc
  if (!action) return undefined
  const named = portNumber(container, action.port)
  if (named === undefined) return `the container has no port named ${action.port}`
  const port = target.portOf(named)
  if (probe.httpGet) {
    const answer = await askHttp(probe.httpGet, port, timeout)
    if (typeof answer === 'string') return answer
    return answer >= 200 && answer < 400 ? undefined : `HTTP probe failed with statuscode: ${answer}`
  }
  if (probe.grpc) return askHealth(port, probe.grpc.service ?? '', timeout)
  return probeTcp((probe.tcpSocket?.host as string | undefined) || '127.0.0.1', port, timeout)
}

export function portNumber(container: Container, port: number | string): number | undefined {
  if (Number.isInteger(Number(port))) return Number(port)
  return container.ports?.find(({ name }) => name === port)?.containerPort
}

/** The status code of the answer, or why there is none. */
export function askHttp(action: HTTPGetAction, port: number, timeout: number): Promise<number | string> {
  const secure = action.scheme === 'HTTPS'
  const path = action.path?.startsWith('/') ? action.path : `/${action.path ?? ''}`
  const headers = Object.fromEntries((action.httpHeaders ?? []).map(({ name, value }) => [name, value]))
  const options = {
    host: action.host || '127.0.0.1',
    port,
    path,
    headers: { 'User-Agent': 'kube-probe/1.37', ...headers },
    timeout,
  }
  return new Promise((resolve) => {
    try {
      const request = secure ? requestHttps({ ...options, rejectUnauthorized: false }) : requestHttp(options)
      const timer = setTimeout(() => request.destroy(), timeout)
      request.once('response', (response) => {
        clearTimeout(timer)
        resolve(response.statusCode ?? 0)
        response.destroy()
      })
      request.once('error', () => resolve(`no answer from port ${port}`))
      request.once('close', () => {
        clearTimeout(timer)
        resolve(`no answer from port ${port} within ${timeout / 1000} s`)
      })
      request.end()
    } catch {
      resolve('its httpGet cannot be sent as it is written')
    }
  })
}

function probeTcp(host: string, port: number, timeout: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout })
    const end = (problem?: string) => {
      socket.destroy()
      resolve(problem)
    }
    socket.once('connect', () => end())
    socket.once('timeout', () => end(`no answer from port ${port} within ${timeout / 1000} s`))
    socket.once('error', () => end(`nothing listens on port ${port}`))
  })
}
