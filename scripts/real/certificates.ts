// A certificate authority of its own for each control plane. node:crypto cannot sign certificates, so openssl does.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from '../run-program.ts'

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const DAYS = ['-days', '3650']

export interface Subject {
  name: string
  groups?: readonly string[]
  /** Names and addresses a server answers to; without any it is a client's certificate. */
  servesAs?: readonly string[]
}

export interface KeyPair {
  certFile: string
  keyFile: string
  cert: string
  key: string
}

export class Authority {
  readonly dir: string
  readonly certFile: string

  constructor(dir: string) {
    this.dir = dir
    this.certFile = join(dir, 'ca.crt')
  }

  get cert(): string {
    return readFileSync(this.certFile, 'utf8')
  }

  async create(): Promise<void> {
    if (existsSync(this.certFile)) return
    const extensions = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign,digitalSignature']
    await this.#openssl(
      'req',
      '-x509',
      ...KEY,
      ...DAYS,
      '-subj',
      '/CN=trainyard-real-ca',
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
      ...extensions.flatMap((e) => ['-addext', e]),
    )
    await this.#openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', 'service-accounts.key')
    await this.#openssl('ec', '-in', 'service-accounts.key', '-pubout', '-out', 'service-accounts.pub')
  }

  /** Issued once per file name; asked again, the same comes back. */
  async issue(file: string, subject: Subject): Promise<KeyPair> {
    const certFile = join(this.dir, `${file}.crt`)
    const keyFile = join(this.dir, `${file}.key`)
    if (!existsSync(certFile)) {
      const extensions = [
        `extendedKeyUsage=${subject.servesAs ? 'serverAuth' : 'clientAuth'}`,
        'keyUsage=critical,digitalSignature',
      ]
      if (subject.servesAs) extensions.push(`subjectAltName=${subject.servesAs.join(',')}`)
      writeFileSync(join(this.dir, `${file}.ext`), `${extensions.join('\n')}\n`)
      const groups = (subject.groups ?? []).map((group) => `/O=${group}`)
      await this.#openssl(
        'req',
        '-new',
        ...KEY,
        '-subj',
        `${groups.join('')}/CN=${subject.name}`,
        '-keyout',
        `${file}.key`,
        '-out',
        `${file}.csr`,
      )
      const signing = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${file}.ext`]
      await this.#openssl('x509', '-req', '-in', `${file}.csr`, ...signing, ...DAYS, '-out', `${file}.crt`)
    }
    return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  }

  #openssl(...args: string[]): Promise<string> {
    return mustRun('openssl', args, { cwd: this.dir })
  }
}
