// The command agent-registrar: its arguments, output and exit code.
import { failureOfError, openRegistrar } from './api.ts'
import { type Arguments, readArguments, requireOptions } from './arguments.ts'
import { bridge } from './bridge.ts'
import { coloured } from './colours.ts'
import type { Shown } from './commands/command.ts'
import { closestCommand, commands, flagsOf, help, helpFor, names } from './commands/index.ts'
import { logIn, logOut } from './commands/log-in.ts'
import { completion } from './completion.ts'
import { serviceUrl } from './credentials.ts'
import { exitCodes, type Failure, usage } from './failure.ts'
import { openSession, type Session } from './session.ts'
import { printable } from './table.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const VERSION = '0.1.0'
const { env: environment, stdin, stdout, stderr } = process
/** The session that the message of a failure names, or null before a credential was read. */
let session: Session | null = null

async function run({ values, positionals }: Arguments, terminal: Terminal): Promise<Shown> {
  const [name = 'help', ...words] = positionals
  if (values.version) return { body: { version: VERSION }, lines: [VERSION] }
  const topic = name === 'help' ? words[0] : values.help ? name : undefined
  requireCommand(topic ?? name)
  if (name === 'help' || values.help) {
    const lines = topic === undefined ? help() : helpFor(topic)
    return { body: { help: lines }, lines }
  }
  requireOptions(name, values, flagsOf(name))
  if (name === 'completion') {
    const script = completion(words[0])
    if (script === null) throw usage('Give a shell: bash, zsh or fish')
    return { body: { script }, lines: [script] }
  }
  const url = serviceUrl(environment, values.url)
  if (name === 'login') return logIn({ environment, url, words, flags: values, terminal })
  if (name === 'logout') return logOut({ environment, url, words, flags: values, terminal })
  const command = commands[name]
  session = openSession(environment, { url, isPublic: command?.isPublic === true })
  if (command === undefined) {
    const print = (line: string) => stdout.write(`${line}\n`)
    await bridge({ session, endpoint: environment.AGENT_REGISTRAR_MCP_URL, input: stdin, print })
    return { body: null, lines: [] }
  }
  const emit = (body: unknown, line: string) =>
    stdout.write(`${values.json ? JSON.stringify(body) : line}\n`)
  const registrar = openRegistrar(session)
  return command.run({ registrar, session, words, flags: values, terminal, emit })
}

function requireCommand(name: string): void {
  if (names.includes(name)) return
  const near = closestCommand(name)
  throw usage(`There is no command ${name}${near === null ? '' : `; did you mean ${near}?`}`)
}

function print({ body, lines }: Shown, json: boolean): void {
  const text = json && body !== null ? [JSON.stringify(body)] : lines
  for (const line of text) stdout.write(`${line}\n`)
}

function report({ message, body, next, exit }: Failure): void {
  const topic = process.argv.slice(2).find((word) => names.includes(word))
  if (process.argv.includes('--json')) stdout.write(`${JSON.stringify(body)}\n`)
  for (const [index, line] of message.split('\n').entries())
    stderr.write(`${index === 0 ? coloured('red', printable(line), stderr) : printable(line)}\n`)
  const hint =
    exit === exitCodes.usage && topic !== undefined ? `agent-registrar help ${topic}` : next
  if (hint !== null) stderr.write(`Next: ${printable(hint)}\n`)
  process.exitCode = exit
}

// A reader that has seen enough, such as head, does not make the command fail.
stdout.on('error', (error) => {
  if (!('code' in error && error.code === 'EPIPE')) throw error
  process.exit()
})
let terminal: Terminal | null = null
try {
  const args = readArguments(process.argv.slice(2))
  terminal = openTerminal({ quiet: args.values.quiet === true })
  const shown = await run(args, terminal)
  terminal.progress(null)
  print(shown, args.values.json === true)
  process.exitCode = shown.exit ?? exitCodes.ok
} catch (error) {
  terminal?.progress(null)
  const failure = failureOfError(error, session)
  if (failure === null) throw error
  report(failure)
}
