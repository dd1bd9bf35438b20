// The file into which a program may write its last message: kept beside the container's runs, and given to the program
// at the path its container names.
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import type { Container } from '../../../gen/kubernetes-types.ts'
import type { Mount } from './mounts.ts'

const usualPath = '/dev/termination-log'
/** As much as Kubernetes takes. */
const mostBytes = 4096

export const messageFile = (containerDirectory: string): string => join(containerDirectory, 'termination-log')

/**
 * Emptied for a new run. Whoever does not name the path does without: a /dev of its own for every program would cost
 * more than a file that hardly any of them writes.
 */
export function provideMessageFile(container: Container, containerDirectory: string): Mount[] {
  const mountPath = normalize(container.terminationMessagePath || usualPath)
  const { command = [], args = [], env = [] } = container
  const texts = [...command, ...args, ...env.map(({ value = '' }) => value)]
  if (mountPath === usualPath && !texts.some((text) => text.includes(mountPath))) return []
  const source = messageFile(containerDirectory)
  writeFileSync(source, '', { mode: 0o600 })
  return [{ mountPath, source, readOnly: false }]
}

export function readMessage(containerDirectory: string): string | undefined {
  try {
    const file = openSync(messageFile(containerDirectory), 'r')
    try {
      const bytes = Buffer.alloc(mostBytes)
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, mostBytes, 0)) || undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
