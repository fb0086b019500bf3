// The service as a process of its own, from a bundle: its lines as they come, and its end.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { watchLine } from '../shards/secret-watch.ts'
import { bundleOf } from './bundle.ts'

export const root = join(import.meta.dirname, '..', '..')
const bundle = await bundleOf(join(root, 'src/main.ts'))
/** Compiled code of the bundle and of the sandbox registries that it starts. */
const compiled = join(dirname(bundle), 'compiled')
/** A start that copies no young objects takes a tenth less of processor time. */
const youngSpace = '--min-semi-space-size=32'

/** The first start shows its keys and the link that sets the password, once. */
const shownOnce = /^ {4}(op_|API_KEY=ar_|https?:\S+\/password\?token=pwt_)/

export type Program = {
  child: ChildProcess
  /** All lines of stdout and stderr so far. */
  lines: string[]
  /** The first line that fits, also one that came already; an Error when it ends without one. */
  line: (wanted: RegExp) => Promise<string>
  /** Code or signal, once its output has ended too. */
  ended: Promise<number | string>
}
type ProgramOptions = {
  environment: Record<string, string>
  /** The command instead of Node on a bundle of src/main.ts. */
  command?: [string, ...string[]]
  cwd?: string
}

const running = new Set<ChildProcess>()
// Processes of a failed test; the sandbox registries end with their parent.
after(() => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts it with these settings and no others. */
export function startProgram(options: ProgramOptions): Program {
  const [file, ...words] = options.command ?? [process.execPath, youngSpace, bundle]
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(file, words, {
    cwd: options.cwd ?? root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH,
      HOME,
      // Another command chooses its own.
      ...(options.command ? {} : { NODE_COMPILE_CACHE: compiled }),
      PORT: '0',
      DNS_PORT: '0',
      ...options.environment,
    },
  })
  running.add(child)
  const lines: string[] = []
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (!shownOnce.test(line)) watchLine(line)
      for (const listener of listeners) listener()
    })
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child)
    return signal ?? code
  })
  async function line(wanted: RegExp): Promise<string> {
    const over = ended.then(() => 'over' as const)
    for (;;) {
      const found = lines.find((one) => wanted.test(one))
      if (found !== undefined) return found
      const more = Promise.withResolvers<'more'>()
      const listener = () => more.resolve('more')
      listeners.add(listener)
      const next = await Promise.race([more.promise, over])
      listeners.delete(listener)
      if (next === 'over' && !lines.some((one) => wanted.test(one)))
        throw new Error(`It ended without ${wanted}:\n${lines.join('\n')}`)
    }
  }
  return { child, lines, line, ended }
}
