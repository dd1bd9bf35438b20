/** What a benchmark hands back: everything it measured, and the figures it is judged by. */
export interface BenchResult {
  figures: Record<string, unknown>
  aims: Aim[]
}

export interface Aim {
  name: string
  value: number
  atMost: number
  unit: string
}

export interface BenchOptions {
  /** Once round, quickly: it still works; its figures mean nothing. */
  smoke: boolean
  /** How often everything is measured, where that can be chosen. */
  runs?: number
  /** Whom to measure, where there are several. */
  only?: readonly string[]
}

export function isMet({ value, atMost }: Aim): boolean {
  return value <= atMost
}
