import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** JSON.parse reads a long text several times faster than the engine reads the same as a JavaScript literal. */
export const jsonAsText: Plugin = {
  name: 'json-as-text',
  setup(builder) {
    builder.onLoad({ filter: /\.json$/ }, async ({ path }) => {
      const compact = JSON.stringify(JSON.parse(await readFile(path, 'utf8')))
      return { contents: `export default JSON.parse(${JSON.stringify(compact)})`, loader: 'js' }
    })
  },
}
