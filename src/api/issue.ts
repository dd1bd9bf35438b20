export type Path = ReadonlyArray<string | number>

/** Something wrong, or doubtful, at one place of a manifest. */
export interface Issue {
  severity: 'error' | 'warning'
  path: Path
  /** Without the path. Where the line of `see` is known, `{see}` becomes ", line 30" and `{seeAlone}` " (line 30)". */
  message: string
  /** Another place the message speaks of. */
  see?: Path
  /** The place of the key itself is meant, not of its value (unknown fields, missing ones' parents). */
  atKey?: boolean
  /** As the apiserver calls it, for status causes: FieldValueInvalid, FieldValueRequired, FieldValueForbidden … */
  reason?: string
}

/** `spec.replicaSpecs[1].template`; a key that is no plain word stands in brackets: `labels[a.b/c]`. */
export function pathText(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[A-Za-z_][\w-]*$/.test(step)) text += text ? `.${step}` : step
    else text += `[${step}]`
  }
  return text
}

export function messageOf(issue: Issue, lineOf?: (path: Path) => number | undefined): string {
  const line = issue.see && lineOf?.(issue.see)
  return issue.message
    .replace('{see}', line ? `, line ${line}` : '')
    .replace('{seeAlone}', line ? ` (line ${line})` : '')
}
