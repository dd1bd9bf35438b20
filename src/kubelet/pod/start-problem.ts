import { NotYet } from '../interfaces.ts'
import { CannotStart } from '../process/find-program.ts'

/** What the system said when a program could not be started, in words; some of it passes. */
export function wordsFor(error: unknown): NotYet | CannotStart {
  const { code } = error as NodeJS.ErrnoException
  switch (code) {
    case 'E2BIG':
      return new CannotStart('its arguments and environment are longer than this machine allows', 126)
    case 'ERR_INVALID_ARG_VALUE':
      return new CannotStart('its arguments or environment have a NUL byte in them', 128)
    case 'EAGAIN':
    case 'ENOMEM':
      return new NotYet('this machine has no room for another process; it is tried again', 'CreateContainerConfigError')
    case 'EMFILE':
    case 'ENFILE':
      return new NotYet(
        'this machine has no room for another open file; it is tried again',
        'CreateContainerConfigError',
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return new NotYet('the disk is full; it is tried again', 'CreateContainerConfigError')
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new CannotStart('its directory, volumes or logs may not be written', 128)
    default:
      return new NotYet(
        `it could not be started (${code ?? 'no reason known'}); it is tried again`,
        'CreateContainerConfigError',
      )
  }
}

/** The machine has no room for a file at the moment, which says nothing of whether the thing itself can be done. */
export function isForWant(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
}
