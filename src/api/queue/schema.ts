import { flag, int, list, map, type Rule, record, type Schema, text } from '../schema/schema.ts'
import { root } from '../shared/job-name.ts'
import { labelSelector } from '../shared/kubernetes.ts'
import { priority } from '../shared/scheduler.ts'
import { condition } from '../shared/status.ts'

const quantity: Schema = { 'x-kubernetes-int-or-string': true, maxLength: 64 }
const requests = (description: string): Schema => map(description, quantity, { maxProperties: 64 })

const oneQuota: Rule = {
  rule: '!has(self.requests) || !has(self.quota) || !has(self.quota.requests) || self.requests == self.quota.requests',
  message: 'contradicts quota.requests; both places mean the same, keep one',
  fieldPath: '.requests',
  tell: () => ({
    message: 'contradicts quota.requests{seeAlone}; both places mean the same, keep one',
    path: ['requests'],
    see: ['quota', 'requests'],
  }),
}

const spec = record(
  'What the jobs of a queue may use, and how they are treated.',
  {
    quota: record('What all pods of the queue may ask for together.', { requests: requests('By resource.') }),
    requests: requests('The older place of quota.requests.'),
    priority: priority(0),
    preemptible: flag('Whether pods may be removed for the sake of queues of higher priority. Yes when absent.'),
    closed: flag('A closed queue takes no new jobs.'),
    maxDuration: text('How long a job may exist, for example 1d12h.', {
      pattern: '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$',
      patternMeans: 'is no duration; write for example 1d12h or 90m',
    }),
    resourceShapeProfile: text('The profile that limits the size of a single workload.'),
    nodeSelector: { ...labelSelector, description: 'The nodes the queue may use; all when absent.' },
    namespaceSelector: { ...labelSelector, description: 'The namespaces that may use the queue.' },
  },
  { 'x-kubernetes-validations': [oneQuota] },
)

const status = record('What is in the queue now.', {
  conditions: list('How the queue is doing.', condition()),
  allocated: map('What its pods ask for together.', quantity),
  podGroups: record('Its groups.', { total: int('How many there are.') }),
  pods: record('Its pods, by state.', {
    pending: int('Waiting.'),
    running: int('Running.'),
    succeeded: int('Succeeded.'),
    failed: int('Failed.'),
    unknown: int('In an unknown state.'),
  }),
})

export const queue: Schema = root('A queue that jobs wait in.', { type: 'object' }, spec, status)
