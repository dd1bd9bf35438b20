// Whether our kinds are there, and an operator that looks after their jobs, both of this version.
import type { Deployment } from '../../../gen/kubernetes-types.ts'
import { isForbidden, type KubeClient, type KubeObject } from '../../kube/index.ts'
import type { Check } from '../job-commands/doctor-view.ts'
import { lookAtOperator } from './await-operator.ts'
import type { Asked } from './examine-cluster.ts'
import { examineVersions } from './examine-versions.ts'
import { findOperators, watchedBy } from './find-operators.ts'
import { type Definition, findControllers, findDefinitions } from './others.ts'

const name = 'trainyard'

export async function examineTrainyard(asked: Asked): Promise<Check[]> {
  const { client, flags, kinds: wanted } = asked
  const install = `trainyard install ${flags}      (shows everything first, asks, needs admin)`
  let definitions: Definition[]
  try {
    definitions = await findDefinitions(client)
  } catch (error) {
    if (!isForbidden(error)) throw error
    return [{ name, status: 'remark', message: 'you may not look at the kinds of this cluster' }]
  }
  const needed = definitions.filter(({ kind }) => wanted.includes(kind.kind))
  const absent = needed.filter(({ state }) => state === 'absent').map(({ kind }) => kind.kind)
  if (absent.length > 0) {
    const [are, kind] = absent.length > 1 ? ['are', 'kinds'] : ['is', 'kind']
    const message = `not installed: the ${kind} ${absent.join(', ')} ${are} unknown there`
    return [{ name, status: 'problem', message, fix: install }]
  }
  const foreign = needed.filter(({ state }) => state === 'foreign').map(({ kind }) => kind.kind)
  if (foreign.length > 0) {
    const others = (await findControllers(client)).map(({ project, name: other }) => `${project}'s ${other}`)
    const who = others.length > 0 ? others.join(', ') : 'somebody else'
    const message = `${foreign.join(', ')} there ${foreign.length > 1 ? 'are' : 'is'} looked after by ${who}`
    return [{ name, status: 'remark', message, fix: `trainyard install ${flags} --take-over` }]
  }
  const operators = await findOperators(client)
  if (!operators) return [{ name, status: 'fine', message: 'the kinds are installed' }]
  if (operators.length === 0) {
    const message = 'the kinds are installed, but no operator is: jobs will not start'
    return [{ name, status: 'problem', message, fix: install }]
  }
  const operator = operators.find((each) => [undefined, asked.namespace].includes(watchedBy(each)))
  if (!operator) return [tellOfOthers(operators, asked.namespace)]
  return [
    await examineOperator(client, operator),
    examineVersions({ operator, definitions: needed }, asked.version, install),
  ]
}

function tellOfOthers(operators: readonly Deployment[], namespace: string): Check {
  const watched = operators.map(watchedBy).join(', ')
  const message = `installed for namespace ${watched} only: jobs in ${namespace} will not start`
  return { name, status: 'problem', message, fix: `have the jobs in ${watched}, or install without --watch-namespace` }
}

async function examineOperator(client: KubeClient, operator: Deployment & KubeObject): Promise<Check> {
  const state = await lookAtOperator(client, operator)
  const count = `${state.ready} of ${state.wanted} operators ready`
  if (state.ready === 0) {
    const fix = `kubectl -n ${operator.metadata.namespace} describe pods`
    return { name, status: 'problem', message: `installed, ${count}: jobs will not start`, fix }
  }
  if (state.leads === false) {
    return { name, status: 'problem', message: `installed, ${count}, but none of them leads` }
  }
  return { name, status: 'fine', message: `installed, ${count}${state.leads ? ', leader elected' : ''}` }
}
