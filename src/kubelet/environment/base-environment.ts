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
