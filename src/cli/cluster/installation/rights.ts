// What the operator may do, and nothing else: no wildcard, no secrets, no writing to what is not its own. The suites of the
// real cluster compare this with what it does.
import { kinds } from '../../../api/kinds.ts'

export interface Rule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
  resourceNames?: string[]
}

const jobs = kinds.filter((kind) => kind.job)
const groups = [...new Set(jobs.map(({ group }) => group))]

/** The same for every kind of jobs, a rule for each group. */
function onJobs(subresource: string, verbs: string[]): Rule[] {
  return groups.map((group) => ({
    apiGroups: [group],
    resources: jobs.filter((kind) => kind.group === group).map(({ plural }) => `${plural}${subresource}`),
    verbs,
  }))
}

/** In every namespace it looks after. */
export const JOB_RULES: readonly Rule[] = [
  // Deleted when their time to live is over.
  ...onJobs('', ['get', 'list', 'watch', 'delete']),
  ...onJobs('/status', ['update']),
  // Owner references that block the owner's deletion ask for this right on the owner.
  ...onJobs('/finalizers', ['update']),
  { apiGroups: [''], resources: ['pods', 'services'], verbs: ['get', 'list', 'watch', 'create', 'delete'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
  {
    apiGroups: ['scheduler.tensorstack.dev'],
    resources: ['podgroups'],
    verbs: ['get', 'list', 'watch', 'create', 'delete', 'patch'],
  },
  { apiGroups: ['tensorstack.dev'], resources: ['tensorboards'], verbs: ['get', 'list', 'watch', 'create'] },
  { apiGroups: ['tensorstack.dev'], resources: ['tensorboards/status', 'tensorboards/finalizers'], verbs: ['update'] },
  // What TensorBoards run as.
  { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch', 'create', 'delete'] },
]

/** Whose definition they are says whether others act on them. */
const WATCHED = ['tensorboards.tensorstack.dev', 'podgroups.scheduler.tensorstack.dev']

/** In the whole cluster, wherever the jobs are. */
export const CLUSTER_RULES: readonly Rule[] = [
  // Whether a silent pod's node is gone.
  { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
  // Whose definition a kind is.
  {
    apiGroups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    verbs: ['get'],
    resourceNames: [...jobs.map(({ plural, group }) => `${plural}.${group}`), ...WATCHED],
  },
]

/** In the operator's own namespace: who of several is at work. */
export function leaseRules(lease: string): Rule[] {
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] }
  return [
    { ...leases, verbs: ['create'] },
    { ...leases, verbs: ['get', 'watch', 'update'], resourceNames: [lease] },
  ]
}
