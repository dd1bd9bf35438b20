import type { RunGroups } from '../limits/cgroups.ts'
import type { Mount } from '../volumes/mounts.ts'

/** How a container's program is started, for itself and for those who want to run another one beside it. */
export interface Launch {
  /** The program as a path, as it sees the machine, and its arguments. */
  argv: string[]
  cwd: string
  env: Record<string, string>
  /** Words before a program that make it see its volumes at their mount paths, and which those are. */
  prefix?: string[]
  mounts?: Mount[]
  /** The cgroups it runs in, as far as it has some of its own. */
  groups?: RunGroups
}

/** What to spawn, and in which directory and environment of this machine. */
export function arrange(
  { cwd, env, prefix }: Launch,
  argv: string[],
): { argv: string[]; cwd: string; env: Record<string, string> } {
  const named = passOddNames(argv, env)
  return prefix ? { ...named, argv: [...prefix, ...named.argv], cwd: '/' } : { ...named, cwd }
}

/** Where a path as the program sees it really is. */
export function locate(path: string, mounts: Mount[] = []): string {
  const mount = mountOf(path, mounts)
  return mount ? mount.source + path.slice(mount.mountPath.length) : path
}

/** The innermost mount in which a path lies. */
export function mountOf(path: string, mounts: Mount[]): Mount | undefined {
  const holds = ({ mountPath }: Mount) => path === mountPath || path.startsWith(`${mountPath}/`)
  return mounts.filter(holds).sort((a, b) => b.mountPath.length - a.mountPath.length)[0]
}

/** Shells drop variables whose names they could not spell; env(1) passes them on behind the supervisor. */
function passOddNames(argv: string[], env: Record<string, string>) {
  const odd = Object.keys(env).filter((name) => !/^[A-Za-z_]\w*$/.test(name))
  if (odd.length === 0) return { argv, env }
  const plain = Object.fromEntries(Object.entries(env).filter(([name]) => !odd.includes(name)))
  return { argv: ['/usr/bin/env', '--', ...odd.map((name) => `${name}=${env[name]}`), ...argv], env: plain }
}
