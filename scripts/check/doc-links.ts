import { existsSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { listFiles } from '../source-files.ts'
import { readMarkdown } from './markdown.ts'
import type { StepResult } from './step.ts'

/** Links within the repository must lead somewhere, headings included. Links to other sites are not tried. */
export async function checkDocLinks(): Promise<StepResult> {
  const problems: string[] = []
  for (const file of listFiles('*.md')) {
    for (const { target, line } of readMarkdown(readFileSync(file, 'utf8')).links) {
      if (/^[a-z]+:/i.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const goal = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), decodeURI(path)))
      if (!existsSync(goal)) problems.push(`${file}:${line}: ${target} leads nowhere`)
      else if (anchor && statSync(goal).isFile() && !readMarkdown(readFileSync(goal, 'utf8')).anchors.has(anchor))
        problems.push(`${file}:${line}: ${goal} has no heading #${anchor}`)
    }
  }
  return { problems }
}
