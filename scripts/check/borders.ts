// Who may import whom. The table is the architecture; see docs/architecture.md for the reasons.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { listFiles } from '../source-files.ts'
import type { StepResult } from './step.ts'

interface Border {
  /** Folders of src/ (or single files in them), and `gen`. A folder may always import itself. */
  may: readonly string[]
  /** No I/O, no clock, no randomness. */
  pure?: true
}

const BORDERS: Record<string, Border> = {
  lib: { may: [], pure: true },
  api: { may: ['gen', 'lib'], pure: true },
  core: { may: ['api', 'gen', 'lib'], pure: true },
  kube: { may: ['gen', 'lib'] },
  operator: { may: ['core', 'kube', 'api', 'gen', 'lib'] },
  scheduler: { may: ['kube', 'api', 'gen', 'lib'] },
  kubelet: { may: ['kube', 'api', 'gen', 'lib'] },
  server: { may: ['api', 'gen', 'lib'] },
  rehearse: { may: ['core', 'api', 'operator/execute', 'gen', 'lib'], pure: true },
  // Of a home's machine a command reads what lies there: the logs.
  cli: { may: ['kube', 'api', 'core', 'rehearse', 'kubelet/logs', 'gen', 'lib'] },
  // The entry points: programs are put together here, and the package's door for TypeScript users is here.
  main: {
    may: ['cli', 'operator', 'server', 'kubelet', 'scheduler', 'rehearse', 'core', 'kube', 'api', 'gen', 'lib'],
  },
}

const IMPURE: readonly [pattern: RegExp, what: string][] = [
  [/\bDate\.now\b/, 'Date.now'],
  [/\bnew Date\(\s*\)/, 'new Date()'],
  [/\bMath\.random\b/, 'Math.random'],
  [/(?<![.\w'"])process\./, 'process'],
  [/(?<![.\w])performance\./, 'performance'],
  [/(?<![.\w])crypto\./, 'crypto'],
  [/(?<![.\w])set(Timeout|Interval|Immediate)\(/, 'timers'],
  [/(?<![.\w])fetch\(/, 'fetch'],
]

const IMPORT = /\bfrom\s*['"]([^'"\n]+)['"]|\bimport\s*\(?\s*['"]([^'"\n]+)['"]/g

/** What is wrong with one file, as `path:line: message`. */
export function findTrespasses(path: string, text: string): string[] {
  const folder = path.split('/')[1] ?? ''
  const border = BORDERS[folder]
  if (!border) return [`${path}:1: src/${folder} has no row in scripts/check/borders.ts`]
  const code = withoutComments(text)
  const lineOf = (index: number): number => code.slice(0, index).split('\n').length
  const found: string[] = []
  for (const match of code.matchAll(IMPORT)) {
    const wrong = judgeImport(path, folder, border, match[1] ?? match[2] ?? '')
    if (wrong) found.push(`${path}:${lineOf(match.index)}: ${wrong}`)
  }
  if (border.pure) {
    for (const [index, line] of code.split('\n').entries()) {
      for (const [pattern, what] of IMPURE) {
        if (pattern.test(line)) found.push(`${path}:${index + 1}: ${folder} is pure and may not use ${what}`)
      }
    }
  }
  return found
}

function judgeImport(path: string, folder: string, border: Border, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) {
    const impure = border.pure && specifier.startsWith('node:')
    return impure ? `${folder} is pure and may not import ${specifier}` : undefined
  }
  const target = posix.join(posix.dirname(path), specifier)
  const inside = target.startsWith('src/') ? target.slice('src/'.length).replace(/\.ts$/, '') : target
  const allowed = [folder, ...border.may].some((door) => inside === door || inside.startsWith(`${door}/`))
  return allowed ? undefined : `${folder} may not import ${inside}, only ${border.may.join(', ') || 'nothing of ours'}`
}

/** Comments become blanks, so that lines keep their numbers. A `//` after a quote or colon is part of a text. */
function withoutComments(text: string): string {
  const blank = (comment: string): string => comment.replace(/[^\n]/g, ' ')
  return text.replace(/^\s*\/\*[\s\S]*?\*\//gm, blank).replace(/(?<=^|\s)\/\/[^'"`\n]*$/gm, blank)
}

export async function checkBorders(): Promise<StepResult> {
  // Tests beside the sources may use whatever shows that the source is right.
  const files = listFiles('src/*.ts').filter((file) => !file.endsWith('.test.ts'))
  return { problems: files.flatMap((file) => findTrespasses(file, readFileSync(file, 'utf8'))) }
}
