// How a job of any kind is paused and resumed: one field, in the spelling its manifest uses.
import { switchTo } from './spellings.ts'
import type { Switch } from './types.ts'

export function pausePatch(job: { kind: string; spec?: object }, paused: boolean): object {
  if (job.kind === 'TFJob') return { spec: { runPolicy: { suspend: paused } } }
  const pause = (job.spec as { runMode?: { pause?: Switch } } | undefined)?.runMode?.pause
  return { spec: { runMode: { pause: switchTo(pause, paused) } } }
}
