import { int, type Rule, record, type Schema, text } from '../schema/schema.ts'
import { fixed } from './rules.ts'

const oneQueue: Rule = {
  rule: '!has(self.queue) || !has(self.Queue) || self.queue == self.Queue',
  message: 'contradicts queue; both spellings mean the same, keep one',
  fieldPath: '.Queue',
  tell: (self: { queue: string; Queue: string }) => ({
    message: `"${self.Queue}" contradicts queue: ${self.queue}{seeAlone}; both spellings mean the same, keep one`,
    path: ['Queue'],
    see: ['queue'],
  }),
}

const someQueue: Rule = {
  rule: 'has(self.queue) || has(self.Queue)',
  message: 'name the queue',
  fieldPath: '.queue',
  reason: 'FieldValueRequired',
  tell: () => ({ message: 'is missing', path: ['queue'] }),
}

export const priority = (standard: number): Schema =>
  int('Within its queue, groups of higher priority go first.', { minimum: 0, maximum: 100, default: standard })

export function scheduler(standardPriority: number): Schema {
  return record('Who places the pods; without it, the cluster itself.', {
    t9kScheduler: record(
      'All pods of the job are placed together, from a queue.',
      {
        queue: text('The queue the job waits in.', { minLength: 1, maxLength: 253 }),
        Queue: text('The same as queue.', { minLength: 1, maxLength: 253 }),
        priority: priority(standardPriority),
      },
      { 'x-kubernetes-validations': [oneQueue, someQueue] },
    ),
  })
}

const at = ['scheduler', 't9kScheduler'] as const

/** The priority may change, the queue may not, nor may the job enter or leave the scheduler. */
export const schedulerChanges: Rule[] = [fixed(...at, 'queue'), fixed(...at, 'Queue')]
