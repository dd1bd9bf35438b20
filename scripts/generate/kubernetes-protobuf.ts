// How Kubernetes' Go types are written in protobuf, read from the tags in their source (in the Go modules k8s.io/api and
// k8s.io/apimachinery): Go clients send built-in kinds in no other form.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { KUBERNETES_VERSION } from './kubernetes-openapi.ts'

/** JSON name, type, and letters: r repeated, m map, i inlined, p a pointer (or omitzero), k kept when empty (no omitempty). */
export type ProtobufField = [name: string, type: string, marks: string]
export type ProtobufMessages = Record<string, Record<string, ProtobufField>>

const MODULE_VERSION = KUBERNETES_VERSION.replace('v1.', 'v0.')

const PACKAGES: Record<string, [module: string, folder: string]> = {
  'core.v1': ['k8s.io/api', 'core/v1'],
  'coordination.v1': ['k8s.io/api', 'coordination/v1'],
  'scheduling.v1': ['k8s.io/api', 'scheduling/v1'],
  'policy.v1': ['k8s.io/api', 'policy/v1'],
  'autoscaling.v1': ['k8s.io/api', 'autoscaling/v1'],
  'authorization.v1': ['k8s.io/api', 'authorization/v1'],
  'authentication.v1': ['k8s.io/api', 'authentication/v1'],
  'meta.v1': ['k8s.io/apimachinery', 'pkg/apis/meta/v1'],
}

const ROOTS = [
  ...[
    'Pod',
    'Service',
    'Endpoints',
    'Node',
    'Namespace',
    'ConfigMap',
    'Secret',
    'Event',
    'ServiceAccount',
    'Binding',
  ].map((k) => `core.v1.${k}`),
  'core.v1.PersistentVolumeClaim',
  'coordination.v1.Lease',
  'scheduling.v1.PriorityClass',
  'policy.v1.Eviction',
  'autoscaling.v1.Scale',
  'authorization.v1.SelfSubjectAccessReview',
  'authorization.v1.SelfSubjectRulesReview',
  'authentication.v1.SelfSubjectReview',
  'meta.v1.DeleteOptions',
]

/** Types that have a form of their own on the wire, or are one word under another name. */
const KNOWN: Record<string, string> = {
  'meta.v1.Time': 'time',
  'meta.v1.MicroTime': 'microtime',
  'meta.v1.FieldsV1': 'json',
  'resource.Quantity': 'quantity',
  'intstr.IntOrString': 'intorstring',
  'runtime.RawExtension': 'json',
  'types.UID': 'string',
  'types.NodeName': 'string',
}
const PLAIN: Record<string, string> = {
  string: 'string',
  bool: 'bool',
  int32: 'int',
  int64: 'int',
  uint8: 'int',
  int: 'int',
  float64: 'double',
  byte: 'bytes',
}

export function extractProtobuf(): ProtobufMessages {
  const source = new Map<string, string>()
  for (const [name, [module, folder]] of Object.entries(PACKAGES)) {
    const download = execFileSync('go', ['mod', 'download', '-json', `${module}@${MODULE_VERSION}`], {
      cwd: '/',
      encoding: 'utf8',
    })
    const dir = join((JSON.parse(download) as { Dir: string }).Dir, folder)
    const files = readdirSync(dir).filter(
      (file) => file.endsWith('.go') && !file.includes('generated') && !file.endsWith('_test.go'),
    )
    source.set(name, files.map((file) => readFileSync(join(dir, file), 'utf8')).join('\n'))
  }
  const messages: ProtobufMessages = {}
  const take = (name: string): void => {
    if (messages[name]) return
    const at = name.lastIndexOf('.')
    const [home, type] = [name.slice(0, at), name.slice(at + 1)]
    const body = new RegExp(`^type ${type} struct \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(source.get(home) ?? '')?.[1]
    if (body === undefined) throw new Error(`no Go struct ${name}`)
    const fields: Record<string, ProtobufField> = {}
    messages[name] = fields
    for (const line of body.split('\n')) {
      const tagged = /^\t(?:(\w+) +)?(\S+) +`.*?json:"([^",]*)([^"]*)".*?protobuf:"\w+,(\d+)/.exec(line)
      if (!tagged) continue
      const [, , goType = '', json = '', options = '', number = ''] = tagged
      fields[number] = field(source, home, goType, json, options)
    }
    for (const [, type] of Object.values(fields)) if (type.includes('.')) take(type)
  }
  for (const root of ROOTS) take(root)
  return Object.fromEntries(Object.entries(messages).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function field(
  source: Map<string, string>,
  home: string,
  goType: string,
  json: string,
  options: string,
): ProtobufField {
  let type = goType
  let marks = json === '' ? 'i' : ''
  if (type.startsWith('*') || options.includes('omitzero')) marks += 'p'
  if (!options.includes('omitempty')) marks += 'k'
  type = type.replace(/^\*/, '')
  for (;;) {
    const list = /^\[\](.+)$/.exec(type)
    const map = /^map\[[\w.]+\](.+)$/.exec(type)
    if (type === '[]byte') return [json, 'bytes', marks]
    if (list) {
      type = list[1]!.replace(/^\*/, '')
      marks += 'r'
    } else if (map) {
      type = map[1]!
      marks += 'm'
    } else {
      const resolved = resolve(source, home, type)
      if (resolved === type || !/^(\[\]|map\[)/.test(resolved)) return [json, resolved, marks]
      type = resolved
    }
  }
}

/** A plain type, a known one, a message (`core.v1.Pod`), or the Go type a name stands for. */
function resolve(source: Map<string, string>, home: string, type: string): string {
  if (PLAIN[type]) return PLAIN[type]
  const [short, own] = type.includes('.') ? (type.split('.') as [string, string]) : [undefined, type]
  const named =
    short === 'metav1'
      ? 'meta.v1'
      : short === 'v1' || short === 'corev1' || short === 'apiv1'
        ? 'core.v1'
        : (short ?? home)
  const full = `${named}.${own}`
  if (KNOWN[full]) return KNOWN[full]
  const text = source.get(named)
  const alias = new RegExp(`^type ${own} (?!struct|interface)(\\S+)`, 'm').exec(text ?? '')?.[1]
  if (alias) return resolve(source, named, alias)
  return /^(\[\]|map\[)/.test(type) ? type : full
}
