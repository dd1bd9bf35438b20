// The probes of one run of a container: what they make of it over time.
import type { Container, Probe } from '../../../gen/kubernetes-types.ts'
import { type ProbeTarget, probeOnce } from './probe.ts'

export interface ProbeReports {
  /** started or ready has changed. */
  changed(): void
  failed(kind: string, problem: string): void
  /** The container is to be killed: it did not start up, or it is no longer alive. */
  dead(kind: string): void
}

export class ContainerProbes {
  started: boolean
  ready: boolean
  readonly #container: Container
  readonly #target: ProbeTarget
  readonly #reports: ProbeReports
  readonly #timers = new Set<NodeJS.Timeout>()
  #stopped = false

  constructor(container: Container, startedAt: number, target: ProbeTarget, reports: ProbeReports) {
    this.#container = container
    this.#target = target
    this.#reports = reports
    this.started = !container.startupProbe
    this.ready = this.started && !container.readinessProbe
    const { startupProbe } = container
    if (startupProbe) this.#watch('Startup', startupProbe, startedAt, (well) => this.#judgeStartup(well, startedAt))
    else this.#watchOn(startedAt)
  }

  stop(): void {
    this.#stopped = true
    this.ready = false
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #judgeStartup(well: boolean, startedAt: number): boolean {
    if (!well) {
      this.#reports.dead('Startup')
      return false
    }
    this.started = true
    this.ready = !this.#container.readinessProbe
    this.#reports.changed()
    this.#watchOn(startedAt)
    return false
  }

  #watchOn(startedAt: number): void {
    const { livenessProbe, readinessProbe } = this.#container
    if (readinessProbe) {
      this.#watch('Readiness', readinessProbe, startedAt, (well) => {
        if (this.ready !== well) {
          this.ready = well
          this.#reports.changed()
        }
        return true
      })
    }
    if (livenessProbe) {
      this.#watch('Liveness', livenessProbe, startedAt, (well) => {
        if (!well) this.#reports.dead('Liveness')
        return well
      })
    }
  }

  /** `judge` hears of each threshold reached, and says whether to go on. */
  #watch(kind: string, probe: Probe, startedAt: number, judge: (well: boolean) => boolean): void {
    let inARow = 0
    let last: boolean | undefined
    const look = async () => {
      const problem = await probeOnce(probe, this.#container, this.#target)
      if (this.#stopped) return
      const well = problem === undefined
      if (problem !== undefined) this.#reports.failed(kind, problem)
      inARow = well === last ? inARow + 1 : 1
      last = well
      const threshold = well ? probe.successThreshold || 1 : probe.failureThreshold || 3
      if (inARow < threshold || judge(well)) this.#later(look, (probe.periodSeconds || 10) * 1000)
    }
    this.#later(look, Math.max(0, startedAt + (probe.initialDelaySeconds ?? 0) * 1000 - Date.now()))
  }

  #later(look: () => Promise<void>, ms: number): void {
    if (this.#stopped) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void look()
    }, ms)
    this.#timers.add(timer)
  }
}
