// What is wrong with a command line, in our words and with a command to paste.
import type { Command, CommanderError } from 'commander'
import { nearest } from '../api/nearest.ts'
import { UsageError } from './usage-error.ts'

export function wordsForCommandLine(error: CommanderError, program: Command, args: readonly string[]): UsageError {
  const command = program.commands.find((candidate) => args.includes(candidate.name()))
  const name = command ? `trainyard ${command.name()}` : 'trainyard'
  const word = /'([^']*)'/.exec(error.message)?.[1] ?? ''
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(word, command ?? program, name)
    case 'commander.unknownCommand': {
      const near = nearest(
        word,
        program.commands.map((candidate) => candidate.name()),
      )
      return new UsageError(
        `there is no command ${word}${near ? `; did you mean ${near}?` : ''}`,
        near ? `trainyard ${near} --help` : 'trainyard --help',
      )
    }
    case 'commander.optionMissingArgument':
      return new UsageError(`${word.replace(/^(-\w), .*/, '$1').replace(/ .*/, '')} needs a value`, `${name} --help`)
    case 'commander.excessArguments': {
      const stray = strayWord(args, command)
      const takesFiles = command?.options.some((option) => option.long === '--filename')
      if (takesFiles && stray)
        return new UsageError(`${command!.name()} takes its manifests with -f`, `${name} -f ${stray}`)
      return new UsageError(`${name} takes fewer words than that`, `${name} --help`)
    }
    case 'commander.missingArgument':
      return new UsageError(`${name} needs ${word || 'one word more'}`, `${name} --help`)
    default:
      return new UsageError('this command line cannot be understood', `${name} --help`)
  }
}

function unknownOption(option: string, command: Command, name: string): UsageError {
  const flag = option.replace(/=.*/s, '')
  // Its own, so it must have stood where options of all commands stand.
  if (command.options.some(({ long, short }) => flag === long || flag === short))
    return new UsageError(`${flag} goes after ${command.name()}, not before it`, `${name} ${flag} …`)
  const known = command.options.flatMap((candidate) => (candidate.long ? [candidate.long] : []))
  const near = nearest(flag, [...known, '--help'])
  return new UsageError(`${name} has no option ${flag}${near ? `; did you mean ${near}?` : ''}`, `${name} --help`)
}

/** The first word that is neither the command nor belongs to an option. */
function strayWord(args: readonly string[], command: Command | undefined): string | undefined {
  return args.find((arg, i) => arg !== command?.name() && !arg.startsWith('-') && !args[i - 1]?.startsWith('-'))
}
