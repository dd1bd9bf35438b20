// What a node needs besides Go programs: from the machine's PATH, else from Debian's packages, unpacked into the cache
// and installed nowhere.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { mustRun, runProgram } from '../../run-program.ts'
import { cacheDir } from '../places.ts'

export interface NodeTools {
  runc: string
  /** Linked statically: it is all that is in the images. */
  busybox: string
  /** Where the CNI plugins are. */
  cni: string
  /** Goes before PATH: there is an iptables in it. */
  bin: string
}

const PACKAGES = [
  'runc',
  'busybox-static',
  'containernetworking-plugins',
  'iptables',
  // What iptables is linked with and the machine may not have.
  'libxtables12',
  'libnftnl11',
  'libmnl0',
]
const IPTABLES = ['iptables', 'iptables-save', 'iptables-restore', 'ip6tables', 'ip6tables-save', 'ip6tables-restore']

export async function findNodeTools(say: (line: string) => void): Promise<NodeTools> {
  const dir = join(cacheDir(), 'real', 'debian')
  if (!existsSync(dir)) {
    say('fetching runc, busybox, iptables and CNI plugins from Debian')
    await unpack(dir)
  }
  return {
    runc: onPath('runc') ?? join(dir, 'usr/sbin/runc'),
    busybox: join(dir, 'bin/busybox'),
    cni: join(dir, 'usr/lib/cni'),
    bin: join(dir, 'wrapped'),
  }
}

function onPath(name: string): string | undefined {
  const places = (process.env.PATH ?? '').split(delimiter)
  return places.map((place) => join(place, name)).find((path) => existsSync(path))
}

async function unpack(dir: string): Promise<void> {
  if (!onPath('apt-get') || !onPath('dpkg-deb')) {
    throw new Error('a node needs runc, busybox, iptables and CNI plugins from Debian, and this machine has no apt-get')
  }
  mkdirSync(join(cacheDir(), 'real'), { recursive: true })
  const scratch = mkdtempSync(join(cacheDir(), 'real', 'debian-'))
  try {
    const download = () => runProgram('apt-get', ['download', ...PACKAGES], { cwd: scratch })
    // The lists may be missing or older than what the mirror still has.
    if ((await download()).code !== 0) {
      await mustRun('apt-get', ['update'])
      const { code, output } = await download()
      if (code !== 0) throw new Error(`cannot fetch ${PACKAGES.join(', ')}:\n${output.trimEnd()}`)
    }
    const packages = readdirSync(scratch).filter((file) => file.endsWith('.deb'))
    const root = join(scratch, 'root')
    for (const file of packages) await mustRun('dpkg-deb', ['-x', join(scratch, file), root])
    wrapIptables(root, dir)
    renameSync(root, dir)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** `home` is where it will be in the end. */
function wrapIptables(root: string, home: string): void {
  const triple = readdirSync(join(root, 'usr/lib')).find((name) => name.endsWith('-linux-gnu')) ?? ''
  const libraries = [join(home, 'usr/lib', triple), join(home, 'lib', triple)].join(':')
  mkdirSync(join(root, 'wrapped'))
  for (const name of IPTABLES) {
    const lines = [
      '#!/bin/sh',
      `export LD_LIBRARY_PATH=${libraries} XTABLES_LIBDIR=${join(home, 'usr/lib', triple, 'xtables')}`,
      `exec ${join(home, 'usr/sbin/xtables-nft-multi')} ${name} "$@"`,
    ]
    writeFileSync(join(root, 'wrapped', name), `${lines.join('\n')}\n`, { mode: 0o755 })
  }
}
