// npm run test:cluster [-- NAME…]: the suites that need a genuine apiserver.
import { readdirSync } from 'node:fs'
import { CLUSTER_SUITES, runClusterSuite } from './cluster-suites.ts'
import { elapsed } from './elapsed.ts'

const names = process.argv.slice(2)
const start = performance.now()
const say = (line: string): void => console.log(`test:cluster: ${elapsed(start).padStart(7)}  ${line}`)

function hasFiles(folder: string): boolean {
  const files = readdirSync(`test/${folder}`, { recursive: true, encoding: 'utf8' })
  return files.some(
    (file) => file.endsWith('.test.ts') && names.some((name) => `test/${folder}/${file}`.includes(name)),
  )
}

async function main(): Promise<number> {
  const folders = Object.keys(CLUSTER_SUITES) as (keyof typeof CLUSTER_SUITES)[]
  const wanted = names.length === 0 ? folders : folders.filter(hasFiles)
  if (wanted.length === 0) {
    console.log(`test:cluster: nothing was run; no test file is called ${names.join(' or ')}`)
    return 1
  }
  let code = 0
  let passed = 0
  let failed = 0
  for (const folder of wanted) {
    // Named, so that the suites' own figures come last.
    const filter = names.length > 0 ? names : [`test/${folder}/`]
    const result = await runClusterSuite({ script: 'test:cluster', folder, names: filter, say })
    code ||= result.code
    passed += result.passed
    failed += result.failed
  }
  console.log(`test:cluster: ${passed} passed, ${failed} failed (${wanted.join(' and ')}, ${elapsed(start)})`)
  return code
}

process.exitCode = await main().catch((error: Error) => {
  console.log(`test:cluster: ${error.message}`)
  return 1
})
