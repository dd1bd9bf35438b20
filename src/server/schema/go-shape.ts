import messages from '../../../gen/kubernetes-protobuf.json' with { type: 'json' }
import { isObject } from '../../lib/json.ts'

type Field = [name: string, type: string, marks: string]
type Fields = Record<string, unknown>
const MESSAGES = messages as unknown as Record<string, Record<string, Field>>

/** `io.k8s.api.core.v1.Pod` → `core.v1.Pod`; undefined where the Go type is not known. */
export function goMessage(definition: string): string | undefined {
  const name = definition.split('.').slice(-3).join('.')
  return Object.hasOwn(MESSAGES, name) ? name : undefined
}

/** The fields of a message in the order Go writes them, with the message each is made of; maps have none. */
export function fieldsInOrder(message: string): Array<[name: string, message: string | undefined]> {
  return Object.values(MESSAGES[message] ?? {}).flatMap(([name, type, marks]): Array<[string, string | undefined]> => {
    if (marks.includes('i')) return fieldsInOrder(type)
    return [[name, Object.hasOwn(MESSAGES, type) && !marks.includes('m') ? type : undefined]]
  })
}

/**
 * Makes an object look as if Go had written it: fields of plain types vanish when they are zero,
 * structs that are no pointers are always there, and so is what has no omitempty.
 */
export function shapeLikeGo(message: string, object: Fields): void {
  for (const [name, type, marks] of Object.values(MESSAGES[message] ?? {})) {
    if (marks.includes('i')) shapeLikeGo(type, object)
    else shapeField(object, name, type, marks)
  }
}

function shapeField(object: Fields, name: string, type: string, marks: string): void {
  const value = object[name]
  const isMessage = Object.hasOwn(MESSAGES, type)
  if (marks.includes('r') || marks.includes('m')) {
    if (isMessage)
      for (const item of Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [])
        if (isObject(item)) shapeLikeGo(type, item)
    if (value === undefined && marks.includes('k')) object[name] = null
    return
  }
  if (marks.includes('p')) {
    if (isMessage && isObject(value)) shapeLikeGo(type, value)
    return
  }
  if (isMessage) {
    const struct = isObject(value) ? value : {}
    shapeLikeGo(type, struct)
    object[name] = struct
  } else if (value === undefined) {
    const zero = zeroOf(type, marks)
    if (zero !== undefined) object[name] = zero
  } else if ((value === '' || value === 0 || value === false) && !marks.includes('k') && type !== 'intorstring') {
    delete object[name]
  }
}

/** What Go writes for an absent value; undefined where it leaves it out. */
function zeroOf(type: string, marks: string): unknown {
  if (type === 'time' || type === 'microtime') return null
  if (type === 'quantity') return '0'
  if (type === 'intorstring') return 0
  if (!marks.includes('k')) return undefined
  return type === 'string' ? '' : type === 'bool' ? false : type === 'int' ? 0 : null
}

/** Definitions are not among the messages; this is what the empty one looks like. */
const EMPTY_DEFINITION: Fields = {
  spec: { group: '', names: { plural: '', kind: '' }, scope: '', versions: null },
  status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
}

/** An object of the kind with nothing in it, as Go writes it. */
export function emptyLikeGo(definition: string): Fields {
  if (definition.endsWith('.CustomResourceDefinition')) return structuredClone(EMPTY_DEFINITION)
  const message = goMessage(definition)
  const empty: Fields = {}
  if (message) shapeLikeGo(message, empty)
  return empty
}
