// Part of npm install in a checkout: makes the first job start as soon as the later ones. Plain JavaScript, because it
// may meet an older Node; whatever is in the way here must not be in the way of the installation.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PATIENCE = 60_000

if (Number.parseInt(process.versions.node, 10) >= 24) {
  const work = fileURLToPath(new URL('build/prepare-checkout.ts', import.meta.url))
  spawnSync(process.execPath, [work], { stdio: 'ignore', timeout: PATIENCE })
}
