// What a command line of delete means, in exactly one way: whoever deletes should not have to guess.
import { UsageError } from '../usage-error.ts'

export interface DeletionWords {
  filename?: string[]
  selector?: string
  all?: boolean
  allNamespaces?: boolean
}

export function checkWhatIsMeant(names: readonly string[], words: DeletionWords): void {
  const { filename, selector, all, allNamespaces } = words
  const ways = [names.length > 0, filename !== undefined, selector !== undefined, all === true].filter(Boolean).length
  if (ways === 0)
    throw new UsageError('delete needs the names of jobs, -f FILE, -l LABELS or --all', 'trainyard delete --help')
  if (ways > 1) throw new UsageError('delete takes names, -f, -l or --all, only one of them', 'trainyard delete --help')
  // To the API no labels are all labels.
  if (selector?.trim() === '')
    throw new UsageError('delete -l needs labels; all jobs are meant by --all', 'trainyard delete --all')
  if (allNamespaces && !all)
    throw new UsageError('delete -A goes with --all; it deletes all jobs of all namespaces', 'trainyard delete --help')
  if (filename && filename.filter((name) => name === '-').length > 1)
    throw new UsageError('-f - can be given only once; there is one standard input')
}
