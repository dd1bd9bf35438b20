// Takes one manifest after the other through everything that reads one; what it throws is a defect.
import { parentPort } from 'node:worker_threads'
import { runCli } from './run-cli.ts'

/** A rehearsal of thousands may take its time; all it adds here are further decisions. */
const LARGEST_REHEARSAL = 200

parentPort!.on('message', async (text: string) => {
  try {
    const validated = await run(['validate', '-f', '-'], text)
    const data = await run(['plan', '-f', '-', '-o', 'json'], text)
    const planned = await run(['plan', '-f', '-'], text)
    if (data.exitCode !== planned.exitCode) throw new Error('the plan and its data disagree')
    const { objects } = JSON.parse(data.stdout) as { objects?: unknown[] }
    if (objects && objects.length <= LARGEST_REHEARSAL) await run(['rehearse', '-f', '-'], text)
    parentPort!.postMessage({ exits: [validated.exitCode, data.exitCode] })
  } catch (error) {
    parentPort!.postMessage({ defect: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})

async function run(args: string[], input: string) {
  const ran = await runCli(args, { input })
  if (ran.exitCode !== 0 && ran.stdout + ran.stderr === '') throw new Error(`${args[0]} failed without a word`)
  return ran
}
