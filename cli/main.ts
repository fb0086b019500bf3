// The command agent-registrar: its arguments, what it prints, and the code that it ends with.
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { parseArgs, styleText } from 'node:util'
import { openApi } from './api.ts'
import { bridge } from './bridge.ts'
import type { Context, Shown } from './commands/command.ts'
import { commands, completion, help, meant } from './commands/index.ts'
import { exitCodes, Failure, usage } from './failure.ts'
import { keepKey, keyFor, serviceUrl } from './session.ts'
import { printable } from './table.ts'

const { env: environment, stdin, stdout, stderr } = process
const VERSION = '0.1.0'

function read() {
  const string = { type: 'string' } as const
  const boolean = { type: 'boolean' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...{ url: string, 'api-key': string, years: string, 'max-price': string },
        ...{
          'idempotency-key': string,
          cursor: string,
          yes: { ...boolean, short: 'y' },
          json: boolean,
        },
        ...{ quiet: boolean, 'no-color': boolean, help: { ...boolean, short: 'h' } },
        version: boolean,
      },
    })
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error))
  }
}

async function login(url: string, flag: string | undefined): Promise<Shown> {
  if (flag !== '-')
    throw usage('Give the API key on standard input: agent-registrar login --api-key - < file')
  const key = (await text(stdin)).trim()
  if (!/^[\x21-\x7e]+$/.test(key)) throw usage('Standard input has no API key')
  await openApi(url, key)('GET', '/v1/account')
  keepKey(environment, url, key)
  return { body: { url }, lines: [`Logged in to ${url}`] }
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: stdin, output: stderr })
  const answer = await terminal.question(`${question} Buy? [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

async function run({ values, positionals }: ReturnType<typeof read>): Promise<Shown> {
  const [name = 'help', ...words] = positionals
  if (values.version) return { body: { version: VERSION }, lines: [VERSION] }
  if (values.help || name === 'help') return { body: { help: help() }, lines: help() }
  if (name === 'completion') {
    const script = completion(words[0])
    if (script === null) throw usage('Give a shell: bash, zsh or fish')
    return { body: { script }, lines: [script] }
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined && !['login', 'logout', 'mcp'].includes(name)) {
    const near = meant(name)
    throw usage(`There is no command ${name}${near === null ? '' : `; did you mean ${near}?`}`)
  }
  const url = serviceUrl(environment, values.url)
  if (name === 'login') return login(url, values['api-key'])
  if (name === 'logout') {
    const lines = [keepKey(environment, url, null) ? 'Logged out' : 'There was no API key']
    return { body: { url }, lines }
  }
  const token = keyFor(environment, url)
  if (command === undefined) {
    const endpoint = environment.AGENT_REGISTRAR_MCP_URL ?? `${url}/mcp`
    const print = (line: string) => stdout.write(`${line}\n`)
    await bridge({ endpoint, token, input: stdin, print })
    return { body: null, lines: [] }
  }
  const context: Context = {
    api: openApi(url, token),
    words,
    flags: values,
    ask: stdin.isTTY && stderr.isTTY ? ask : null,
    emit: (body, line) => stdout.write(`${values.json ? JSON.stringify(body) : printable(line)}\n`),
    say: (line) => values.quiet || stderr.write(`${line}\n`),
  }
  return command.run(context)
}

function colour(style: 'bold' | 'red', line: string, stream: { isTTY: boolean }): string {
  const plain = !stream.isTTY || environment.NO_COLOR || process.argv.includes('--no-color')
  return plain ? line : styleText(style, line)
}

function print({ body, lines }: Shown, json: boolean): void {
  if (json && body !== null) stdout.write(`${JSON.stringify(body)}\n`)
  else
    for (const [index, line] of lines.entries())
      stdout.write(`${index === 0 && lines.length > 1 ? colour('bold', line, stdout) : line}\n`)
}

try {
  const args = read()
  const shown = await run(args)
  print(shown, args.values.json === true)
  process.exitCode = shown.exit ?? exitCodes.ok
} catch (error) {
  if (!(error instanceof Failure)) throw error
  if (process.argv.includes('--json')) stdout.write(`${JSON.stringify(error.body)}\n`)
  for (const [index, line] of error.message.split('\n').entries())
    stderr.write(`${index === 0 ? colour('red', printable(line), stderr) : printable(line)}\n`)
  if (error.next !== null) stderr.write(`Next: ${printable(error.next)}\n`)
  process.exitCode = error.exit
}
