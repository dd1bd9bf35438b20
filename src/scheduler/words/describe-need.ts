import { describeAmount } from '../facts/amounts.ts'

/** `needs 2 CPU`, `5 pods need 10 CPU together`. */
export function describeNeed(pods: number, resource: string, amount: number): string {
  return pods === 1
    ? `needs ${describeAmount(resource, amount)}`
    : `${pods} pods need ${describeAmount(resource, amount)} together`
}
