// What may differ in the output of kubectl on two servers that do the same: the only such list. Everything is replaced
// by a word, not dropped, so that what is there on one side alone is still seen.

const MASKS: ReadonlyArray<[RegExp, string]> = [
  // Revisions.
  [/(resourceVersion"?: )"\d+"/g, '$1"<revision>"'],
  [/(resource version: )\d+( \(\d+\))?/gi, '$1<revision>'],
  [/(\\?"resourceVersion\\?":)(\\?")\d+\\?"/g, '$1$2<revision>$2'],
  [/(Resource Version: +)\d+/g, '$1<revision>'],
  // Uids.
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>'],
  [/\b(g-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1<suffix>'],
  // Addresses.
  [/127\.0\.0\.1:\d+/g, '<address>'],
  [/\b10\.96\.\d+\.\d+\b/g, '<address>'],
  // Points in time, and ages counted from them.
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}/g, '<time>'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>'],
  [/(?<=^|\s)(\d+[smhd]){1,2}(?=\s|$|\))/gm, '<age>'],
  // Whether a watch has lasted for a second, which kubectl logs about itself.
  [/^I\d{4} .*very short watch.*\n/gm, ''],
  // Files kubectl makes for itself.
  [/\/(LIVE|MERGED)-\d+\//g, '/$1-<file>/'],
  [/kubectl-edit-\d+\.yaml/g, 'kubectl-edit-<file>.yaml'],
  // Columns are as wide as their longest age.
  [/(\S) {2,}/g, '$1  '],
]

export function mask(text: string): string {
  return MASKS.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text)
}
