// npm run real -- build [NAME…] | up | down | status: a real control plane by hand.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { elapsed } from '../elapsed.ts'
import { buildPrograms, isBuilt } from './build.ts'
import { type ControlPlaneOptions, readRunning, startControlPlane, stopRecorded } from './control-plane.ts'
import { removeTraces, startNodeCluster } from './node/node-cluster.ts'
import { clusterDir, givenProgram, programPath } from './places.ts'
import { PROGRAMS } from './programs.ts'

const USAGE = `usage: npm run real -- build [NAME…]    ${PROGRAMS.map((program) => program.name).join(', ')}
       npm run real -- up [--name N] [--port P] [--audit] [--controllers] [--scheduler] [--kwok NODES] [--node]
       npm run real -- down [--name N]
       npm run real -- status [--name N]`

const start = performance.now()
const say = (line: string): void => console.error(`real: ${elapsed(start).padStart(7)}  ${line}`)

const OPTIONS = {
  name: { type: 'string', default: 'default' },
  port: { type: 'string' },
  audit: { type: 'boolean' },
  controllers: { type: 'boolean' },
  scheduler: { type: 'boolean' },
  kwok: { type: 'string' },
  node: { type: 'boolean' },
} as const

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  const [command, ...names] = positionals
  const dir = clusterDir(values.name)
  const running = readRunning(dir)
  const kubeconfig = join(dir, 'kubeconfigs', 'admin')
  switch (command) {
    case 'build':
      return build(names)
    case 'up': {
      if (!running) {
        rmSync(dir, { recursive: true, force: true })
        const start = values.node ? startWithNode : startControlPlane
        await start({
          dir,
          port: values.port ? Number(values.port) : undefined,
          audit: values.audit,
          parts: [
            ...(values.controllers || values.kwok ? ['kube-controller-manager' as const] : []),
            ...(values.scheduler || values.kwok ? ['kube-scheduler' as const] : []),
          ],
          playedNodes: values.kwok ? Number(values.kwok) : undefined,
          keepRunning: true,
          say,
        })
      } else say(`it runs already at ${running.url}; the flags of this command change nothing`)
      console.log(kubeconfig)
      return 0
    }
    case 'down':
      await stopRecorded(running?.records ?? [])
      await removeTraces(dir)
      rmSync(dir, { recursive: true, force: true })
      console.log(`real: ${running ? `${running.records.length} processes stopped` : 'nothing was running'}`)
      return 0
    case 'status':
      for (const record of running?.records ?? [])
        console.log(`${record.name.padEnd(24)} pid ${record.pid}  ${record.log}`)
      console.log(running ? `real: runs at ${running.url}, kubeconfig ${kubeconfig}` : 'real: nothing is running')
      return running ? 0 : 1
    default:
      console.error(USAGE)
      return 2
  }
}

const startWithNode = (options: ControlPlaneOptions) => startNodeCluster({ ...options, nodes: 1 })

async function build(names: string[]): Promise<number> {
  const wanted = names.length > 0 ? names : PROGRAMS.filter((program) => program.usual).map((program) => program.name)
  await buildPrograms(wanted, say)
  for (const program of PROGRAMS) {
    if (givenProgram(program.name)) console.log(`${program.name.padEnd(24)} given    ${programPath(program.name)}`)
    else if (isBuilt(program))
      console.log(`${program.name.padEnd(24)} ${program.version.padEnd(8)} ${programPath(program.name)}`)
  }
  console.log(`real: ${wanted.length} of ${wanted.length} programs ready (${elapsed(start)})`)
  return 0
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: Error) => {
    console.error(`real: ${error.message}`)
    process.exitCode = 1
  },
)
