#!/usr/bin/env node
// Plain JavaScript that any Node since 20 can read: it finds a Node new enough and the program to run. CommonJS (see
// package.json beside it), which an old Node starts 20 ms sooner, and on an old Node each command waits for two of them.
const { join } = require('node:path')

const NEEDED = 24

if (Number.parseInt(process.versions.node, 10) >= NEEDED) {
  require('./compile-cache.js').keepCompiledCode()
  require(require('./find-program.js').findProgram(join(__dirname, '..')))
} else runWithNewerNode()

function runWithNewerNode() {
  const { spawn } = require('node:child_process')
  const node = findNewerNode()
  if (!node) {
    console.error(`trainyard: this is Node ${process.versions.node}, and Node ${NEEDED} or newer is needed.`)
    console.error('  It comes with the npm package "node", whose install script has not been run here.')
    console.error('  run it  npm rebuild node --allow-scripts=node')
    process.exit(3)
  }
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' })
  // The terminal sends Ctrl-C to both of us; what is sent to us alone is passed on. Either way we wait for the end.
  for (const signal of ['SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal))
  }
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })
  child.on('error', (error) => {
    console.error(`trainyard: cannot start ${node}: ${error.message}`)
    process.exit(3)
  })
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    // End the way the program did, so that whoever waits for us sees the same.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function findNewerNode() {
  try {
    const name = process.platform === 'win32' ? 'node.exe' : 'node'
    const node = join(require.resolve('node/package.json'), '..', 'bin', name)
    return require('node:fs').existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}
