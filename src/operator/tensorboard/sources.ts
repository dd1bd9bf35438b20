// Where a TensorBoard's logs lie, whichever of the ways to say it was taken.
import type { TensorBoardSpec } from '../../api/types.ts'

export interface ClaimSource {
  kind: 'claim'
  claim: string
  path: string
}

export type Source = ClaimSource | { kind: 's3'; uri: string; secret?: string } | { kind: 'http'; url: string }

export interface Sources {
  sources: Source[]
  /** Places that cannot be understood, in words. */
  problems: string[]
}

export function readSources({ trainingLogFilesets = [], logDir = {} }: TensorBoardSpec): Sources {
  const sources: Source[] = []
  const problems: string[] = []
  const add = (source: Source | string): void =>
    void (typeof source === 'string' ? problems : sources).push(source as never)
  for (const fileset of trainingLogFilesets) add(readFileset(fileset))
  for (const volume of logDir.pvc ?? []) {
    const paths = [volume.subPath ?? volume.subpath ?? ''].flat()
    for (const path of paths.length > 0 ? paths : ['']) add(inClaim(volume.name, path, `logDir.pvc ${volume.name}`))
  }
  for (const uri of logDir.s3?.uri ?? []) {
    if (/^s3:\/\/[^/]+/.test(uri)) add({ kind: 's3', uri, secret: logDir.s3?.secretRef?.name })
    else add(`logDir.s3.uri ${JSON.stringify(uri)} is not s3://<bucket>/<path>`)
  }
  for (const url of logDir.http?.url ?? []) {
    if (/^https?:\/\/[^/]+/.test(url)) add({ kind: 'http', url })
    else add(`logDir.http.url ${JSON.stringify(url)} is not an http address`)
  }
  if (sources.length === 0 && problems.length === 0)
    problems.push('neither trainingLogFilesets nor logDir names a place')
  return { sources, problems }
}

export function claimsAmong(sources: readonly Source[]): ClaimSource[] {
  return sources.filter((source) => source.kind === 'claim')
}

export const LOGS = '/logs'

/** Where it is found in the TensorBoard's own pod. */
export function pathOf({ claim, path }: ClaimSource): string {
  return [LOGS, claim, path].filter(Boolean).join('/')
}

export function wordsOf({ claim, path }: ClaimSource): string {
  return path ? `folder ${path} of the claim ${claim}` : `the claim ${claim}`
}

function readFileset(fileset: string): Source | string {
  const [, kind, rest = ''] = /^t9k:\/\/(pvc|minio)\/(.+)$/.exec(fileset) ?? []
  const [first = '', ...others] = rest.split('/')
  if (kind === 'pvc' && first !== '') return inClaim(first, others.join('/'), `trainingLogFilesets ${fileset}`)
  if (kind === 'minio' && first !== '' && others[0])
    return { kind: 's3', uri: `s3://${others.join('/')}`, secret: first }
  return `trainingLogFilesets ${JSON.stringify(fileset)} is neither t9k://pvc/<claim>/<path> nor t9k://minio/<secret>/<bucket>/<path>`
}

function inClaim(claim: string, path: string, where: string): Source | string {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.')
  if (steps.includes('..')) return `${where}: ${JSON.stringify(path)} leads out of the claim`
  return { kind: 'claim', claim, path: steps.join('/') }
}
