// One genuine node: containerd, kubelet and kube-proxy in network, mount and pid namespaces of their own. Whoever ends
// the process that holds the namespaces ends everything in them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { mustRun, runProgram } from '../../run-program.ts'
import { POD_RANGE } from '../parts.ts'
import { programDir, programPath } from '../places.ts'
import { isAlive, lastLines, type ProcessRecord, signal, startProcess } from '../processes.ts'
import { createCgroups } from './cgroups.ts'
import { cniConfig, containerdConfig, kubeletConfig, type NodePlace, proxyConfig, socketOf } from './configuration.ts'
import { joinBridge, type NodeNetwork } from './network.ts'

const PATIENCE_MS = 120_000

/** The first process of the namespace; a shell in a loop also buries whoever has no parent any more. */
const INIT = 'while :; do sleep 3600; done'
/** What these programs write at fixed places stays the node's own affair. */
const OWN_PLACES = ['/run', '/var/lib', '/var/log']

export class GenuineNode {
  readonly place: NodePlace
  readonly holder: ProcessRecord
  readonly #init: number

  static async start(place: NodePlace, network: NodeNetwork, index: number, count: number): Promise<GenuineNode> {
    mkdirSync(join(place.dir, 'cni'), { recursive: true })
    const flags = [
      '--net',
      '--mount',
      '--pid',
      '--fork',
      '--kill-child=SIGKILL',
      '--mount-proc',
      '--propagation',
      'slave',
    ]
    const holder = startProcess(place.name, 'unshare', [...flags, 'sh', '-c', INIT], join(place.dir, 'holder.log'))
    try {
      const node = new GenuineNode(place, holder, await firstChildOf(holder))
      await joinBridge(network, node.#init, index, count)
      await node.#settle()
      return node
    } catch (error) {
      signal(holder, 'SIGKILL')
      throw error
    }
  }

  private constructor(place: NodePlace, holder: ProcessRecord, init: number) {
    this.place = place
    this.holder = holder
    this.#init = init
  }

  /** Its own places to write to, control groups, and containerd. */
  async #settle(): Promise<void> {
    const { dir, cgroup } = this.place
    // The machine's name servers cannot be reached from in here; refused at once is better than silence.
    const resolvConf = join(dir, 'resolv.conf')
    writeFileSync(resolvConf, 'nameserver 127.0.0.1\n')
    await this.#inside('mount', '--bind', resolvConf, '/etc/resolv.conf')
    for (const path of OWN_PLACES) await this.#inside('mount', '-t', 'tmpfs', 'tmpfs', path)
    createCgroups(cgroup)
    await this.#startContainerd()
  }

  async importImage(archive: string): Promise<void> {
    await this.#inside(...this.#ctr('image', 'import', '--local', archive))
  }

  startKubelet(): void {
    const { place } = this
    const { dir, name, address, kubeconfigs } = place
    writeFileSync(join(dir, 'kubelet.json'), JSON.stringify(kubeletConfig(place)))
    writeFileSync(join(dir, 'kube-proxy.json'), JSON.stringify(proxyConfig(place, POD_RANGE)))
    this.#start('kubelet', [
      `--config=${join(dir, 'kubelet.json')}`,
      `--kubeconfig=${kubeconfigs.kubelet}`,
      `--root-dir=${join(dir, 'kubelet')}`,
      `--cert-dir=${join(dir, 'certificates')}`,
      `--hostname-override=${name}`,
      `--node-ip=${address}`,
    ])
    this.#start('kube-proxy', [`--config=${join(dir, 'kube-proxy.json')}`])
  }

  async #startContainerd(): Promise<void> {
    const { place } = this
    writeFileSync(join(place.dir, 'containerd.toml'), containerdConfig(place))
    writeFileSync(join(place.dir, 'cni', '10-pods.conflist'), JSON.stringify(cniConfig(place)))
    const record = this.#start('containerd', ['--config', join(place.dir, 'containerd.toml')])
    await patiently(record, async () => (await this.#try(...this.#ctr('version'))) === 0)
  }

  #start(program: string, args: string[]): ProcessRecord {
    const { dir, tools } = this.place
    const path = `PATH=${[tools.bin, programDir(), process.env.PATH].join(':')}`
    const command = [...this.#enter(), 'env', path, programPath(program), ...args]
    return startProcess(program, 'nsenter', command, join(dir, `${program}.log`))
  }

  #ctr(...args: string[]): string[] {
    return [programPath('ctr'), '--address', socketOf(this.place), '--namespace', 'k8s.io', ...args]
  }

  #enter(): string[] {
    return ['--target', String(this.#init), '--mount', '--net', '--pid']
  }

  #inside(...command: string[]): Promise<string> {
    return mustRun('nsenter', [...this.#enter(), ...command])
  }

  async #try(...command: string[]): Promise<number> {
    return (await runProgram('nsenter', [...this.#enter(), ...command])).code
  }
}

async function firstChildOf(holder: ProcessRecord): Promise<number> {
  let child = 0
  await patiently(holder, async () => {
    child = Number(readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim())
    return child > 0
  })
  return child
}

async function patiently(record: ProcessRecord, isReady: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await isReady()); await delay(100)) {
    const over = !isAlive(record)
    if (over || performance.now() > end) {
      throw new Error(
        `${record.name} ${over ? 'has ended' : 'is not ready'}; its last lines:\n${lastLines(record, 20)}`,
      )
    }
  }
}
