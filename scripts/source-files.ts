import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Files of the checkout that git knows or would know, as paths from its root: nothing ignored, nothing deleted. */
export function listFiles(...patterns: string[]): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...patterns]
  const output = execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 26 })
  return [...new Set(output.split('\0'))].filter((file) => file !== '' && existsSync(file)).sort()
}
