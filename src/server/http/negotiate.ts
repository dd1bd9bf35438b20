import { notAcceptable } from '../status-error.ts'

export type Form = 'object' | 'table' | 'metadata' | 'aggregated-discovery'

export interface Accepted {
  form: Form
  yaml: boolean
}

const SERVED = ['application/json', 'application/yaml']

/** The first form in the Accept header that this server writes. Protobuf is not written: clients that offer JSON too get it. */
export function negotiate(accept: string | undefined, forms: readonly Form[]): Accepted {
  if (!accept) return { form: forms.includes('object') ? 'object' : (forms[0] ?? 'object'), yaml: false }
  for (const range of accept.split(',')) {
    const [type = '', ...rest] = range.split(';').map((part) => part.trim())
    const parameters = Object.fromEntries(rest.map((part) => part.split('=') as [string, string]))
    const isJson = type === 'application/json' || type === '*/*' || type === 'application/*'
    const isYaml = type === 'application/yaml'
    if (!isJson && !isYaml) continue
    const form = formOf(parameters)
    if (form && forms.includes(form)) return { form, yaml: isYaml }
  }
  throw notAcceptable(SERVED)
}

function formOf({ as, g, v }: Record<string, string>): Form | undefined {
  if (as === undefined) return 'object'
  if (as === 'Table' && g === 'meta.k8s.io' && v === 'v1') return 'table'
  if ((as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') && g === 'meta.k8s.io' && v === 'v1')
    return 'metadata'
  if (as === 'APIGroupDiscoveryList' && g === 'apidiscovery.k8s.io' && v === 'v2') return 'aggregated-discovery'
  return undefined
}
