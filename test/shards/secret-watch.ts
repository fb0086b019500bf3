// Secrets of a whole test run: those that a client of a test sends or is given, and those of a
// node's settings, are in no line of a log, and in no answer but the one that gives them. Unlike
// test/support, this module is evaluated once: files share nodes and their logs.

import { isWellFormedSecret } from '../../src/kit/random.ts'

/** As it was sent and as it came. */
type Exchanged = {
  method: string
  url: URL
  headers: Headers
  body: string | URLSearchParams
  answer: { status: number; headers: Headers; text: string }
}

/** A shorter word would be found by chance. */
const shortest = 16
/** Longer ones are attempts to break something. */
const longest = 300
const betweenWords = /[^0-9A-Za-z_~+!-]+/
/** The ends of escapes, as of "\n", "%3D" and "\u0026", stand before a word. */
const ends = [0, 1, 2, 5]
const identifier = /^[0-9a-f]{8}-[0-9a-f]{4}-/
/** Our own bearer secrets, if the checksum is right: a random code may have their form. */
const own = /(ar_live_|ar_test_|ops?_|ses_|pwt_)[0-9A-Za-z]{40}$/
const ofWebhook = /whsec_[0-9A-Za-z]{34,}$/

const textOf = (names: readonly string[], value: string) =>
  new RegExp(`"(?:${names.join('|')})\\\\?":\\s?${value}`, 'g')
const sentAsSecret = textOf(
  [
    ...['password', 'current_password', 'new_password', 'token', 'ticket', 'code_verifier'],
    ...['access_token', 'refresh_token', 'client_secret', 'auth_code'],
  ],
  '("(?:[^"\\\\]|\\\\.){16,}")',
)
const givenAsSecret = textOf(
  [
    ...['api_key', 'mcp_api_key', 'operator_key', 'access_token', 'refresh_token'],
    ...['client_secret', 'secret', 'device_code', 'ticket'],
  ],
  '\\\\?"([^"\\\\]{16,})\\\\?"',
)
/** Others, such as that of an interaction, are in the links of a page, too. */
const sessionCookie = /session=([^;]+)/g
const formFields = [
  'password',
  'token',
  'code',
  'code_verifier',
  'refresh_token',
  'device_code',
  'client_secret',
]

/** The answers that give a secret, each once. */
const givesOnce = new RegExp(
  `^POST (${[
    '/v1/customers/[^/]+/api-keys(/[^/]+/rotate)?',
    '/v1/dashboard/(register/(verify|link)|sso/exchange|login|passkey/login)',
    '/v1/dashboard/config/mcp-api-key/rotate',
    '/v1/webhooks(/[^/]+/secret/rotate)?',
    '/v1/domains/[^/]+/tsig-keys',
    '/v1/internal/operator-keys(/[^/]+/rotate)?',
    '(/oauth)?/(token|register)',
    '/oauth/device_authorization',
  ].join('|')})$|^GET /v1/dashboard/sso/[^/]+/callback$`,
)
/** These show a secret as often as they are asked, to its owner; the mailbox what was mailed. */
const givesAgain =
  /^(GET|POST) \/v1\/(domains\/[^/]+\/transfer-auth-code(\/regenerate)?|sandbox\/mailbox.*)$/
const toolGivesAgain = /"name":"(get|regenerate)_transfer_auth_code"/

/** Name by secret. */
const secrets = new Map<string, string>()
/** Those that an answer gave, with the refresh token that it was given for; '': without one. */
const given = new Map<string, string>()
/** Secrets that are no single word (passwords), by how they begin. */
const phrases = new Map<string, Set<string>>()
const phrasePrefix = 12
/** Every word of a log, with its line: a secret may become known after it was logged. */
const logged = new Map<string, string>()
let leaks: string[] = []

function wordsOf(text: string): string[] {
  // Faster than to match words: a short one is not tried again from each of its characters.
  return text.split(betweenWords).filter((one) => one.length >= shortest && !identifier.test(one))
}

/** The secret that this word is; undefined: none. */
function secretIn(word: string): string | undefined {
  for (const end of ends) {
    const one = end === 0 ? word : word.slice(end)
    if (secrets.has(one)) return one
  }
  if (word.length <= 37) return undefined
  const [secret, prefix = ''] = own.exec(word) ?? ofWebhook.exec(word) ?? []
  if (secret === undefined || prefix === '') return secret
  return isWellFormedSecret(prefix, secret) ? secret : undefined
}

/** The longest word of a secret: all of it but the "=" and "/" of base64. */
function longestWord(value: string): string | undefined {
  if (/\s/.test(value)) return undefined
  return wordsOf(value).sort((a, b) => b.length - a.length)[0]
}

