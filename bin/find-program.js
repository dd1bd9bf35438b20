// Which files are the program. An installed package has what was built for it. A checkout has its sources, and mostly
// also a bundle that npm install made of them (docs/adr/0012): a few files instead of hundreds. An edit must never run
// old code, so the bundle counts only while every source it was made of is the one it was made of, and npm has not
// installed anything since.
const { existsSync, readFileSync, statSync } = require('node:fs')
const { join } = require('node:path')

/** Where the program is, and what it was made of. */
const RECORD = '.program/made-of.json'

function findProgram(root) {
  const source = join(root, 'src/main/cli.ts')
  if (!existsSync(source)) return join(root, 'dist/main/cli.js')
  return findBundle(root) ?? source
}

function findBundle(root) {
  try {
    const { program, files } = JSON.parse(readFileSync(join(root, RECORD), 'utf8'))
    for (const [file, size, mtime] of files) {
      // Joining paths costs more than looking at the files, and there are hundreds.
      const now = statSync(`${root}/${file}`)
      if (now.size !== size || now.mtimeMs !== mtime) return undefined
    }
    const path = join(root, program)
    return existsSync(path) ? path : undefined
  } catch {
    // None was made, or a file is gone.
    return undefined
  }
}

module.exports = { RECORD, findProgram }
