// `npm run generate` writes everything that is generated; `-- --check` says what is stale; `-- kubernetes` first takes
// Kubernetes' OpenAPI and protobuf forms anew from its Go modules and a genuine kube-apiserver (needs Go).
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { extractOpenApi } from './kubernetes-openapi.ts'
import { extractProtobuf } from './kubernetes-protobuf.ts'
import { generateTypes } from './kubernetes-types.ts'
import { readPublished } from './published-openapi.ts'
import { buildStructural } from './structural.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string | undefined => {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return undefined
  }
}
const args = process.argv.slice(2)
const check = args.includes('--check')
const OPENAPI = 'gen/kubernetes-openapi.json'
const stale: string[] = []
let count = 0

function put(file: string, content: string): void {
  count++
  if (read(file) === content) return
  stale.push(file)
  if (check) return
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), content)
}

/** What is there in a generated folder and is not generated any more. */
function dropOthers(folder: string, kept: Iterable<string>): void {
  const keep = new Set(kept)
  let names: string[] = []
  try {
    names = readdirSync(join(root, folder))
  } catch {
    return
  }
  for (const name of names) {
    const file = `${folder}/${name}`
    if (keep.has(file)) continue
    stale.push(file)
    if (!check) rmSync(join(root, file))
  }
}

if (args.includes('kubernetes')) {
  put(OPENAPI, `${JSON.stringify(extractOpenApi(), null, 1)}\n`)
  const messages = Object.entries(extractProtobuf()).map(
    ([name, fields]) => `${JSON.stringify(name)}: ${JSON.stringify(fields)}`,
  )
  put('gen/kubernetes-protobuf.json', `{\n${messages.join(',\n')}\n}\n`)
  const published = Object.entries(await readPublished()).map(
    ([name, schema]) => `${JSON.stringify(name)}: ${JSON.stringify(schema)}`,
  )
  put('gen/kubernetes-openapi-v3.json', `{\n${published.join(',\n')}\n}\n`)
}
const definitions = JSON.parse(read(OPENAPI)!)
put('gen/kubernetes-types.ts', generateTypes(definitions))
put('gen/kubernetes-schemas.json', `${JSON.stringify(buildStructural(definitions))}\n`)

// The kinds read the schemas written above, so they are loaded only now.
const { buildCrds } = await import('./crds.ts')
const { generateApiTypes } = await import('./api-types.ts')
put('gen/api-types.ts', generateApiTypes())
const crds = buildCrds()
for (const [file, content] of crds) put(file, content)
dropOthers('deploy/crds', crds.keys())
const { buildDeploy } = await import('./deploy.ts')
const deploy = buildDeploy()
for (const [file, content] of deploy) put(file, content)
dropOthers('deploy/charts/trainyard-crds/templates', deploy.keys())
dropOthers('deploy/charts/trainyard/files', deploy.keys())
const { buildReference } = await import('./reference.ts')
const reference = buildReference()
for (const [file, content] of reference) put(file, content)
dropOthers('docs/reference', reference.keys())
const { COVERAGE_DOC, renderCoverage } = await import('../check/coverage.ts')
put(COVERAGE_DOC, renderCoverage())

for (const file of stale) console.log(check ? `stale: ${file}` : `written: ${file}`)
const advice = check && stale.length > 0 ? '; run: npm run generate' : ''
console.log(`generate: ${count} files, ${stale.length} ${check ? 'stale' : 'written'}${advice}`)
if (check && stale.length > 0) process.exitCode = 1
