// `worker-{0..2}`: many replicas in few words.
import { groupBy } from '../../lib/group-by.ts'

/** Numbers in ascending order as runs: [0,1,2,5] → [[0,2],[5,5]]. */
export function runs(numbers: readonly number[]): Array<[number, number]> {
  const found: Array<[number, number]> = []
  for (const number of numbers) {
    const last = found.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else found.push([number, number])
  }
  return found
}

/** `name-0`, `name-{0..2}`, `name-{0..2,5}` for names that end in these numbers. */
export function rangeName(prefix: string, numbers: readonly number[], suffix = ''): string {
  const parts = runs(numbers).map(([first, last]) => (first === last ? `${first}` : `${first}..${last}`))
  const only = parts.length === 1 && !parts[0]!.includes('..')
  return only ? `${prefix}${parts[0]}${suffix}` : `${prefix}{${parts.join(',')}}${suffix}`
}

/** Replicas by type in order of appearance: `master-0, worker-{0..2}`. */
export function slotRanges(slots: ReadonlyArray<{ type: string; index: number }>): string[] {
  return [...groupBy(slots, (slot) => slot.type)].map(([type, group]) =>
    rangeName(
      `${type}-`,
      group.map((slot) => slot.index).sort((a, b) => a - b),
    ),
  )
}

/**
 * One text for several that differ in a number only: `--rank 0`, `--rank 1` → `--rank {0..1}`. Where they differ
 * otherwise, dots stand for the difference.
 */
export function commonText(texts: readonly string[], ellipsis: string): string {
  const first = texts[0]!
  if (texts.every((text) => text === first)) return first
  const words = texts.map((text) => text.split(' '))
  if (words.some((list) => list.length !== words[0]!.length)) return commonWord(texts, ellipsis)
  return words[0]!
    .map((_, i) =>
      commonWord(
        words.map((list) => list[i]!),
        ellipsis,
      ),
    )
    .join(' ')
}

function commonWord(words: readonly string[], ellipsis: string): string {
  const first = words[0]!
  if (words.every((word) => word === first)) return first
  let start = 0
  while (words.every((word) => start < word.length && word[start] === first[start])) start++
  // 10 and 11 share a digit that belongs to the number.
  while (start > 0 && /\d/.test(first[start - 1]!)) start--
  let end = 0
  const shortest = Math.min(...words.map((word) => word.length)) - start
  while (end < shortest && words.every((word) => word.at(-1 - end) === first.at(-1 - end))) end++
  while (end > 0 && /\d/.test(first.at(-end)!)) end--
  const middles = words.map((word) => word.slice(start, word.length - end))
  const prefix = first.slice(0, start)
  const suffix = end > 0 ? first.slice(-end) : ''
  const numbers = middles.map(Number)
  const ascending = numbers.every((number, i) => Number.isInteger(number) && (i === 0 || number > numbers[i - 1]!))
  if (!ascending || middles.some((middle) => !/^\d+$/.test(middle))) return `${prefix}${ellipsis}${suffix}`
  return rangeName(prefix, numbers, suffix)
}
