// Part of npm install in a checkout: reads the sources once, so that the first job need not wait for it. Plain JavaScript,
// because it may meet an older Node; whatever is in the way here must not be in the way of the installation.
import { spawnSync } from 'node:child_process'

const PARTS = ['cli/program', 'cli/run/prepare', 'cli/run/run', 'cli/run/follow-to-the-end', 'main/home/home']
const PATIENCE = 60_000

if (Number.parseInt(process.versions.node, 10) >= 24) {
  const imports = PARTS.map(
    (part) => `await import(${JSON.stringify(new URL(`../src/${part}.ts`, import.meta.url).href)})`,
  )
  const launcher = new URL('../bin/compile-cache.js', import.meta.url).href
  const program = `import { keepCompiledCode } from ${JSON.stringify(launcher)}; keepCompiledCode(); ${imports.join('; ')}`
  spawnSync(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore', timeout: PATIENCE })
}
