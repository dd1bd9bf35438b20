// The profiles that limit the size of single pods, as T9k keeps them: YAML in a ConfigMap, rules by resource. Rules for
// other resources than pods say nothing here: what a job asks for is what its pods ask for.
import { parse } from 'yaml'
import type { ConfigMap } from '../../../gen/kubernetes-types.ts'
import type { SizeRule } from '../place/snapshot.ts'
import { amountsOf } from './amounts.ts'

export type Profiles = ReadonlyMap<string, readonly SizeRule[]>

type Quantities = Record<string, number | string>

interface Rule {
  apiGroups?: string[]
  resources?: string[]
  resourceShape?: { requests?: Quantities; limits?: Quantities }
}

/** Throws if it is no YAML; what has another form than it should have limits nothing. */
export function readProfiles({ data }: Pick<ConfigMap, 'data'>): Profiles {
  const config: unknown = parse(data?.['config.yaml'] ?? '')
  const profiles = listIn<{ name?: string; rules?: unknown }>(config, 'profiles')
  return new Map(
    profiles.map((profile) => [
      String(profile.name),
      listIn<Rule>(profile, 'rules')
        .filter(isForPods)
        .map(({ resourceShape = {} }) => ({
          requests: amountsOf(resourceShape.requests ?? {}),
          limits: amountsOf(resourceShape.limits ?? {}),
        })),
    ]),
  )
}

function isForPods({ apiGroups, resources }: Rule): boolean {
  const names = (list: unknown, ...wanted: string[]): boolean =>
    Array.isArray(list) && list.some((each) => each === '*' || wanted.includes(each))
  return names(apiGroups, '') && names(resources, 'pods')
}

function listIn<T extends object>(value: unknown, key: string): T[] {
  const list = (value as Record<string, unknown> | null | undefined)?.[key]
  return Array.isArray(list) ? list.filter((each) => typeof each === 'object' && each !== null) : []
}
