// torch takes seconds to load, on a loaded machine one process many more than another, and torchrun begins without
// whoever is not there when its last call is over. So that every world has the size it was asked to have however slow
// the machine is, agents wait at a gate until torch has been loaded by all of them.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

const PATIENCE = { timeout: 600_000, interval: 100 }

export class StartGate {
  /** To be put first on the PATH: here torchrun waits before it begins. */
  readonly bin: string
  readonly #waiting: string

  constructor(dir: string, programs: string) {
    this.bin = join(dir, 'bin')
    this.#waiting = join(dir, 'waiting')
    for (const folder of [this.bin, this.#waiting]) mkdirSync(folder, { recursive: true })
    const program = `#!${programs}/python3
import sys, time, uuid
from pathlib import Path
from torch.distributed.run import main
import torch.distributed.elastic.agent.server.local_elastic_agent
import torch.distributed.elastic.rendezvous.c10d_rendezvous_backend

here = Path(${JSON.stringify(this.#waiting)}) / str(uuid.uuid4())
here.touch()
while here.exists():
    time.sleep(0.05)
sys.exit(main())
`
    writeFileSync(join(this.bin, 'torchrun'), program, { mode: 0o755 })
  }

  /** Waits until this many are there, and lets them through at the same time. */
  async open(count: number): Promise<void> {
    await expect.poll(() => readdirSync(this.#waiting), PATIENCE).toHaveLength(count)
    for (const name of readdirSync(this.#waiting)) rmSync(join(this.#waiting, name))
  }
}
