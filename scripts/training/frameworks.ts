// torch and TensorFlow for the CPU, each in a virtual environment of its own in the cache; made if it is not there.
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir } from '../real/places.ts'
import { mustRun, runProgram } from '../run-program.ts'
import { stubMissingLibraries } from './stub-libraries.ts'

interface Framework {
  version: string
  /** The package that carries the framework. */
  distribution: string
  /** What pip is asked for, call by call. */
  installs: readonly (readonly string[])[]
  /** Says by its exit code whether the framework is fit for training. */
  trial: string
  size: string
}

const TORCH = '2.15.0'
const TENSORFLOW = '2.21.0'
const TENSORBOARD = '2.21.0'

export const FRAMEWORKS = {
  torch: {
    version: TORCH,
    distribution: 'torch',
    installs: [
      // What it depends on are CUDA's libraries, several gigabytes.
      ['--no-deps', `torch==${TORCH}`],
      ['typing-extensions==4.16.0', 'numpy==2.4.6', 'sympy==1.14.0', 'filelock==4.2.10', 'networkx==3.6.1'],
      ['jinja2==3.1.6', 'fsspec==2026.9.0', 'setuptools==84.2.1'],
    ],
    trial: 'import torch.distributed as d; assert d.is_gloo_available()',
    size: '0.6 GB',
  },
  tensorflow: {
    version: TENSORFLOW,
    distribution: 'tensorflow-cpu',
    installs: [[`tensorflow-cpu==${TENSORFLOW}`, 'tensorboard==2.21.0']],
    trial: 'import tensorflow as tf; tf.summary.create_noop_writer()',
    size: '0.4 GB',
  },
  tensorboard: {
    version: TENSORBOARD,
    distribution: 'tensorboard',
    // The next setuptools has no pkg_resources any more.
    installs: [[`tensorboard==${TENSORBOARD}`, 'setuptools==80.9.0']],
    trial: 'import tensorboard.program',
    size: '0.1 GB',
  },
} as const satisfies Record<string, Framework>

export type FrameworkName = keyof typeof FRAMEWORKS

/** The directory with the environment's programs, to be put first on the PATH. */
export async function provideFramework(name: FrameworkName, say: (line: string) => void): Promise<string> {
  const { version, installs, trial, size }: Framework = FRAMEWORKS[name]
  const python = (await mustRun('python3', ['-c', 'import sys; print(sys.version)'])).trim()
  // Another Python, or another list of packages, is another environment.
  const key = createHash('sha256')
    .update(JSON.stringify([python, installs]))
    .digest('hex')
    .slice(0, 8)
  const directory = join(cacheDir(), 'python', `${name}-${version}-${key}`)
  const bin = join(directory, 'bin')
  if (await isWhole(name, directory)) return bin
  const start = performance.now()
  say(`${name} ${version} is not in the cache; fetching about ${size}`)
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  await mustRun('python3', ['-m', 'venv', directory])
  for (const packages of installs) {
    const args = ['-m', 'pip', 'install', '--disable-pip-version-check', '--progress-bar', 'off', ...packages]
    const { code, output } = await runProgram(join(bin, 'python'), args, {
      show: true,
      env: { ...process.env, PYTHONUNBUFFERED: '1' },
    })
    if (code !== 0) throw new Error(`pip ended with exit code ${code}:\n${output.trimEnd().split('\n').at(-1)}`)
  }
  if (name === 'torch') {
    const [libraries] = globSync(join(directory, 'lib', 'python3*', 'site-packages', 'torch', 'lib'))
    say(`standing in for CUDA's libraries`)
    await stubMissingLibraries(libraries!)
  }
  say(`trying ${name} ${version}`)
  await mustRun(join(bin, 'python'), ['-c', trial])
  writeFileSync(join(directory, 'done'), '')
  say(`${name} ${version} is ready after ${Math.round((performance.now() - start) / 1000)} s`)
  return bin
}

/** Made to its end, and its Python and the package are still there. */
async function isWhole(name: FrameworkName, directory: string): Promise<boolean> {
  const { distribution, version } = FRAMEWORKS[name]
  if (!existsSync(join(directory, 'done')) || !existsSync(join(directory, 'bin', 'python'))) return false
  const ask = `from importlib.metadata import version; print(version("${distribution}"))`
  const { code, output } = await runProgram(join(directory, 'bin', 'python'), ['-c', ask])
  return code === 0 && output.trim().startsWith(version)
}
