// docs/metrics.md names every metric there is, and no other.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OperatorMetrics } from '../../operator/metrics.ts'
import type { World } from '../../operator/world.ts'
import { addProcessMetrics } from './process-metrics.ts'

test('docs/metrics.md', async () => {
  const metrics = new OperatorMetrics()
  addProcessMetrics(metrics.registry)
  metrics.countJobsOf({ jobs: {} as World['jobs'] }, () => ({ statuses: 0, events: 0 }))
  const page = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const described = rows.flatMap((row) => [...row.split(' | ')[0]!.matchAll(/`(\w+)`/g)].map((match) => match[1]!))
  const known = await metrics.registry.getMetricsAsJSON()
  expect(described.sort()).toEqual(known.map(({ name }) => name).sort())
  expect(await metrics.registry.metrics()).toMatch(/process_resident_memory_bytes \d{6,}/)
})
