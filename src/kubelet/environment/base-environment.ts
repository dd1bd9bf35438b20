import { delimiter, dirname } from 'node:path'

/** What a program may expect of the machine it runs on; the rest of the home's environment is nobody's business. */
const passedOn =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|VIRTUAL_ENV|CONDA_.*|PYENV_.*|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|CUDA_.*|NVIDIA_.*|SSL_CERT_.*|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS|(https?|no|all)_proxy)$/i

export function buildBaseEnvironment(own: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) if (value !== undefined && passedOn.test(name)) env[name] = value
  // Last on PATH: a machine without a Node of its own still has the one that runs this.
  env.PATH = [env.PATH || '/usr/local/bin:/usr/bin:/bin', dirname(process.execPath)].join(delimiter)
  return env
}

const NODE_IMAGE = /^(?:(?:docker\.io\/)?library\/|docker\.io\/)?node:(\d+)(?![\d])/

/**
 * Images are not used, but one thing of them can be had: where a job asks for the Node that runs this, it is the first
 * on its PATH. If its directory was on the PATH already there are other programs in it, and all stays as it is.
 */
export function pathFor(image: string | undefined, path: string): string {
  const own = dirname(process.execPath)
  const directories = path.split(delimiter)
  const isOurs = directories.indexOf(own) === directories.length - 1
  const asked = NODE_IMAGE.exec(image ?? '')?.[1]
  if (!isOurs || asked !== process.versions.node.split('.')[0]) return path
  return [own, ...directories.slice(0, -1)].join(delimiter)
}
