// The table of test/verdicts, put before a real kube-apiserver: it must refuse what src/api refuses, at the same place,
// for the same reason, in the same words.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kindOf, kinds } from '../../../src/api/kinds.ts'
import type { StatusCause } from '../../../src/api/schema/finding.ts'
import { closingLine } from '../../closing-line.ts'
import { judge } from '../../verdicts/judge.ts'
import { rows } from '../../verdicts/rows/index.ts'
import type { Row } from '../../verdicts/rows/row.ts'
import { createNamespace, installCrds } from './install.ts'
import { type Answer, collection, mustRequest, request } from './request.ts'

const NAMESPACE = 'verdicts'
let warnings = new Map<string, string[]>()
let accepted = 0
let agreed = 0

beforeAll(async () => {
  warnings = await installCrds()
  await createNamespace(NAMESPACE)
}, 120_000)

afterAll(() => closingLine(`test:cluster: ${accepted} CRDs accepted, ${agreed} verdicts agree`))

test.each(kinds)('the CRD of $kind is accepted without a warning', async ({ kind, plural, group }) => {
  expect(warnings.get(kind)).toEqual([])
  const { body } = await mustRequest(
    'GET',
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${group}`,
  )
  const conditions = Object.fromEntries(
    body.status.conditions.map((c: { type: string; status: string }) => [c.type, c.status]),
  )
  expect(conditions).toMatchObject({ NamesAccepted: 'True', Established: 'True' })
  expect(conditions).not.toHaveProperty('NonStructuralSchema')
  accepted++
})

test.each(rows)('$name', async (row) => {
  const answer = row.old ? await tryUpdate(row) : await tryCreate(row)
  expect(causesOf(answer)).toEqual(sorted(judge(row)))
  expect(answer.code).toBe(row.refused === undefined ? (row.old ? 200 : 201) : 422)
  agreed++
})

test('the CRDs on disk are the ones that were tried', () => {
  for (const { group, plural } of kinds)
    expect(readFileSync(`deploy/crds/${group}_${plural}.yaml`, 'utf8')).toContain(`name: ${plural}.${group}`)
})

const at = (row: Row): string =>
  collection(kindOf(row.object.apiVersion, row.object.kind)!, String(row.object.apiVersion), NAMESPACE)

function tryCreate(row: Row): Promise<Answer> {
  return request('POST', `${at(row)}?dryRun=All&fieldValidation=Ignore`, row.object)
}

async function tryUpdate(row: Row): Promise<Answer> {
  const { body: stored } = await mustRequest('POST', `${at(row)}?fieldValidation=Ignore`, row.old)
  const place = `${at(row)}/${stored.metadata.name}`
  try {
    const metadata = { ...(row.object.metadata as object), resourceVersion: stored.metadata.resourceVersion }
    return await request('PUT', `${place}?dryRun=All&fieldValidation=Ignore`, { ...row.object, metadata })
  } finally {
    await mustRequest('DELETE', place)
  }
}

function causesOf(answer: Answer): StatusCause[] {
  const causes: StatusCause[] | undefined = answer.body.details?.causes
  return sorted(
    causes?.filter((cause) => !elsewhere(cause)) ??
      (answer.code >= 300 ? [{ reason: String(answer.code), message: answer.body.message, field: '' }] : []),
  )
}

/** Said by other parts of the server than its schema validators: by the scale subresource, and about any object's name. */
function elsewhere({ field, message }: StatusCause): boolean {
  return field.startsWith('.') || (field === 'metadata.name' && message.includes('RFC 1123'))
}

function sorted(causes: StatusCause[]): StatusCause[] {
  return causes
    .map(({ reason, message, field }) => ({ reason, message, field }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}
