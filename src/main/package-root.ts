import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of package.json: above src/main in a checkout, above dist where it is packed. */
export function packageRoot(from = import.meta.dirname): string {
  let folder = from
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder)
    if (above === folder) throw new Error(`no package.json above ${from}`)
    folder = above
  }
  return folder
}
