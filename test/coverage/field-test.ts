// What a row of the coverage table is: a field, the code that gives it its meaning, and a test that notices its absence.
import { deleteField } from './delete-field.ts'

export interface FieldTest {
  field: string
  /** What it does, in a few words. */
  does: string
  /** The file that gives it its meaning. */
  code: string
  /** The test's name. */
  test: string
  /** Throws when the field does not do what it should. */
  run: (world: World) => void
}

/** Everything a test feeds in or reads back passes through here; for a test of the test, without the field. */
export class World {
  readonly #missing: string | undefined

  constructor(missing?: string) {
    this.#missing = missing
  }

  /** An object as a user writes it. */
  input<T>(object: T): T {
    return this.#missing === undefined ? object : deleteField(object, this.#missing)
  }

  /** The status of an object, as somebody reads it. */
  status<T>(status: T): T {
    return this.#missing === undefined ? status : deleteField({ status }, this.#missing).status
  }
}
