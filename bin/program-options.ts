// Options of the programs of bin/.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/**
 * The values of the options. `--help` ends the process with the usage, and an unknown option ends
 * it with the usage and exit code 2.
 */
export function programOptions<T extends ParseArgsOptionsConfig>(usage: string, options: T) {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  }
  try {
    return parseArgs({ options }).values
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`)
    process.exit(2)
  }
}
