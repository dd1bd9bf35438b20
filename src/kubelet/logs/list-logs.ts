// Logs of pods that may be gone: they lie under their job until it is deleted.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type HomeDirectory, type LogRecord, readJson } from '../home-directory.ts'

export interface KeptLog extends LogRecord {
  container: string
  /** Which run of the container in its pod, from 1. */
  run: number
  path: string
}

/** All logs of a job, by pod and attempt; of a pod without a job by the pod's uid. */
export function listLogs(home: HomeDirectory, job: string): KeptLog[] {
  const logs: KeptLog[] = []
  for (const pod of names(join(home.logs, job))) {
    for (const attempt of names(join(home.logs, job, pod))) {
      const directory = join(home.logs, job, pod, attempt)
      const record = readJson<LogRecord>(join(directory, 'pod.json'))
      if (!record) continue
      for (const file of names(directory)) {
        const match = /^([a-z0-9-]+)(?:\.(\d+))?\.log$/.exec(file)
        if (match)
          logs.push({ ...record, container: match[1]!, run: Number(match[2] ?? 1), path: join(directory, file) })
      }
    }
  }
  return logs
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory).sort()
  } catch {
    return []
  }
}
