// npm run test:node [-- NAME…]: jobs on genuine nodes, with kubelets, containers and cluster DNS. Needs root.
import { join } from 'node:path'
import { elapsed } from './elapsed.ts'
import { startNodeCluster } from './real/node/node-cluster.ts'
import { nodeImage } from './real/node/node-image.ts'
import { tensorboardImage } from './real/node/tensorboard-image.ts'
import { runTests } from './run-vitest.ts'
import { provideFramework } from './training/frameworks.ts'

const IMAGE = 'real.local/node:1'
const TENSORBOARD_IMAGE = 'real.local/tensorboard:1'
const TENSORBOARD_NODE = 'node-0'

const names = process.argv.slice(2)
const start = performance.now()
const say = (line: string): void => console.log(`test:node: ${elapsed(start).padStart(7)}  ${line}`)

async function main(): Promise<number> {
  const programs = await provideFramework('tensorboard', say)
  const { plane, nodes, stop } = await startNodeCluster({
    nodes: 2,
    images: async (tools) => [
      await nodeImage(IMAGE, tools),
      { ...(await tensorboardImage(TENSORBOARD_IMAGE, programs, tools)), node: TENSORBOARD_NODE },
    ],
    // What takes minutes in a cluster, so that nobody has to wait for it here.
    extraApiserverArgs: ['--default-unreachable-toleration-seconds=1', '--default-not-ready-toleration-seconds=1'],
    extraControllerArgs: ['--node-monitor-grace-period=20s', '--node-monitor-period=1s'],
    say,
  })
  try {
    const { url, ca, kubeconfig, kubectl, admin, auditLog } = plane
    const cluster = { url, ca, cert: admin.cert, key: admin.key, kubeconfig, kubectl, auditLog, users: {} }
    const tensorboard = { image: TENSORBOARD_IMAGE, node: TENSORBOARD_NODE, python: join(programs, 'python3') }
    const holders = Object.fromEntries(nodes.map(({ place, holder }) => [place.name, holder.pid]))
    const result = await runTests({
      script: 'test:node',
      names: names.length > 0 ? names : ['test/node/'],
      env: {
        TRAINYARD_SUITE: 'node',
        TRAINYARD_REAL_CLUSTER: JSON.stringify(cluster),
        TRAINYARD_REAL_NODES: JSON.stringify({ image: IMAGE, holders, tensorboard }),
      },
    })
    console.log(`test:node: ${result.passed} passed, ${result.failed} failed on 2 genuine nodes (${elapsed(start)})`)
    return result.code
  } finally {
    await stop()
  }
}

process.exitCode = await main().catch((error: Error) => {
  console.log(`test:node: ${error.message}`)
  return 1
})
