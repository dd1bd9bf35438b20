import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = import.meta.dirname
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)

test.each(files)('%s does not know which home it is in', (file) => {
  const text = readFileSync(join(folder, file), 'utf8')
  const imported = [...text.matchAll(/from '(\.[^']*)'/g)].map((match) => match[1]!)
  for (const path of imported)
    expect(path).not.toMatch(/\/(server|kubelet|scheduler|operator|core|scripts|cluster|main|cli)\b/)
  expect(text).not.toMatch(/embedded|kwok|kube-apiserver|minikube|process\.env|127\.0\.0\.1|localhost/i)
})

test('there are files to look at', () => {
  expect(files.length).toBeGreaterThan(5)
})
