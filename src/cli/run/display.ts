import type { Notice } from './view/notices.ts'
import type { Replica } from './view/replica-view.ts'
import type { Summary } from './view/summary.ts'

/** How a followed job is shown: as lines, or with a table that stays below them. */
export interface Display {
  line(replica: Replica, text: string): void
  /** Resolves when more lines may come: a program may write faster than anybody reads. */
  ready(): Promise<void>
  notice(notice: Notice): void
  /** The view has changed. */
  changed(): void
  /** Nothing more will change: the last picture. */
  finish(summary: Summary): void
  /** Leaves the terminal as it is; the job goes on. */
  leave(): void
}
