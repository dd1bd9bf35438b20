// The cases as data, and how one is held against what the code answers.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { isObject } from '../../src/lib/json.ts'

export type Edition = 'v1beta2' | 'v1'

export interface Case {
  id: string
  category: string
  kind: string
  name: string
  profiles: string[]
  when: string
  given: Record<string, unknown>
  expect: Record<string, unknown>
}

/** By what the case expects; a function is told the expected value and returns what there is in its stead. */
export type Answers = Record<string, unknown>

export type Driver = (given: Given, edition: Edition) => Answers

const PROFILES = ['beta2', 'v1.9', 'v1-2021']

/** Remarks of the authors about upstream, not expectations. */
const COMMENTARY = new Set([
  'upstreamAsserts',
  'upstreamAssertsPresent',
  'orderDependent',
  'possibleTerminal',
  'recommendedRule',
  'negativeMeansNoRequeue',
])

export function loadCases(): Case[] {
  const file = new URL('./tfjob-cases.yaml', import.meta.url)
  return (parse(readFileSync(file, 'utf8')) as { cases: Case[] }).cases
}

/** v1beta2 wherever the case knows it, and v1 too where the case knows both and nothing in it is v1beta2's alone. */
export function editionsOf({ profiles, expect }: Case): Edition[] {
  if (!profiles.includes('beta2')) return ['v1']
  return profiles.includes('v1.9') && !speaksOfV1beta2(expect) ? ['v1beta2', 'v1'] : ['v1beta2']
}

/** Labels such as tf-replica-index exist under v1beta2 only. */
function speaksOfV1beta2(expected: unknown): boolean {
  if (!isObject(expected)) return false
  return Object.entries(expected).some(([key, value]) => {
    if (key === 'beta2') return false
    return key.startsWith('tf-') || speaksOfV1beta2(value)
  })
}

/** What is expected under one edition, without the remarks. */
export function expectationsOf({ expect }: Case, edition: Edition): Record<string, unknown> {
  const profile = edition === 'v1beta2' ? 'beta2' : 'v1.9'
  const choose = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(choose)
    if (!isObject(value)) return value
    const keys = Object.keys(value)
    if (keys.length > 0 && keys.every((key) => PROFILES.includes(key))) return choose(value[profile])
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, choose(member)]))
  }
  const common = Object.entries(expect).filter(([key]) => !PROFILES.includes(key))
  const own = isObject(expect[profile]) ? Object.entries(expect[profile]) : []
  return Object.fromEntries(
    [...common, ...own].filter(([key]) => !COMMENTARY.has(key)).map(([key, value]) => [key, choose(value)]),
  )
}

/** What a case gives, and which of it nobody has looked at: a driver that overlooks something proves nothing. */
export class Given {
  readonly #values: Record<string, unknown>
  readonly #seen = new Set<string>()

  constructor(values: Record<string, unknown>) {
    this.#values = values
  }

  has(key: string): boolean {
    return key in this.#values
  }

  /** Go's nil stands as null in the cases; it means that the field is not set. */
  take<T>(key: string): T | undefined {
    this.#seen.add(key)
    return (this.#values[key] ?? undefined) as T | undefined
  }

  get unseen(): string[] {
    return Object.keys(this.#values).filter((key) => !this.#seen.has(key))
  }
}
