/** The answer is no: exit code 1, with what to do instead where there is something. */
export class Declined extends Error {
  readonly hint: string | undefined
  constructor(message: string, hint?: string) {
    super(message)
    this.name = 'Declined'
    this.hint = hint
  }
}
