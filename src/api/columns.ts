// What `kubectl get` shows. The API server can only point at fields, so RUNNING has no total here.

export interface PrinterColumn {
  name: string
  type: 'string' | 'integer' | 'date' | 'boolean'
  jsonPath: string
  description?: string
  priority?: number
}

const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }
const running = (at: string): PrinterColumn => ({
  name: 'Running',
  type: 'integer',
  jsonPath: `${at}.aggregate.running`,
  description: 'Replicas that run now.',
})
const restarts = (at: string): PrinterColumn => ({
  name: 'Restarts',
  type: 'integer',
  jsonPath: `${at}.backoffCount`,
  description: 'Restarts granted so far.',
})
const started: PrinterColumn = {
  name: 'Started',
  type: 'date',
  jsonPath: '.status.startTime',
  description: 'How long ago the first pods were made.',
}
const finished: PrinterColumn = {
  name: 'Finished',
  type: 'date',
  jsonPath: '.status.completionTime',
  description: 'How long ago the job ended.',
}

const wide = (column: PrinterColumn): PrinterColumn => ({ ...column, priority: 1 })

export const jobColumns: PrinterColumn[] = [
  { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
  running('.status'),
  restarts('.status'),
  started,
  finished,
  age,
  wide({ name: 'Succeeded', type: 'integer', jsonPath: '.status.aggregate.succeeded' }),
  wide({ name: 'Failed', type: 'integer', jsonPath: '.status.aggregate.failed' }),
  wide({ name: 'Queue', type: 'string', jsonPath: '.spec.scheduler.t9kScheduler.queue' }),
]

export const tfJobColumns: PrinterColumn[] = [
  { name: 'State', type: 'string', jsonPath: '.status.conditions[-1:].type' },
  running('.status.trainyard'),
  restarts('.status.trainyard'),
  started,
  finished,
  age,
]

export const podGroupColumns: PrinterColumn[] = [
  { name: 'Min', type: 'integer', jsonPath: '.spec.minMember' },
  { name: 'Queue', type: 'string', jsonPath: '.spec.queue' },
  { name: 'Priority', type: 'integer', jsonPath: '.spec.priority' },
  { name: 'Running', type: 'integer', jsonPath: '.status.running' },
  age,
]

export const queueColumns: PrinterColumn[] = [
  { name: 'Priority', type: 'integer', jsonPath: '.spec.priority' },
  { name: 'Closed', type: 'boolean', jsonPath: '.spec.closed' },
  { name: 'Running', type: 'integer', jsonPath: '.status.pods.running' },
  { name: 'Pending', type: 'integer', jsonPath: '.status.pods.pending' },
  age,
]

export const tensorBoardColumns: PrinterColumn[] = [
  { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
  { name: 'URL', type: 'string', jsonPath: '.status.url' },
  age,
]
