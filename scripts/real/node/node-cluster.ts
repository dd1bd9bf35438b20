// A control plane with genuine nodes. Needs root: namespaces, bridges and control groups are made.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mustRun } from '../../run-program.ts'
import { buildPrograms } from '../build.ts'
import { type ControlPlane, type ControlPlaneOptions, recordProcess, startControlPlane } from '../control-plane.ts'
import { programPath } from '../places.ts'
import { signal, stopProcess } from '../processes.ts'
import { removeCgroups } from './cgroups.ts'
import { PAUSE_IMAGE } from './configuration.ts'
import { buildCoreDns, COREDNS_IMAGE } from './coredns.ts'
import { findNodeTools, type NodeTools } from './debian-tools.ts'
import { GenuineNode } from './genuine-node.ts'
import { buildImage, type ImageRecipe } from './images.ts'
import { addressOf, createBridge, type NodeNetwork, podRangeOf, removeBridge } from './network.ts'

const PROGRAMS = ['kubelet', 'kube-proxy', 'containerd', 'containerd-shim-runc-v2', 'ctr', 'coredns']

export interface NodeClusterOptions extends ControlPlaneOptions {
  nodes: number
  /** Images that pods shall find on every node. */
  images?: (tools: NodeTools) => Promise<ImageRecipe[]>
}

export interface NodeCluster {
  plane: ControlPlane
  nodes: GenuineNode[]
  stop(): Promise<void>
}

/** What a node leaves on the machine when its processes are gone. */
interface Traces {
  bridge: string
  cgroups: string[]
}

const tracesFile = (dir: string): string => join(dir, 'traces.json')

export async function startNodeCluster(options: NodeClusterOptions): Promise<NodeCluster> {
  const { say = () => {}, nodes: count } = options
  if (process.getuid?.() !== 0) throw new Error('genuine nodes need root: they are namespaces of this machine')
  await buildPrograms(PROGRAMS, say)
  const tools = await findNodeTools(say)
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'trainyard-node-'))
  mkdirSync(dir, { recursive: true })
  const network = await createBridge()
  const cgroups = Array.from({ length: count }, (_, index) => `${network.bridge}-${index}`)
  writeFileSync(tracesFile(dir), JSON.stringify({ bridge: network.bridge, cgroups } satisfies Traces))
  const nodes: GenuineNode[] = []
  const endNow = (): void => {
    for (const { holder } of nodes) signal(holder, 'SIGKILL')
    execFileSync('ip', ['link', 'del', network.bridge])
  }
  if (!options.keepRunning) process.on('exit', endNow)
  let plane: ControlPlane | undefined
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map(({ holder }) => stopProcess(holder, 0)))
    process.off('exit', endNow)
    await removeTraces(dir)
    await plane?.stop()
  }
  try {
    plane = await startControlPlane({
      ...options,
      dir,
      address: `${network.prefix}.1`,
      parts: ['kube-controller-manager', 'kube-scheduler'],
    })
    await startNodes(plane, network, tools, options, nodes)
    say(`${count} ${count === 1 ? 'node is' : 'nodes are'} ready`)
    await startCoreDns(plane, nodes[0]!.place.name)
    say('cluster DNS is ready')
    return { plane, nodes, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Of a cluster that an earlier command has left running, once its processes are gone. */
export async function removeTraces(dir: string): Promise<void> {
  if (!existsSync(tracesFile(dir))) return
  const { bridge, cgroups } = JSON.parse(readFileSync(tracesFile(dir), 'utf8')) as Traces
  await removeBridge(bridge, cgroups.length)
  for (const cgroup of cgroups) await removeCgroups(cgroup)
}

async function startNodes(
  plane: ControlPlane,
  network: NodeNetwork,
  tools: NodeTools,
  { nodes: count, images: more = async () => [], keepRunning }: NodeClusterOptions,
  nodes: GenuineNode[],
): Promise<void> {
  const recipes = [...baseImages(tools), ...(await more(tools))]
  const images = await Promise.all(
    recipes.map(async (recipe, index) => ({
      node: recipe.node,
      archive: await buildImage(recipe, join(plane.dir, 'images', String(index))),
    })),
  )
  const proxy = await plane.issueUser('system:kube-proxy')
  for (let index = 0; index < count; index++) {
    const name = `node-${index}`
    const kubelet = await plane.issueUser(`system:node:${name}`, ['system:nodes'])
    const place = {
      name,
      dir: join(plane.dir, name),
      address: addressOf(network, index),
      podRange: podRangeOf(index),
      cgroup: `${network.bridge}-${index}`,
      tools,
      clientCa: join(plane.dir, 'pki', 'ca.crt'),
      kubeconfigs: { kubelet: kubelet.kubeconfig, proxy: proxy.kubeconfig },
    }
    const node = await GenuineNode.start(place, network, index, count)
    nodes.push(node)
    if (keepRunning) recordProcess(plane.dir, node.holder)
    for (const image of images) if ((image.node ?? name) === name) await node.importImage(image.archive)
    node.startKubelet()
  }
  const admin = ['--kubeconfig', plane.kubeconfig]
  const names = nodes.map(({ place }) => `node/${place.name}`)
  await mustRun(plane.kubectl, [...admin, 'wait', ...names, '--for=create', '--timeout=120s'])
  await mustRun(plane.kubectl, [...admin, 'wait', ...names, '--for=condition=Ready', '--timeout=120s'])
}

function baseImages({ busybox }: NodeTools): ImageRecipe[] {
  const sleep = ['/bin/busybox', 'sleep', '2147483647']
  return [
    { name: PAUSE_IMAGE, files: { 'bin/busybox': busybox }, entrypoint: sleep },
    { name: COREDNS_IMAGE, files: { coredns: programPath('coredns') }, entrypoint: ['/coredns'] },
  ]
}

async function startCoreDns({ kubectl, kubeconfig }: ControlPlane, nodeName: string): Promise<void> {
  const run = (args: string[], input?: string) => mustRun(kubectl, ['--kubeconfig', kubeconfig, ...args], { input })
  await run(['apply', '-f', '-'], JSON.stringify(buildCoreDns(nodeName)))
  const available = ['--for=condition=Available', '--timeout=120s']
  await run(['-n', 'kube-system', 'wait', 'deployment/coredns', ...available])
}
