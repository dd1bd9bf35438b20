// The health question of gRPC (grpc.health.v1), as a kubelet asks it: one call over HTTP/2, answered by one number.

const serving = 1
const names = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN']
const unimplemented = '12'
/** Whether it is compressed, in one byte, and its length in four stand before a message. */
const headBytes = 5

/** Undefined when it serves, otherwise what is wrong. */
export function askHealth(port: number, service: string, timeout: number): Promise<string | undefined> {
  // Few pods are asked so, and the module costs every home that has it.
  const { connect } = process.getBuiltinModule('node:http2')
  return new Promise((resolve) => {
    const session = connect(`http://127.0.0.1:${port}`)
    const end = (problem?: string) => {
      clearTimeout(timer)
      session.destroy()
      resolve(problem)
    }
    const timer = setTimeout(() => end(`no answer from port ${port} within ${timeout / 1000} s`), timeout)
    session.on('error', () => end(`no answer from port ${port}`))
    const call = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      'user-agent': 'kube-probe/1.37',
      te: 'trailers',
    })
    let code: unknown
    const chunks: Buffer[] = []
    // A call that fails at once has its status in the only headers there are.
    for (const event of ['response', 'trailers'] as const)
      call.on(event, (headers) => {
        code = headers['grpc-status'] ?? code
      })
    call.on('data', (chunk: Buffer) => chunks.push(chunk))
    call.on('error', () => end(`no answer from port ${port}`))
    call.once('end', () => end(judge(String(code), Buffer.concat(chunks))))
    call.end(buildQuestion(service))
  })
}

function judge(code: string, answer: Buffer): string | undefined {
  if (code === unimplemented) return 'this server does not implement the grpc health protocol (grpc.health.v1.Health)'
  if (code !== '0') return `gRPC health call failed with status ${code}`
  // One field of a number, which is left out when it is 0.
  const status = answer[headBytes] === 0x08 ? (answer[headBytes + 1] ?? 0) : 0
  return status === serving
    ? undefined
    : `service unhealthy (responded with ${JSON.stringify(names[status] ?? status)})`
}

/** One field of text, left out when it is empty. */
function buildQuestion(service: string): Buffer {
  const text = Buffer.from(service)
  const length = text.length < 0x80 ? [text.length] : [0x80 | (text.length & 0x7f), text.length >> 7]
  const message = text.length === 0 ? text : Buffer.concat([Buffer.of(0x0a, ...length), text])
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}
