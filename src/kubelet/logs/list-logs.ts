// Logs of pods that may be gone: they lie under their job until it is deleted.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type HomeDirectory, type LogRecord, readJson } from '../home-directory.ts'
import { type KeptTimes, readTimes } from './kept-times.ts'

export interface KeptLog extends LogRecord {
  container: string
  /** Which run of the container in its pod, from 1. */
  run: number
  path: string
  /** Of a run after which nothing came, in a pod that is gone. */
  times?: KeptTimes
}

/** All logs of a job, by pod and attempt; of a pod without a job by the pod's uid. */
export function listLogs(home: HomeDirectory, job: string): KeptLog[] {
  const logs: KeptLog[] = []
  for (const pod of names(join(home.logs, job))) {
    for (const attempt of names(join(home.logs, job, pod))) {
      const directory = join(home.logs, job, pod, attempt)
      const record = readJson<LogRecord>(join(directory, 'pod.json'))
      if (!record) continue
      const times = readTimes(directory)
      for (const file of names(directory)) {
        const match = /^([a-z0-9-]+)(?:\.(\d+))?\.log$/.exec(file)
        if (!match) continue
        const [container, run] = [match[1]!, Number(match[2] ?? 1)]
        const last = times[container]?.run === run ? { times: times[container] } : {}
        logs.push({ ...record, container, run, path: join(directory, file), ...last })
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
