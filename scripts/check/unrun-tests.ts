import { readFileSync } from 'node:fs'
import { listFiles } from '../source-files.ts'
import type { StepResult } from './step.ts'

const UNRUN = /\b(?:describe|suite|test|it)(?:\.\w+)*\.(skip|skipIf|runIf|only|todo|fails)\b|\bx(?:describe|it|test)\(/g

/** A test that is skipped, or that makes others be skipped, protects nothing. */
export function findUnrunTests(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(UNRUN)].map((match) => `${path}:${index + 1}: ${match[0]} leaves tests out; every test runs`),
    )
}

export async function checkUnrunTests(): Promise<StepResult> {
  const files = listFiles('*.test.ts').filter((file) => file !== 'scripts/check/unrun-tests.test.ts')
  return { problems: files.flatMap((file) => findUnrunTests(file, readFileSync(file, 'utf8'))) }
}
