// Standard input and error as a person uses them: questions, secrets without an echo, and progress
// in one line that is rewritten. Where they are not a terminal, progress is plain lines.
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { coloured } from './colours.ts'
import { exitCodes, Failure, usage } from './failure.ts'
import { printable, shortened } from './table.ts'

export type Terminal = {
  /** Asks a person a question, or returns null if no person can answer. */
  ask: ((question: string) => Promise<boolean>) | null
  /** Reads a secret: all of standard input, or a line typed without an echo. */
  secret: (wanted: string) => Promise<string>
  /** Prints a line that stays on standard error. */
  say: (line: string) => void
  /** Like `say`, but also with --quiet, because the command cannot be used without it. */
  show: (line: string) => void
  /** The current step, which the next step or the result replaces. Null means that it has ended. */
  progress: (line: string | null) => void
  isInteractive: boolean
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100
/** A step counts as long after this time. */
const WHILE_MS = 1_500
const { stdin, stderr } = process

export function openTerminal({ quiet }: { quiet: boolean }): Terminal {
  const isInteractive = stdin.isTTY && stderr.isTTY
  const moves = stderr.isTTY && process.env.TERM !== 'dumb'
  const progress = moves && !quiet ? movingLine() : plainLines(quiet)
  const show = (line: string) => {
    progress(null)
    stderr.write(`${line}\n`)
  }
  return {
    isInteractive,
    show,
    say: (line) => quiet || show(line),
    progress,
    ask: isInteractive
      ? (question) => {
          progress(null)
          return ask(question)
        }
      : null,
    secret: (wanted) => (stdin.isTTY ? typed(`The ${wanted}: `) : given(wanted)),
  }
}

/** Shows a moving sign, and the seconds since the line began. */
function movingLine(): Terminal['progress'] {
  let [line, since, frame] = ['', 0, 0]
  let timer: NodeJS.Timeout | null = null
  const draw = () => {
    const waited = Date.now() - since
    const elapsed = waited < 2_000 ? '' : ` (${Math.floor(waited / 1000)} s)`
    const shown = shortened(line, (stderr.columns || 80) - elapsed.length - 3)
    frame += 1
    const sign = coloured('green', FRAMES[frame % FRAMES.length] ?? '', stderr)
    stderr.write(`\r\u001b[2K${sign} ${shown}${coloured('dim', elapsed, stderr)}`)
  }
  return (next) => {
    if (next === null) {
      if (timer !== null) clearInterval(timer)
      if (frame > 0) stderr.write('\r\u001b[2K')
      timer = null
      frame = 0
      return
    }
    if (line !== next || timer === null) since = Date.now()
    line = next
    timer ??= setInterval(draw, FRAME_MS).unref()
    if (frame > 0) draw()
  }
}

/** Prints each step once, and only if it takes a while, because a log has no use for more. */
function plainLines(quiet: boolean): Terminal['progress'] {
  let last: string | null = null
  let timer: NodeJS.Timeout | null = null
  return (line) => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (quiet || line === null || line === last) return
    const print = () => {
      last = line
      stderr.write(`${printable(line)}\n`)
    }
    timer = setTimeout(print, WHILE_MS).unref()
  }
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: stdin, output: stderr })
  const interrupted = new Promise<never>((_, reject) =>
    terminal.once('SIGINT', () => reject(new Failure(exitCodes.interrupted, 'Interrupted'))),
  )
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), interrupted])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}

async function given(wanted: string): Promise<string> {
  const secret = (await text(stdin)).trim()
  if (!/^[\x21-\x7e]+$/.test(secret)) throw usage(`Standard input has no ${wanted}`)
  return secret
}

/**
 * This uses listeners, because an iterator would close standard input, and a question may follow.
 */
async function typed(question: string): Promise<string> {
  let secret = ''
  let take: ((chunk: Buffer) => void) | null = null
  // Listens before it asks, because an answer may come at once, for instance from a clipboard.
  stdin.setRawMode(true)
  stderr.write(question)
  try {
    return await new Promise((resolve, reject) => {
      take = (chunk) => {
        for (const character of chunk.toString()) {
          if (character === '\u0003') reject(new Failure(exitCodes.interrupted, 'Interrupted'))
          if ('\r\n\u0004'.includes(character)) return resolve(secret.trim())
          secret = '\b\u007f'.includes(character) ? secret.slice(0, -1) : secret + character
        }
      }
      stdin.on('data', take)
    })
  } finally {
    if (take !== null) stdin.off('data', take)
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}
