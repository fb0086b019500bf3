// The common frame of the benchmarks: options, a folder on a real disk, and clean-up.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { programOptions } from '../../bin/program-options.ts'
import { recordResults } from './recorded/readme-rows.ts'

type Options = {
  /** How long one round takes. */
  seconds: number
  /** How many alternating rounds of the product and of its peer. */
  rounds: number
  /** Profiles the service's CPU time. */
  profile: boolean
  /** Writes the results into bench/README.md. */
  record: boolean
}
export type Bench = Options & {
  /** The results of the comparisons so far, as the README shows them. */
  results: string[]
  /** A folder on a disk, not in memory, which is removed at the end. */
  folder: string
  /** Registers work that runs at the end in any case; the last one registered runs first. */
  atEnd: (step: () => Promise<unknown>) => void
}

const root = resolve(import.meta.dirname, '../..')
const tmpfs = 0x01021994
const longest_ms = 9 * 60_000

/** A benchmark's own options and time limit. */
type Own = { options?: readonly string[]; longest_ms?: number }

function readOptions(own: readonly string[]): Options {
  const words = own.map((name) => `[--${name} VALUE] `).join('')
  const usage = `bin/bench NAME ${words}[--seconds N] [--rounds N] [--profile] [--record]`
  const values = programOptions(usage, {
    ...Object.fromEntries(own.map((name) => [name, { type: 'string' as const }])),
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    profile: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  })
  return {
    seconds: positive(values.seconds),
    rounds: positive(values.rounds),
    profile: values.profile,
    record: values.record,
  }
}

function positive(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new RangeError(`"${text}" is no whole number above 0`)
}

/** A new folder that a restricted account (the database's) may enter. */
function folderOnDisk(): string {
  const inMemory = statfsSync(tmpdir()).type === tmpfs
  const parent = inMemory ? join(root, 'node_modules', '.cache') : tmpdir()
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'agent-registrar-bench-'))
  chmodSync(folder, 0o711)
  return folder
}

/** Runs one benchmark and ends the process: at its end, at Ctrl-C, or when it takes too long. */
export async function runBench(
  work: (bench: Bench) => Promise<void>,
  own: Own = {},
): Promise<void> {
  const most_ms = own.longest_ms ?? longest_ms
  const folder = folderOnDisk()
  const steps: (() => Promise<unknown>)[] = [
    async () => rmSync(folder, { recursive: true, force: true }),
  ]
  const cut = Promise.withResolvers<never>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => cut.reject(new Error(`cut short by ${signal}`)))
  const late = () => cut.reject(new Error(`took longer than ${most_ms / 60_000} minutes`))
  const timer = setTimeout(late, most_ms)
  try {
    const results: string[] = []
    const bench = {
      ...readOptions(own.options ?? []),
      ...{ folder, results },
      atEnd: (step: () => Promise<unknown>) => {
        steps.push(step)
      },
    }
    await Promise.race([work(bench), cut.promise])
    if (bench.record) recordResults(basename(process.argv[1] ?? '', '.bench.ts'), results)
  } catch (error) {
    complain(error)
  }
  clearTimeout(timer)
  for (const step of steps.reverse()) await step().catch(complain)
  process.exit()
}

function complain(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
}
