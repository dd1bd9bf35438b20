// The server alone as a process of its own: says where it serves the directory it is given, and ends when told to.
import { startServer } from '../../src/server/server.ts'

const server = await startServer({ dir: process.argv[2] ?? '' })
process.stdout.write(`${JSON.stringify({ url: server.url, token: server.token, ca: server.ca })}\n`)
process.once('SIGTERM', () => server.stop())
