// Everything a container's program is started with, from the pod and this machine.
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Container, Pod } from '../../../gen/kubernetes-types.ts'
import type { PeerMarks } from '../../api/peers.ts'
import type { KubeletContext } from '../context.ts'
import { pathFor } from '../environment/base-environment.ts'
import { buildEnvironment } from '../environment/container-environment.ts'
import { expand } from '../environment/expand.ts'
import { jobOf } from '../home-directory.ts'
import type { PodEvent } from '../interfaces.ts'
import { portsIn, readMarks } from '../peers/marks.ts'
import { placeOf, rewriteMarked } from '../peers/rewrite.ts'
import { CannotStart, findProgram } from '../process/find-program.ts'
import { type Launch, locate, mountOf } from '../process/launch.ts'
import { containerMark, homeMark, podMark } from '../process/process-table.ts'
import { type Mount, planMounts, substitutePaths } from '../volumes/mounts.ts'
import { buildNamespacePrefix } from '../volumes/namespace.ts'
import { provideVolumes } from '../volumes/provide.ts'
import { provideMessageFile } from '../volumes/termination-message.ts'
import { describeSubstitution } from './not-honoured.ts'
import { isForWant } from './start-problem.ts'

const notFound = 127

export async function buildLaunch(
  context: KubeletContext,
  pod: Pod,
  container: Container,
  podDirectory: string,
  note: (event: PodEvent) => void,
): Promise<Launch> {
  const marks = readMarks(pod)
  if (marks) await context.ports.allot(jobOf(pod), portsIn(marks))
  const volumes = await mountsOf(context, pod, container, podDirectory)
  const containerDirectory = join(podDirectory, 'containers', container.name)
  mkdirSync(containerDirectory, { recursive: true, mode: 0o700 })
  const mounts = [...volumes, ...provideMessageFile(container, containerDirectory)]
  const wished = container.workingDir || join(podDirectory, 'work')
  if (container.workingDir) makeInVolume(container.workingDir, mounts)
  const prefix = enterNamespace(context, mounts, wished, containerDirectory, note)
  // Either the program sees its volumes where they are mounted, or what it is told of them is changed.
  const [mounted, substituted] = prefix ? [mounts, []] : [[], mounts]
  const rewrite = (text: string, where: { env?: string; command?: number; args?: number }) =>
    substitutePaths(rewritePeers(context, pod, container.name, text, where, marks), substituted)

  const declared = await buildEnvironment(pod, container, context.objects, (text, env) => rewrite(text, { env }))
  const lookUp = (name: string) => declared[name]
  const command = (container.command ?? []).map((text, i) => expand(rewrite(text, { command: i }), lookUp))
  const args = (container.args ?? []).map((text, i) => expand(rewrite(text, { args: i }), lookUp))
  if (command.length === 0) {
    const message = `container ${JSON.stringify(container.name)} gives no command, and the one in its image is not used here`
    throw new CannotStart(message, notFound)
  }
  const cwd = substitutePaths(wished, container.workingDir ? substituted : [])
  const problem = problemOf(locate(cwd, mounted))
  if (problem) throw new CannotStart(`its working directory ${wished} ${problem}`, 128)
  const env: Record<string, string> = {
    ...context.baseEnvironment,
    PATH: pathFor(container.image, context.baseEnvironment.PATH ?? ''),
    HOSTNAME: pod.spec?.hostname ?? pod.metadata?.name ?? '',
    ...declared,
    [podMark]: pod.metadata?.uid ?? '',
    [containerMark]: container.name,
    [homeMark]: context.home.root,
  }
  const program = findProgram(command[0]!, env.PATH ?? '', cwd, (path) => locate(path, mounted))
  const argv = [program, ...command.slice(1), ...args]
  return { argv, cwd, env, ...(prefix && { prefix, mounts: mounted }) }
}

/** A working directory that a volume does not have yet is made in it, as container engines do. */
function makeInVolume(directory: string, mounts: Mount[]): void {
  if (mountOf(directory, mounts)?.growable) mkdirSync(locate(directory, mounts), { recursive: true })
}

/** Undefined where mounts cannot be made, or there are none to make. */
function enterNamespace(
  context: KubeletContext,
  mounts: Mount[],
  cwd: string,
  place: string,
  note: (event: PodEvent) => void,
): string[] | undefined {
  const tools = mounts.some(({ mountPath, source }) => mountPath !== source) ? context.namespaceTools() : undefined
  if (!tools) return undefined
  // The pod's own directory may lie under one of its mount paths.
  const isHidden = locate(cwd, mounts) !== cwd && !existsSync(locate(cwd, mounts)) && existsSync(cwd)
  const all = isHidden ? [...mounts, { mountPath: cwd, source: cwd, readOnly: false }] : mounts
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 })
    return buildNamespacePrefix(tools, place, all, cwd, context.home.roots)
  } catch (error) {
    if (isForWant(error)) throw error
    // These mounts cannot be made, though others can: of that nobody has been told.
    note(describeSubstitution(mounts.map(({ mountPath }) => mountPath)))
    return undefined
  }
}

async function mountsOf(
  context: KubeletContext,
  pod: Pod,
  container: Container,
  podDirectory: string,
): Promise<Mount[]> {
  const places = { podVolumes: join(podDirectory, 'volumes'), claims: context.home.claims }
  const volumes = await provideVolumes(pod, places, context.objects)
  const needsEnv = container.volumeMounts?.some(({ subPathExpr }) => subPathExpr !== undefined)
  const env = needsEnv ? await buildEnvironment(pod, container, context.objects, (text) => text) : {}
  return planMounts(container, volumes, env)
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

function problemOf(directory: string): string | undefined {
  // Relative to what? Not to wherever this home was started.
  if (!isAbsolute(directory)) return 'is not an absolute path'
  if (!existsSync(directory)) return 'is not on this machine'
  if (!statSync(directory).isDirectory()) return 'is not a directory'
  try {
    accessSync(directory, constants.X_OK)
    return undefined
  } catch {
    return 'may not be entered'
  }
}
