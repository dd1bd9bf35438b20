// A training program in miniature: rank 0 waits until it has heard from all the others, and then everybody ends.
// Everything it knows of its peers it has from the environment and from cluster DNS.
import { lookup } from 'node:dns/promises'
import { connect, createServer } from 'node:net'
import { hostname } from 'node:os'

const again = () => new Promise((resolve) => setTimeout(resolve, 300))

/** Who we are, how many there are, and where the first of us is. */
function place() {
  const { TF_CONFIG, RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT } = process.env
  if (TF_CONFIG) {
    const { cluster, task } = JSON.parse(TF_CONFIG)
    const all = Object.entries(cluster).flatMap(([type, addresses]) => addresses.map((at, i) => ({ type, i, at })))
    all.sort((a, b) => (a.type === b.type ? a.i - b.i : a.type < b.type ? -1 : 1))
    const rank = all.findIndex(({ type, i }) => type === task.type && i === task.index)
    return { rank, size: all.length, first: all[0].at, names: all.map(({ at }) => at.split(':')[0]) }
  }
  const size = Number(WORLD_SIZE)
  return { rank: Number(RANK), size, first: `${MASTER_ADDR}:${MASTER_PORT}`, names: [MASTER_ADDR] }
}

async function resolves(name) {
  for (;;) {
    const found = await lookup(name).catch(() => undefined)
    if (found) return found.address
    await again()
  }
}

const { rank, size, first, names } = place()
const extra = (process.env.ALSO_RESOLVE ?? '').split(' ').filter(Boolean)
for (const name of [...names, ...extra]) console.log(`${name} is ${await resolves(name)}`)
const [host, port] = first.split(':')

if (rank === 0) {
  const met = new Map()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (hello) => {
      met.set(String(hello).trim(), socket)
      if (met.size < size - 1) return
      console.log(`met ${[...met.keys()].sort().join(', ')}`)
      for (const peer of met.values()) peer.end('done\n')
      server.close()
    })
  })
  server.listen(Number(port))
} else {
  for (let done = false; !done; ) {
    done = await new Promise((resolve) => {
      const socket = connect(Number(port), host, () => socket.write(`rank ${rank} of ${hostname()}\n`))
      socket.once('data', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('close', () => resolve(false))
    })
    if (!done) await again()
  }
  console.log('done')
}
