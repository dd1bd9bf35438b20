import { runProgram } from '../run-program.ts'

/** One thing `npm run check` looks at. */
export interface Step {
  name: string
  run: () => Promise<StepResult>
}

export interface StepResult {
  /** Each a complete line (or more) that says where and what. None: all is well. */
  problems: string[]
  /** A figure worth seeing at the very end. */
  closing?: string
}

/** A step that is a program: its output is shown only when it fails. */
export async function runTool(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<StepResult> {
  const { code, output } = await runProgram(command, args, { env: { ...process.env, ...env } })
  return { problems: code === 0 ? [] : [output.trimEnd() || `${command}: exit code ${code}`] }
}
