// What is said when a job has been created.
import { read } from '../../core/read.ts'
import type { CommandContext } from '../context.ts'
import type { Cluster } from '../home/connect.ts'
import { activeEnvironment, findHome, homeDirectory, shortPath } from '../home/home-state.ts'
import type { AnyJob } from '../home/running-jobs.ts'
import { printable, wrap } from '../output/text.ts'
import { NO_IMAGE } from './no-image.ts'
import { clock, counted } from './words.ts'

export function describeJob(context: CommandContext, cluster: Cluster, job: AnyJob, event: string, elapsed = 0): void {
  const { terminal, err } = context
  const { name, namespace } = job.metadata
  const where = cluster.context === undefined ? '' : ` in ${cluster.context}/${namespace}`
  const what = `${job.kind}, ${shapeOf(job)}`
  if (terminal.outIsTerminal) {
    terminal.err(`${err.paint('dim', 'job')}      ${err.paint('bold', name!)} ${event}${where}   ${what}\n`)
  } else terminal.err(`trainyard: ${clock(elapsed)} ${name} ${event}${where}: ${what}\n`)
}

/** `1 master + 3 workers`, `2 workers, torchrun, 1 process each`. */
export function shapeOf(job: AnyJob): string {
  const { roles, environment } = read(job)
  const parts = roles.map(({ type, replicas }) => (type === 'ps' ? `${replicas} ps` : counted(replicas, type)))
  const torchrun = environment.framework === 'pytorch' ? environment.torchrun : undefined
  if (!torchrun) return parts.join(' + ')
  const per = torchrun.procPerNode ?? '1'
  const processes = /^\d+$/.test(per)
    ? `${counted(Number(per), 'process').replace('processs', 'processes')} each`
    : `${per} processes each`
  return `${parts.join(' + ')}, torchrun, ${processes}`
}

/** Programs are looked for where the home was started, which may have been before an environment was made active here. */
export function environmentNote({ terminal }: CommandContext): void {
  const active = activeEnvironment(terminal.env)
  const home = active === undefined ? undefined : findHome(homeDirectory(terminal.env))
  if (active === undefined || home === undefined || home.environment === active) return
  const where = shortPath(active, terminal.env)
  terminal.err(`trainyard: ${where} is active here, but not in the home: jobs do not find what is installed in it\n`)
  terminal.err('  start the home anew in it  trainyard down && trainyard up\n')
}

/** What of the manifest cannot be honoured where pods are processes. */
export function runtimeNote({ terminal, err }: CommandContext, job: AnyJob): void {
  if (!terminal.outIsTerminal) return
  const containers = read(job).roles.flatMap(({ template }) => [
    ...(template.spec?.initContainers ?? []),
    ...(template.spec?.containers ?? []),
  ])
  const images = [...new Set(containers.flatMap(({ image }) => (image && image !== NO_IMAGE ? [image] : [])))]
  if (images.length === 0) return
  const which = images.length === 1 ? `image ${images[0]} is` : `images ${images.join(', ')} are`
  const text = `process   commands run as they are on this machine; ${which} not used here`
  const [first, ...rest] = wrap(printable(text), err.width - 9, '')
  terminal.err(`${err.paint('dim', 'runtime')}  ${first}\n${rest.map((line) => `         ${line}\n`).join('')}`)
}
