// trainyard validate: the report is the answer that was asked for, so it goes to standard output.
import { checkFile, hasErrors } from './check.ts'
import type { CommandContext } from './context.ts'
import { readManifests } from './manifest/manifest.ts'
import { renderData } from './output/data.ts'
import { errorData, findingData, renderClosing, renderFindings } from './report.ts'

export async function validateFiles(
  context: CommandContext,
  files: readonly string[],
  strict: boolean,
): Promise<number> {
  const { terminal, format, out } = context
  const checkedFiles = (await readManifests(files, terminal.stdin)).map((file) => ({
    file,
    checked: checkFile(file, strict),
  }))
  const all = checkedFiles.flatMap(({ checked }) => checked)
  const failed = hasErrors(all)
  if (format) {
    const data = {
      files: checkedFiles.map(({ file, checked }) => ({
        file: file.file,
        documents: checked.map(({ manifest, findings }) => {
          const errors = findings.filter((finding) => finding.severity === 'error').map(findingData)
          const warnings = findings.filter((finding) => finding.severity === 'warning').map(findingData)
          return { kind: manifest.kind, name: manifest.name, valid: errors.length === 0, errors, warnings }
        }),
      })),
      ...(failed && errorData(all)),
    }
    terminal.out(await renderData(data, format))
  } else {
    for (const { file, checked } of checkedFiles) {
      const lines = [...renderFindings(file, checked, out), ...renderClosing(file, checked, out)]
      terminal.out(`${lines.join('\n')}\n`)
    }
  }
  return failed ? 1 : 0
}
