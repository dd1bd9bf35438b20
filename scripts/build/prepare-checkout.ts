// The work of scripts/warm-up.js: bundles the program, and reads what a first job needs of it, so that its compiled form
// is kept (bin/compile-cache.js).
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { bundleCheckout } from './bundle-checkout.ts'

const FIRST_NEEDED = [
  'cli/run/prepare',
  'cli/run/run',
  'cli/run/follow-to-the-end',
  'cli/home/start-home',
  'main/home/home',
]

const root = resolve(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)
const { RECORD } = require('../../bin/find-program.js') as { RECORD: string }
const { keepCompiledCode } = require('../../bin/compile-cache.js') as { keepCompiledCode: () => void }

// A checkout that cannot be written, or an esbuild that cannot be run: the sources are the program then.
const bundled = await bundleCheckout(root, RECORD).catch(() => undefined)
keepCompiledCode()
process.argv = [process.argv[0]!, resolve(root, 'bin/trainyard.js'), '--version']
for (const part of ['main/cli', ...FIRST_NEEDED]) {
  const source = `src/${part}.ts`
  const file = bundled ? bundled.get(source) : source
  // As the launcher does it, so that the same is kept.
  if (file !== undefined) require(resolve(root, file))
}
