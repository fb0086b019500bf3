// Log-in and log-out: the owner enters a code in a browser, or an API key is read from standard
// input and stored.
import { createRegistrarClient } from '../../sdk/client/client.ts'
import type { Flags } from '../arguments.ts'
import { coloured } from '../colours.ts'
import { type Credentials, type Environment, openCredentials } from '../credentials.ts'
import { usage } from '../failure.ts'
import { nearest } from '../nearest.ts'
import { type DeviceCode, logInByDevice, usualScopes } from '../oauth/device-log-in.ts'
import { discover } from '../oauth/discovery.ts'
import { revoke } from '../oauth/tokens.ts'
import { qrCode } from '../qr-code.ts'
import { printable } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { type Shown, wordsOf } from './command.ts'
import { scopesIn } from './keys.ts'

type LogInContext = {
  environment: Environment
  url: string
  words: string[]
  flags: Flags
  terminal: Terminal
}

export async function logIn(context: LogInContext): Promise<Shown> {
  const { environment, url, words, flags, terminal } = context
  wordsOf(words)
  const credentials = openCredentials(environment)
  if (flags['api-key'] !== undefined) return keepKey(context, credentials)
  const before = credentials.read(url)
  const endpoints = await discover(url)
  const kept = await logInByDevice({
    url,
    endpoints,
    scope: scopeOf(flags, endpoints.scopes, before?.type === 'oauth' ? before.scope : ''),
    client_id: before?.type === 'oauth' ? before.client_id : null,
    show: (code) => showCode(code, context),
  })
  await credentials.change(url, () => kept)
  terminal.progress(null)
  return loggedIn(context, { url, scope: kept.scope })
}

function loggedIn({ environment, url }: LogInContext, body: object): Shown {
  const overruled = environment.AGENT_REGISTRAR_API_KEY
    ? ['AGENT_REGISTRAR_API_KEY is set, and is used instead']
    : []
  return { body, lines: [`Logged in to ${url}`, ...overruled] }
}

async function keepKey(context: LogInContext, credentials: Credentials): Promise<Shown> {
  const { url, flags, terminal } = context
  if (flags['api-key'] !== '-')
    throw usage('Others can see a key on the command line: login --api-key - < file')
  const api_key = await terminal.secret('API key')
  await createRegistrarClient({ baseUrl: url, apiKey: api_key, retry: { retries: 2 } }).getAccount()
  await credentials.change(url, () => ({ type: 'api_key', api_key }) as const)
  return loggedIn(context, { url })
}

/**
 * The usual scopes that the service knows, those of the log-in so far, and those that are named.
 */
function scopeOf({ scope = [] }: Flags, supported: string[], before: string): string {
  const asked = scope.flatMap(scopesIn)
  const odd = asked.find((one) => !supported.includes(one))
  if (odd !== undefined) {
    const near = nearest(odd, supported)
    throw usage(`There is no scope ${odd}${near === null ? '' : `; did you mean ${near}?`}`)
  }
  const usual = usualScopes.filter((one) => supported.includes(one))
  return [...new Set<string>([...usual, ...scopesIn(before), ...asked])].join(' ')
}

async function showCode(code: DeviceCode, { flags, terminal }: LogInContext): Promise<void> {
  const { user_code, verification_uri, verification_uri_complete: link, expires_in } = code
  const minutes = Math.round(expires_in / 60)
  terminal.show(`Open ${printable(verification_uri)}`)
  terminal.show(`and enter the code ${coloured('bold', printable(user_code), process.stderr)}`)
  terminal.show(`or open ${printable(link)}`)
  if (terminal.isInteractive) for (const line of await qrCode(link)) terminal.show(line)
  if (flags.open === true) await openBrowser(link, terminal)
  terminal.progress(`Waiting for you to allow it; the code is valid for ${minutes} minutes`)
}

const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens only web pages, and never through a shell. */
async function openBrowser(link: string, terminal: Terminal): Promise<void> {
  if (!/^https?:$/.test(new URL(link).protocol)) return
  const { spawn } = await import('node:child_process')
  const [program = '', ...words] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...words, new URL(link).href], { stdio: 'ignore', detached: true })
  child.once('error', () =>
    terminal.show(`${program} could not be started: open the page manually`),
  )
  child.unref()
}

/**
 * The token is revoked at the service first, because a token that is only deleted here would stay
 * valid.
 */
export async function logOut({ environment, url, words }: LogInContext): Promise<Shown> {
  wordsOf(words)
  const credentials = openCredentials(environment)
  let line = 'Not logged in'
  if (credentials.read(url) !== null)
    await credentials.change(url, async (kept) => {
      if (kept?.type === 'oauth') await revoke(kept)
      if (kept?.type === 'oauth')
        line = 'Logged out; API keys created with this log-in are revoked, too'
      if (kept?.type === 'api_key') line = 'Logged out; the API key stays valid until it is revoked'
      return null
    })
  return { body: { url }, lines: [line] }
}
