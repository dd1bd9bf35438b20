// Loaded before a program: its clock is off by as many milliseconds as a file says, and may jump while it runs.
import { readFileSync } from 'node:fs'

const real = Date.now.bind(Date)
let looked = 0
let offset = 0

Date.now = () => {
  if (real() - looked > 20) {
    looked = real()
    try {
      offset = Number(readFileSync(process.env.CLOCK_OFFSET, 'utf8')) || 0
    } catch {}
  }
  return real() + offset
}
