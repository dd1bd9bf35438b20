import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../run-program.ts'
import { listFiles } from '../source-files.ts'
import { readMarkdown } from './markdown.ts'
import type { StepResult } from './step.ts'

/** Every manifest we show is one we accept: those in examples/ and the YAML blocks of the documentation. */
export async function checkDocExamples(): Promise<StepResult> {
  const scratch = mkdtempSync(join(tmpdir(), 'trainyard-examples-'))
  try {
    const shown = new Map(listFiles('examples/**/job.yaml', 'examples/job.yaml').map((file) => [file, file]))
    for (const file of listFiles('*.md')) {
      for (const { language, text, line } of readMarkdown(readFileSync(file, 'utf8')).fences) {
        if (language !== 'yaml' || !/^apiVersion:/m.test(text)) continue
        const copy = join(scratch, `${shown.size}.yaml`)
        writeFileSync(copy, text)
        shown.set(copy, `${file}:${line}`)
      }
    }
    if (shown.size === 0) return { problems: [] }
    const args = ['src/main/cli.ts', 'validate', '--strict', ...[...shown.keys()].flatMap((file) => ['-f', file])]
    const { code, output } = await runProgram(process.execPath, args)
    if (code === 0) return { problems: [] }
    return { problems: [[...shown].reduce((text, [file, place]) => text.replaceAll(file, place), output.trimEnd())] }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
