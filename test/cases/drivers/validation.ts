import { pathText } from '../../../src/api/issue.ts'
import { validate } from '../../../src/api/validate.ts'
import { buildJob } from '../build-job.ts'
import type { Answers, Edition, Given } from '../case.ts'

interface FieldError {
  field: string
  type: string
}

/** What upstream says in a sentence, ours says at a place: where must the complaint stand? */
const PLACES: [RegExp, (type: string) => RegExp][] = [
  [/^TFJobSpec is not valid$/, () => /^spec\.tfReplicaSpecs$/],
  [/containers definition expected in (\w+)$/, (type) => new RegExp(`\\.${type}\\.template\\.spec\\.containers$`)],
  [
    /Image is undefined in the container of (\w+)$/,
    (type) => new RegExp(`\\.${type}\\..*containers\\[\\d+\\]\\.image$`),
  ],
  [/no container named tensorflow in (\w+)$/, (type) => new RegExp(`\\.${type}\\.template\\.spec\\.containers`)],
  [/more than 1 evaluator found$/, () => /^spec\.tfReplicaSpecs\.Evaluator\.replicas$/],
  [/more than 1 chief\/master found$/, () => /^spec\.tfReplicaSpecs\.(Chief|Master)$/],
]

export function checkSpec(given: Given, edition: Edition): Answers {
  const errors = findErrors(given, edition)
  return {
    valid: errors.length === 0,
    message: (expected: string) => {
      const [pattern, placeOf] = PLACES.find(([words]) => words.test(expected)) ?? []
      const place = placeOf?.(pattern?.exec(expected)?.[1] ?? '')
      return errors.some(({ field }) => place?.test(field)) ? expected : errors
    },
  }
}

export function admit(given: Given, edition: Edition): Answers {
  const errors = findErrors(given, edition)
  return {
    admitted: errors.length === 0,
    errors: (expected: FieldError[]) => {
      const isTold = (one: FieldError): boolean => errors.some((found) => isSame(one, found))
      const isMeant = (found: FieldError): boolean => expected.some((one) => isSame(one, found))
      return expected.every(isTold) && errors.every(isMeant) ? expected : errors
    },
  }
}

function findErrors(given: Given, edition: Edition): FieldError[] {
  const { issues } = validate(buildJob(given, edition))
  return issues
    .filter((issue) => issue.severity === 'error')
    .map((issue) => ({ field: pathText(issue.path), type: (issue.reason ?? '').replace('FieldValue', '') }))
}

/**
 * Map keys stand in brackets upstream. What is there but empty is missing to a webhook and invalid to a schema, which may
 * also say it at the element concerned.
 */
function isSame(expected: FieldError, found: FieldError): boolean {
  const field = expected.field.replace(/\[([A-Za-z]+)\]/g, '.$1')
  if (expected.type !== 'Required') return found.field === field && found.type === expected.type
  return (found.field === field || found.field.startsWith(`${field}[`)) && /^(Required|Invalid)$/.test(found.type)
}
