// A server of its own process, to be killed: prints its address when it answers.
import { startServer } from '../../src/server/server.ts'

const [dir = ''] = process.argv.slice(2)
const server = await startServer({ dir })
process.stdout.write(`${JSON.stringify({ url: server.url, token: server.token, ca: server.ca })}\n`)
