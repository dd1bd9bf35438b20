// How a job of any kind is paused and resumed: one field, in the spelling its manifest uses.
export function pausePatch(job: { kind: string; spec?: object }, paused: boolean): object {
  if (job.kind === 'TFJob') return { spec: { runPolicy: { suspend: paused } } }
  const pause = (job.spec as { runMode?: { pause?: object } } | undefined)?.runMode?.pause ?? {}
  return { spec: { runMode: { pause: { ['enabled' in pause ? 'enabled' : 'enable']: paused } } } }
}
