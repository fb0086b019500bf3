// The runner of bin/test: selects the test files, splits them into shards and passes these to
// `node --test`. A shard is a process that runs its files one after the other (shard.ts), so that
// the service is imported once per process and not once per file.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { endedSeconds } from './costs.ts'
import { filesOf, inTier, isIsolated } from './files.ts'
import { shardsOf, shuffled } from './split.ts'

const root = resolve(import.meta.dirname, '../..')
const entries = join(root, 'node_modules/.cache/shards')
const [caller = root, ...given] = process.argv.slice(2)
const end = given.includes('--') ? given.indexOf('--') : given.length
const ofNode = given.slice(end + 1)
const { shuffle, long, record, paths } = read(given.slice(0, end))
/**
 * More than two cores' worth: many files wait for a lease, a lock or a process. Browsers and nodes
 * of the long tier keep the cores busy with fewer.
 */
const processes = Math.max(long ? 4 : 6, availableParallelism())
/** An eighth of a shard's processor time was the collection of short-lived objects. */
const youngSpace = ['--min-semi-space-size=32', '--max-semi-space-size=64']

// Node hands its flags on to the shards.
const child = spawn(process.execPath, [...youngSpace, '--test', ...options(), ...targets()], {
  stdio: 'inherit',
})
// Ctrl-C reaches the child without our help, and it names what was running.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code) => {
  process.exitCode = code ?? 1
  const seconds = endedSeconds()
  // As the reporter writes how long it took. A busy machine makes the same work cost more.
  if (seconds !== null) process.stdout.write(`ℹ cpu_seconds ${seconds.toFixed(1)}\n`)
})

function read(words: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        long: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        shuffle: { type: 'string' },
      },
    })
    const paths = positionals.map((path) => resolve(caller, path))
    // Node passes over a path that fits nothing; a mistyped one would count as a success.
    const missing = paths.find((path) => !path.includes('*') && !existsSync(path))
    if (missing !== undefined) throw new Error(`there is no ${missing}`)
    return { ...values, paths }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`bin/test: ${message}\nOptions of node --test come after --.\n`)
    process.exit(2)
  }
}

function options(): string[] {
  const reporters = record
    ? ['--test-reporter=./test/shards/record.ts', '--test-reporter-destination=stderr']
    : []
  return [
    '--test-isolation=process',
    `--test-concurrency=${processes}`,
    '--test-global-setup=test/support/global-setup.ts',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    ...reporters,
    ...ofNode,
  ]
}

function targets(): string[] {
  const found = filesOf(root, paths)
  const files = paths.length > 0 ? found : inTier(found, long ? 'long' : 'usual')
  if (!record && (files.length === 1 || ofNode.length > 0))
    return ['--test-timeout=120000', ...files]
  const shards = shardsOf(shuffle === undefined ? files : shuffled(files, shuffle), {
    durations: durations(),
    processes,
    alone: isIsolated,
    keepOrder: shuffle !== undefined,
  })
  return shards.map(writeEntry)
}

function durations(): ReadonlyMap<string, number> {
  const written = JSON.parse(readFileSync(join(import.meta.dirname, 'durations.json'), 'utf8'))
  return new Map(Object.entries(written).map(([file, ms]) => [file, Number(ms)]))
}

/** The same list is always the same file: runs at the same time do not disturb each other. */
function writeEntry(files: readonly string[]): string {
  const shard = relative(entries, join(import.meta.dirname, 'shard.ts'))
  const context = relative(entries, join(import.meta.dirname, 'test-context.ts'))
  const text = [
    `import '${context}'`,
    // Later than any static import: node:test is loaded when a module that imports it is linked.
    `const { runShard } = await import('${shard}')`,
    `await runShard(${JSON.stringify(files)})`,
    '',
  ].join('\n')
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const entry = join(entries, `${name}.mjs`)
  mkdirSync(entries, { recursive: true })
  writeFileSync(entry, text)
  return entry
}
