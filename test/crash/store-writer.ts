// A server of its own process, to be killed: prints its address when it answers.
// DIR [POINT HITS [KEEP]]: it kills itself at the given hit of a named moment; with KEEP it forgets history that fast.
import { startServer } from '../../src/server/server.ts'

const [dir = '', point, hits = '1', keep] = process.argv.slice(2)
let left = Number(hits)
let armed = false
const server = await startServer({
  dir,
  ...(keep ? { history: { keep: Number(keep), step: 20 } } : {}),
  onStorePoint: (reached) => {
    if (armed && reached === point && --left === 0) process.kill(process.pid, 'SIGKILL')
  },
})
armed = true
process.stdout.write(`${JSON.stringify({ url: server.url, token: server.token, ca: server.ca })}\n`)
