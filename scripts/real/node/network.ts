// Nodes are network namespaces on one bridge, whose end on this machine is where the apiserver listens.
import { networkInterfaces } from 'node:os'
import { mustRun, runProgram } from '../../run-program.ts'

export interface NodeNetwork {
  bridge: string
  /** `10.199.3`: .1 is this machine, .2 and on are nodes. */
  prefix: string
}

const ip = (...args: string[]): Promise<string> => mustRun('ip', args)

/** A bridge with an address that nothing here has yet. */
export async function createBridge(): Promise<NodeNetwork> {
  const taken = new Set(Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []))
  for (let n = 1; n < 255; n++) {
    const prefix = `10.199.${n}`
    if ([...taken].some((address) => address.startsWith(`${prefix}.`))) continue
    const bridge = `yard${n}`
    if ((await runProgram('ip', ['link', 'add', bridge, 'type', 'bridge'])).code !== 0) continue
    await ip('addr', 'add', `${prefix}.1/24`, 'dev', bridge)
    await ip('link', 'set', bridge, 'up')
    return { bridge, prefix }
  }
  throw new Error('no network for nodes: all of 10.199.0.0/16 is taken, or bridges cannot be made here')
}

/** With the ends of the nodes' cables: their namespaces may linger for minutes after their last process. */
export async function removeBridge(bridge: string, nodes: number): Promise<void> {
  const links = [...Array.from({ length: nodes }, (_, index) => cableOf(bridge, index)), bridge]
  for (const link of links) await runProgram('ip', ['link', 'del', link])
}

const cableOf = (bridge: string, index: number): string => `${bridge}n${index}`

export const addressOf = ({ prefix }: NodeNetwork, index: number): string => `${prefix}.${index + 2}`
export const podRangeOf = (index: number): string => `10.244.${index}.0/24`

/** Puts the network namespace of process `init` on the bridge, as node `index` of `count`. */
export async function joinBridge(network: NodeNetwork, init: number, index: number, count: number): Promise<void> {
  const outer = cableOf(network.bridge, index)
  // Left by somebody who was killed.
  await runProgram('ip', ['link', 'del', outer])
  const inside = (...args: string[]) => mustRun('nsenter', ['-t', String(init), '-n', 'ip', ...args])
  await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(init))
  await ip('link', 'set', outer, 'master', network.bridge, 'up')
  await inside('link', 'set', 'lo', 'up')
  await inside('addr', 'add', `${addressOf(network, index)}/24`, 'dev', 'eth0')
  await inside('link', 'set', 'eth0', 'up')
  await inside('route', 'add', 'default', 'via', `${network.prefix}.1`)
  for (let other = 0; other < count; other++) {
    if (other !== index) await inside('route', 'add', podRangeOf(other), 'via', addressOf(network, other))
  }
  await mustRun('nsenter', ['-t', String(init), '-n', 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward'])
}
