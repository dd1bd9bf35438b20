// The same script with torchrun alone, with TorchX on this machine, and with Trainyard in front of torchrun.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { cacheDir } from '../../scripts/real/places.ts'
import { mustRun } from '../../scripts/run-program.ts'
import { provideFramework } from '../../scripts/training/frameworks.ts'
import type { AnyJob } from '../../src/cli/home/running-jobs.ts'
import { type Counted, runCounted } from './counted.ts'
import { type HomeUnderTest, launcher } from './home-under-test.ts'

const TORCHX = '0.7.0'
const PROCESSES = 2
/** Does nothing but say who it is: what is left is what launching costs. */
const SCRIPT = 'import os\nprint("rank", os.environ["RANK"], "of", os.environ["WORLD_SIZE"], flush=True)\n'

export interface Race {
  torchrun: Counted
  torchx: Counted
  trainyard: Counted
}

export async function raceLaunchers(home: HomeUnderTest, rounds: number): Promise<Race> {
  const torch = await provideFramework('torch', console.log)
  const torchx = await provideTorchX()
  const cwd = join(home.dir, 'race')
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, 'script.py'), SCRIPT)
  const env = { ...home.env, PATH: [torch, process.env.PATH].join(delimiter) }
  // The home gives its own environment to programs: it has to have the same torchrun on its PATH.
  await home.stop()
  home.env.PATH = env.PATH
  await home.start()
  const results: Record<keyof Race, Counted[]> = { torchrun: [], torchx: [], trainyard: [] }
  for (let round = 0; round < rounds; round++) {
    const plain = [join(torch, 'torchrun'), '--standalone', `--nproc-per-node=${PROCESSES}`, 'script.py']
    results.torchrun.push(await runCounted(plain, env, cwd))
    const ddp = [
      'run',
      '--scheduler',
      'local_cwd',
      '--wait',
      'dist.ddp',
      '-j',
      `1x${PROCESSES}`,
      '--script',
      'script.py',
    ]
    results.torchx.push(await runCounted([torchx, ...ddp], env, cwd))
    results.trainyard.push(await runTrainyard(home, env, cwd, round))
  }
  const best = (all: Counted[]): Counted => all.sort((a, b) => a.cpu - b.cpu)[0]!
  return { torchrun: best(results.torchrun), torchx: best(results.torchx), trainyard: best(results.trainyard) }
}

async function runTrainyard(home: HomeUnderTest, env: NodeJS.ProcessEnv, cwd: string, round: number): Promise<Counted> {
  const file = join(cwd, `race-${round}.json`)
  writeFileSync(file, JSON.stringify(torchrunJob(`race-${round}`, cwd)))
  const before = home.cpu(true)
  const { seconds, cpu } = await runCounted([process.execPath, launcher, 'run', '-f', file], env, cwd)
  return { seconds, cpu: cpu + home.cpu(true) - before }
}

function torchrunJob(name: string, workingDir: string): AnyJob {
  const container = { name: 'python', image: 'i', workingDir, args: ['script.py'] }
  return {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'PyTorchTrainingJob',
    metadata: { name },
    spec: {
      torchrunConfig: { enabled: true, procPerNode: String(PROCESSES) },
      replicaSpecs: [{ type: 'worker', replicas: 1, template: { spec: { containers: [container] } } }],
    },
  } as object as AnyJob
}

async function provideTorchX(): Promise<string> {
  const directory = join(cacheDir(), 'python', `torchx-${TORCHX}`)
  const program = join(directory, 'bin', 'torchx')
  if (existsSync(join(directory, 'done'))) return program
  console.log(`torchx ${TORCHX} is not in the cache; fetching it`)
  await mustRun('python3', ['-m', 'venv', '--clear', directory])
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  await mustRun(join(directory, 'bin', 'python'), [...pip, `torchx==${TORCHX}`, 'setuptools<81'])
  await mustRun(program, ['--version'])
  writeFileSync(join(directory, 'done'), '')
  return program
}
