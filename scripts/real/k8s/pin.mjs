// Writes go.mod and go.sum for a Kubernetes release: node pin.mjs v1.37.1
//
// k8s.io/kubernetes cannot be `go install`ed: its go.mod replaces the staging modules by folders
// of its own checkout. This module requires the same things and replaces each staging module by
// the one published for the same release.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const version = process.argv[2]
if (!/^v1\.\d+\.\d+$/.test(version ?? '')) {
  console.error('usage: node pin.mjs v1.X.Y')
  process.exit(2)
}
const staging = version.replace(/^v1\./, 'v0.')
const go = (...args) => execFileSync('go', args, { cwd: here, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
const { Dir: upstream } = JSON.parse(
  execFileSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@${version}`], { cwd: '/', encoding: 'utf8' }),
)
const text = readFileSync(join(upstream, 'go.mod'), 'utf8')
const line = (start) => text.split('\n').find((l) => l.startsWith(start)) ?? ''
const requires = [...text.matchAll(/^require \([\s\S]*?^\)/gm)].map((m) => m[0])
const replaces = [...text.matchAll(/^\t(\S+) => \.\/staging\//gm)].map((m) => `\t${m[1]} => ${m[1]} ${staging}`)
writeFileSync(
  join(here, 'go.mod'),
  [
    `// Written by pin.mjs ${version}.`,
    'module trainyard/real/k8s',
    line('go '),
    line('godebug '),
    `require k8s.io/kubernetes ${version}`,
    ...requires,
    `replace (\n${replaces.join('\n')}\n)`,
    '',
  ].join('\n\n'),
)
copyFileSync(join(upstream, 'go.sum'), join(here, 'go.sum'))
chmodSync(join(here, 'go.sum'), 0o644)
go('mod', 'tidy')