/** A shorter or longer text is ignored. */
export function addSecret(name: string, value: string): void {
  const key = longestWord(value) ?? value
  if (value.length < shortest || value.length > longest || secrets.has(key)) return
  secrets.set(key, name)
  if (longestWord(value) === undefined) {
    const prefix = value.slice(0, phrasePrefix)
    phrases.set(prefix, (phrases.get(prefix) ?? new Set()).add(value))
  }
  const line = logged.get(key)
  if (line !== undefined) note(`${name} in a log`, line, key)
}

export function watchLine(line: string): void {
  for (const found of wordsOf(line)) {
    noteSecret(found, 'a log', line)
    if (!logged.has(found)) logged.set(found, line)
  }
  watchPhrases('a log', line)
}

function watchPhrases(place: string, text: string): void {
  for (const [prefix, values] of phrases)
    if (text.includes(prefix))
      for (const value of values)
        if (text.includes(value)) note(`${secrets.get(value)} in ${place}`, text, value)
}

export function watchExchange(exchanged: Exchanged): void {
  const { method, url, body, answer } = exchanged
  addSent(exchanged)
  const at = `${method} ${url.pathname}`
  const called = url.pathname === '/mcp' && typeof body === 'string' ? body : ''
  const fresh = new Set<string>()
  const refreshed = refreshTokenOf(body)
  if (givesOnce.test(at))
    for (const [, value = ''] of answer.text.matchAll(givenAsSecret)) {
      const key = longestWord(value) ?? value
      // Sessions of one program that refresh one token get one answer (decision 96).
      if (given.has(key) && (refreshed === '' || given.get(key) !== refreshed))
        note(`a secret that was given before in ${at}`, answer.text, key)
      fresh.add(key)
    }
  if (!givesAgain.test(at) && !toolGivesAgain.test(called))
    watchAnswer({ at, text: answer.text, fresh })
  for (const value of fresh) {
    given.set(value, refreshed)
    addSecret(`the answer of ${at}`, value)
  }
  addOfHeaders(at, answer.headers)
}

function refreshTokenOf(body: string | URLSearchParams): string {
  return typeof body === 'string' ? '' : (body.get('refresh_token') ?? '')
}

type Watched = { at: string; text: string; fresh: ReadonlySet<string> }

function watchAnswer({ at, text, fresh }: Watched): void {
  for (const found of wordsOf(text)) if (!fresh.has(found)) noteSecret(found, at, text)
  watchPhrases(at, text)
}

function addSent({ headers, body }: Exchanged): void {
  const bearer = /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined) addSecret('a bearer token', bearer)
  for (const [, value = ''] of headers.get('cookie')?.matchAll(sessionCookie) ?? [])
    addSecret('the cookie of a session', value)
  if (typeof body === 'string')
    for (const [, value = '""'] of body.matchAll(sentAsSecret))
      addSecret('a secret of a request', unescaped(value))
  else
    for (const name of formFields)
      for (const value of body.getAll(name)) addSecret(`the ${name} of a form`, value)
}

/** A test may send what is no JSON. */
function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch (error) {
    if (error instanceof SyntaxError) return quoted.slice(1, -1)
    throw error
  }
}

/** Adds the secrets of a session, and of a client that is redirected with a code or a ticket. */
function addOfHeaders(at: string, headers: Headers): void {
  for (const cookie of headers.getSetCookie())
    for (const [, value = ''] of cookie.matchAll(sessionCookie))
      addSecret(`the session of ${at}`, value)
  const location = headers.get('location') ?? ''
  for (const [, value = ''] of location.matchAll(/[?&#](?:code|ticket|access_token)=([^&#]+)/g))
    addSecret(`the redirect of ${at}`, value)
}

function noteSecret(found: string, place: string, text: string): void {
  const secret = secretIn(found)
  if (secret !== undefined) note(`${secrets.get(secret) ?? 'a secret'} in ${place}`, text, secret)
}

/** With the text around it. */
function note(what: string, text: string, secret: string): void {
  const at = text.indexOf(secret)
  leaks.push(`${what}: ${text.slice(Math.max(0, at - 200), at + secret.length + 100)}`)
}

/** Throws all leaks since the last call: each fails one file. */
export function assertNothingLeaked(): void {
  const found = leaks
  leaks = []
  if (found.length > 0) throw new Error(`Secrets leaked:\n${found.join('\n')}`)
}

// This reports the leaks of a file that runs alone; after the last file of a shard none are left.
process.on('exit', () => {
  if (leaks.length === 0) return
  process.stderr.write(`Secrets leaked:\n${leaks.join('\n')}\n`)
  process.exitCode = 1
})
