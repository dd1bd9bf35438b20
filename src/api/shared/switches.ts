// Fields the seeds and later manuals spell differently. Both are declared; neither has a default.
import type { Rule, Schema } from '../schema/schema.ts'
import { flag } from '../schema/schema.ts'
import type { Switch } from '../types.ts'

export function switchFields(what: string): Record<string, Schema> {
  return {
    enable: flag(`${what} Off when absent. May also be written enabled.`),
    enabled: flag(`${what} Off when absent. May also be written enable.`),
  }
}

export const oneSwitch: Rule = {
  rule: '!has(self.enable) || !has(self.enabled) || self.enable == self.enabled',
  message: 'contradicts enable; both spellings mean the same, keep one',
  fieldPath: '.enabled',
  tell: (self: Switch) => ({
    message: `${self.enabled} contradicts enable: ${self.enable}{seeAlone}; both spellings mean the same, keep one`,
    path: ['enabled'],
    see: ['enable'],
  }),
}
