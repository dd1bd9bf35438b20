import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Everything that is costly to make and not part of the checkout. */
export function cacheDir(): string {
  return process.env.TRAINYARD_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'trainyard')
}

export function programDir(): string {
  return join(cacheDir(), 'real', 'bin')
}

/** Where `npm run real -- up` keeps a control plane that outlives the command. */
export function clusterDir(name: string): string {
  return join(cacheDir(), 'real', 'clusters', name)
}

/** A program the user has already, in the place where Kubernetes' own test tools look. */
export function givenProgram(name: string): string | undefined {
  const assets = process.env.KUBEBUILDER_ASSETS
  const path = assets ? join(assets, name) : undefined
  return path && existsSync(path) ? path : undefined
}

export function programPath(name: string): string {
  return givenProgram(name) ?? join(programDir(), name)
}
