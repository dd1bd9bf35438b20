import { BlockList, isIP } from 'node:net'

/**
 * The proxy that the environment names for a server, by the rules of Go's clients and so of kubectl: never for this machine
 * itself, nor for what NO_PROXY names.
 */
export function environmentProxy(server: string, env: NodeJS.ProcessEnv): string | undefined {
  const { protocol, hostname, port } = new URL(server)
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const proxy = env[name] || env[name.toLowerCase()]
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const excepted = (env.NO_PROXY || env.no_proxy || '').split(',').map((entry) => entry.trim().toLowerCase())
  if (!proxy || isThisMachine(host)) return undefined
  if (excepted.some((entry) => matches(entry, host, port || (protocol === 'https:' ? '443' : '80')))) return undefined
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || isWithin('127.0.0.0/8', host) || host === '::1'
}

/** An address, a range of addresses, or a name, which stands for all names below it too; with a port for that port only. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === '' || entry === '*') return entry === '*'
  if (entry.includes('/')) return isWithin(entry, host)
  const [, name = entry, wanted] = /^(.*?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? []
  if (wanted !== undefined && wanted !== port) return false
  const bare = name.replace(/^\[|\]$/g, '')
  if (isIP(bare)) return bare === host
  const suffix = bare.replace(/^\*(?=\.)/, '')
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`)
}

function isWithin(range: string, host: string): boolean {
  const [network = '', bits = ''] = range.split('/')
  const family = isIP(network)
  if (family === 0 || family !== isIP(host) || !/^\d+$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128))
    return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(network, Number(bits), type)
  return list.check(host, type)
}
