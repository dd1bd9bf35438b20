import { expect, test } from 'vitest'
import { ApiError, ConnectionError } from '../../kube/index.ts'
import { errorFields } from './log.ts'

test('what the API or the way to it is to blame for is told without a place in our code', async () => {
  const refused = new ApiError({ code: 403, reason: 'Forbidden', message: 'no' })
  expect(errorFields(refused)).toEqual({ error: 'no', code: 403 })
  expect(errorFields(new ConnectionError('cut', 'gone'))).toEqual({ error: 'gone', problem: 'cut' })
  const late = AbortSignal.timeout(1)
  await new Promise((resolve) => late.addEventListener('abort', resolve))
  expect(errorFields(late.reason)).toEqual({ error: 'The operation was aborted due to timeout' })
})

test('a defect of ours is told with its place', () => {
  expect(errorFields(new TypeError('x'))).toMatchObject({ error: 'x', stack: expect.stringContaining('log.test.ts') })
})
