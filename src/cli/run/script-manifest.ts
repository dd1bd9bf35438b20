// A manifest for a script that has none, written beside it so that it can be run again and looked at.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { DNS_1035, MAX_NAME } from '../../api/names.ts'
import { MOST_REPLICAS } from '../../api/pytorch/schema.ts'
import { UsageError } from '../usage-error.ts'
import { NO_IMAGE } from './no-image.ts'

export interface ScriptRun {
  workers: number
  torchrun: boolean
  /** The script and its arguments. */
  script: readonly string[]
  name?: string
  cwd: string
}

export interface ScriptManifest {
  file: string
  text: string
}

const ABOUT_IMAGE = ' # only for this machine; a cluster needs an image with your files in it'

const INTERPRETERS: Record<string, string> = { '.py': 'python3', '.js': 'node', '.mjs': 'node', '.cjs': 'node' }
/** Room for `-<hash>-worker-<index>`. */
const LONGEST_NAME = MAX_NAME - 20

export async function buildScriptManifest(run: ScriptRun): Promise<ScriptManifest> {
  const { workers, torchrun, script, cwd } = run
  const name = run.name ?? nameFor(script.find(isScript) ?? script[0]!)
  const container = {
    name: 'train',
    image: NO_IMAGE,
    ...(torchrun ? { args: [...script] } : { command: commandFor(script, cwd) }),
    workingDir: cwd,
  }
  const job = {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'PyTorchTrainingJob',
    metadata: { name },
    spec: {
      ...(torchrun && { torchrunConfig: { enable: true, procPerNode: 1 } }),
      replicaSpecs: [
        { type: 'worker', replicas: workers, restartPolicy: 'Never', template: { spec: { containers: [container] } } },
      ],
    },
  }
  const { stringify } = await import('yaml')
  const plain = stringify(job, { version: '1.1', lineWidth: 0 })
  const body = plain.replace(`image: ${NO_IMAGE}`, `$&${ABOUT_IMAGE}`)
  return { file: `${name}.trainyard.yaml`, text: `${MARK}${sumOf(body)}\n${body}` }
}

/** Also behind an interpreter and its options. */
const isScript = (word: string): boolean => extname(word) in INTERPRETERS

/** `train` for `src/train.py`. */
function nameFor(script: string): string {
  const plain = basename(script, extname(script))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, LONGEST_NAME)
    .replace(/-+$/, '')
  return DNS_1035.test(plain) ? plain : 'job'
}

function commandFor(script: readonly string[], cwd: string): string[] {
  const [program = '', ...args] = script
  const interpreter = INTERPRETERS[extname(program)]
  if (interpreter) return [interpreter, program, ...args]
  // A program of this directory is found without its dot only by those who have the dot on their PATH.
  const here = !program.includes('/') && existsSync(resolve(cwd, program))
  return [here ? `./${program}` : program, ...args]
}

const MARK = '# Written by trainyard run; it is written anew only as long as nobody has changed it: '

function sumOf(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 12)
}

/** Never writes over what somebody has changed by hand. */
export function writeScriptManifest({ file, text }: ScriptManifest, cwd: string): void {
  const path = resolve(cwd, file)
  const there = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  if (there !== undefined && !isUntouched(there)) {
    throw new UsageError(`${file} is there and has been changed; it is not written over`, `trainyard run -f ${file}`)
  }
  try {
    writeFileSync(path, text)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${file} cannot be written to ${cwd} (${code ?? 'unknown reason'})`)
  }
}

function isUntouched(text: string): boolean {
  const [first, ...rest] = text.split('\n')
  return first === `${MARK}${sumOf(rest.join('\n'))}`
}

/** The script, as far as it can be checked before anything runs. */
export function checkScript({ script, cwd, workers, torchrun }: ScriptRun): void {
  const [program] = script
  if (program === undefined)
    throw new UsageError('run --workers needs a script after --', 'trainyard run --workers 2 -- train.py')
  if (!Number.isInteger(workers) || workers < 1 || workers > MOST_REPLICAS)
    throw new UsageError(`--workers: a number from 1 to ${MOST_REPLICAS}`, `trainyard run --workers 2 -- ${program}`)
  const isFile = torchrun || isScript(program)
  if (isFile && !program.startsWith('-') && !existsSync(resolve(cwd, program)))
    throw new UsageError(`there is no file ${program} in ${cwd}`)
}
