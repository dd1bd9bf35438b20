// npm run test:api [-- NAME…]: genuine clients against the embedded server; kubectl against a genuine kube-apiserver too.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { elapsed } from './elapsed.ts'
import { buildPythonClient } from './python-client.ts'
import { startControlPlane } from './real/control-plane.ts'
import { runVitest } from './run-vitest.ts'

const start = performance.now()
const say = (line: string): void => console.log(`test:api: ${elapsed(start).padStart(7)}  ${line}`)

/** The control plane that is there already, or one for this run. */
async function withReal<T>(use: (cluster: string) => Promise<T>): Promise<T> {
  const given = process.env.TRAINYARD_REAL_CLUSTER
  if (given) return use(given)
  const plane = await startControlPlane({ say, parts: ['kube-controller-manager'] })
  try {
    const { url, ca, kubeconfig, kubectl, admin } = plane
    return await use(JSON.stringify({ url, ca, cert: admin.cert, key: admin.key, kubeconfig, kubectl }))
  } finally {
    await plane.stop()
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'trainyard-test-api-'))
const figures = join(scratch, 'figures')
try {
  const python = await buildPythonClient(say)
  const names = process.argv.slice(2)
  const code = await withReal((cluster) =>
    runVitest({
      script: 'test:api',
      names: names.length > 0 ? names : ['test/api/'],
      env: {
        TRAINYARD_SUITE: 'api',
        TRAINYARD_PYTHON: python,
        TRAINYARD_REAL_CLUSTER: cluster,
        TRAINYARD_API_FIGURES: figures,
      },
    }),
  )
  const seen = existsSync(figures) ? readFileSync(figures, 'utf8').split('\n').filter(Boolean).sort() : []
  if (seen.length > 0) console.log(`test:api: ${seen.join(', ')}`)
  process.exitCode = code
} catch (error) {
  console.log(`test:api: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
