// Everything a container's program is started with, from the pod and this machine.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Container, Pod } from '../../../gen/kubernetes-types.ts'
import type { KubeletContext } from '../context.ts'
import { buildEnvironment } from '../environment/container-environment.ts'
import { expand } from '../environment/expand.ts'
import { jobOf } from '../home-directory.ts'
import { type PeerMarks, portsIn, readMarks } from '../peers/marks.ts'
import { placeOf, rewriteMarked } from '../peers/rewrite.ts'
import { CannotStart, findProgram } from '../process/find-program.ts'
import { containerMark, podMark } from '../process/process-table.ts'
import { type Mount, planMounts, substitutePaths } from '../volumes/mounts.ts'
import { provideVolumes } from '../volumes/provide.ts'
import type { RunStart } from './container-runs.ts'

const notFound = 127

export async function buildLaunch(
  context: KubeletContext,
  pod: Pod,
  container: Container,
  podDirectory: string,
): Promise<RunStart> {
  const marks = readMarks(pod)
  if (marks) await context.ports.allot(jobOf(pod), portsIn(marks))
  const mounts = await mountsOf(context, pod, container, podDirectory)
  const rewrite = (text: string, where: { env?: string; command?: number; args?: number }) =>
    substitutePaths(rewritePeers(context, pod, container.name, text, where, marks), mounts)

  const declared = await buildEnvironment(pod, container, context.objects, (text, env) => rewrite(text, { env }))
  const lookUp = (name: string) => declared[name]
  const command = (container.command ?? []).map((text, i) => expand(rewrite(text, { command: i }), lookUp))
  const args = (container.args ?? []).map((text, i) => expand(rewrite(text, { args: i }), lookUp))
  if (command.length === 0) {
    const message = `container ${JSON.stringify(container.name)} gives no command, and the one in its image is not used here`
    throw new CannotStart(message, notFound)
  }
  const cwd = workingDirectory(container, mounts, podDirectory)
  const env: Record<string, string> = {
    ...context.baseEnvironment,
    HOSTNAME: pod.spec?.hostname ?? pod.metadata?.name ?? '',
    ...declared,
    [podMark]: pod.metadata?.uid ?? '',
    [containerMark]: container.name,
  }
  const program = findProgram(command[0]!, env.PATH ?? '', cwd)
  return { argv: [program, ...command.slice(1), ...args], cwd, env }
}

async function mountsOf(
  context: KubeletContext,
  pod: Pod,
  container: Container,
  podDirectory: string,
): Promise<Mount[]> {
  const places = { podVolumes: join(podDirectory, 'volumes'), claims: context.home.claims }
  const { directories, keyed } = await provideVolumes(pod, places, context.objects)
  const needsEnv = container.volumeMounts?.some(({ subPathExpr }) => subPathExpr !== undefined)
  const env = needsEnv ? await buildEnvironment(pod, container, context.objects, (text) => text) : {}
  return planMounts(container, directories, keyed, env)
}

function rewritePeers(
  { ports }: KubeletContext,
  pod: Pod,
  container: string,
  text: string,
  where: { env?: string; command?: number; args?: number },
  marks: PeerMarks | undefined,
): string {
  const place = placeOf(marks, container, where)
  if (!marks || !place) return text
  return rewriteMarked(text, place, marks, (peer, port) => ports.portOf(jobOf(pod), peer, port))
}

function workingDirectory({ workingDir }: Container, mounts: Mount[], podDirectory: string): string {
  if (!workingDir) return join(podDirectory, 'work')
  const directory = substitutePaths(workingDir, mounts)
  const problem = problemOf(directory)
  if (problem) throw new CannotStart(`its working directory ${workingDir} ${problem}`, 128)
  return directory
}

function problemOf(directory: string): string | undefined {
  if (!existsSync(directory)) return 'is not on this machine'
  if (!statSync(directory).isDirectory()) return 'is not a directory'
  try {
    accessSync(directory, constants.X_OK)
    return undefined
  } catch {
    return 'may not be entered'
  }
}

/** Shells drop variables whose names they could not spell; env(1) passes them on behind the supervisor. */
export function passOddNames({ argv, cwd, env }: RunStart): RunStart {
  const odd = Object.keys(env).filter((name) => !/^[A-Za-z_]\w*$/.test(name))
  if (odd.length === 0) return { argv, cwd, env }
  const plain = Object.fromEntries(Object.entries(env).filter(([name]) => !odd.includes(name)))
  return { argv: ['/usr/bin/env', ...odd.map((name) => `${name}=${env[name]}`), ...argv], cwd, env: plain }
}
