import type { JobCondition } from '../../../api/types.ts'
import type { AnyJob } from '../../home/running-jobs.ts'

const REFUSALS = ['CreationRefused', 'NameTaken']
/** `Pod digits-820d8-master-0 could not be created: pods "digits-820d8-master-0" is forbidden: exceeded quota …`. */
const KNOWN = /^(?:\w+ \S+ could not be created|Error creating): (?:\S+ "[^"]*" is (?:forbidden|invalid): )?/

/** Why the cluster lets none of a job's missing pods be made. Only the reason: what is known to whoever looks at a replica would
 * push it off the line. */
export function refusalOf({ status }: AnyJob): string | undefined {
  // A TFJob's are not in our own record but among Kubeflow's.
  const conditions = (status as { conditions?: JobCondition[] | null } | undefined)?.conditions ?? []
  const told = conditions.find(({ type, status }) => REFUSALS.includes(type) && status === 'True')
  return told?.message?.replace(KNOWN, '')
}
