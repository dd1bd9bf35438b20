// npm run test:cluster [-- NAME…]: the suites that need a genuine apiserver, on one control plane made for them.
import { elapsed } from './elapsed.ts'
import { startControlPlane } from './real/control-plane.ts'
import { runVitest } from './run-vitest.ts'

const names = process.argv.slice(2)
const start = performance.now()
const say = (line: string): void => console.log(`test:cluster: ${elapsed(start).padStart(7)}  ${line}`)

try {
  const plane = await startControlPlane({ say, parts: ['kube-controller-manager'] })
  try {
    const { url, ca, kubeconfig, kubectl, admin } = plane
    const cluster = { url, ca, cert: admin.cert, key: admin.key, kubeconfig, kubectl }
    process.exitCode = await runVitest({
      script: 'test:cluster',
      // Named, so that the suites' own figures come last.
      names: names.length > 0 ? names : ['test/cluster/'],
      env: { TRAINYARD_SUITE: 'cluster', TRAINYARD_REAL_CLUSTER: JSON.stringify(cluster) },
    })
  } finally {
    await plane.stop()
  }
} catch (error) {
  console.log(`test:cluster: ${(error as Error).message}`)
  process.exitCode = 1
}
