// Every setting: name, default, meaning. The only reader of the environment.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEmail } from './kit/email.ts'

/** A setting that cannot be used: one clear line, no stack. */
export class SettingError extends Error {
  constructor(name: string, problem: string) {
    super(`${name} ${problem}`)
    this.name = 'SettingError'
  }
}

type Reader<T> = (text: string, name: string) => T
export type Setting = { name: string; preset: string; meaning: string }
const documented: Setting[] = []

function setting<T>(name: string, read: Reader<T>, words: { preset: string; meaning: string }) {
  const { preset } = words
  documented.push({ name, ...words })
  return (environment: Environment): T => {
    const given = environment[name]
    return read(given === undefined || given === '' ? preset : given, name)
  }
}

type Environment = Record<string, string | undefined>

const text: Reader<string> = (value) => value
const folder: Reader<string> = (value) => resolve(value)
const optional: Reader<string | null> = (value) => (value === '' ? null : value)

const optionalKey: Reader<string | null> = (value, name) => {
  if (value === '') return null
  if (Buffer.from(value, 'base64').length === 32) return value
  throw new SettingError(name, 'must be 32 bytes in base64 (openssl rand -base64 32)')
}

function whole(least: number, most: number): Reader<number> {
  return (value, name) => {
    const number = Number(value)
    if (/^[0-9]+$/.test(value) && number >= least && number <= most) return number
    throw new SettingError(name, `must be a whole number from ${least} to ${most}, not "${value}"`)
  }
}

function word<const W extends readonly string[]>(words: W): Reader<W[number]> {
  return (value, name) => {
    const found = words.find((one) => one === value)
    if (found !== undefined) return found
    throw new SettingError(name, `must be one of ${words.join(', ')}, not "${value}"`)
  }
}

const flag: Reader<boolean> = (value, name) => word(['true', 'false'])(value, name) === 'true'

const origin: Reader<string | null> = (value, name) => {
  if (value === '') return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username)
    return value.replace(/\/+$/, '')
  throw new SettingError(name, 'must be an http or https URL without query, e.g. https://a.example')
}

const operatorKey: Reader<string | null> = (value, name) => {
  if (value === '' || value.length >= 32) return value === '' ? null : value
  throw new SettingError(name, 'must have at least 32 characters (a random op_... key is best)')
}

// Never in the message: there is a password in it.
const smtpUrl: Reader<string | null> = (value, name) => {
  if (value === '') return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname && !url.search && !url.hash)
    return value
  throw new SettingError(name, 'must be like smtps://user:password@mail.example.com (or smtp://)')
}

const mailAddress: Reader<string | null> = (value, name) => {
  if (value === '') return null
  const address = parseEmail(value)
  if (address !== undefined) return address
  throw new SettingError(name, `must be one e-mail address, such as no-reply@a.example`)
}

const list: Reader<string[]> = (value) =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

const table = {
  host: setting('HOST', text, { preset: '127.0.0.1', meaning: 'Address to listen on.' }),
  port: setting('PORT', whole(0, 65_535), {
    preset: '8080',
    meaning: 'Port to listen on; 0 takes a free one.',
  }),
  data_dir: setting('DATA_DIR', folder, {
    preset: './data',
    meaning: 'Folder of everything kept on this machine.',
  }),
  database_url: setting('DATABASE_URL', optional, {
    preset: '',
    meaning: 'A PostgreSQL 15 or newer to use instead of the embedded one.',
  }),
  app_database_url: setting('APP_DATABASE_URL', optional, {
    preset: '',
    meaning: 'The same database as the restricted role, where SET ROLE is not possible.',
  }),
  database_pool: setting('DATABASE_POOL', whole(1, 200), {
    preset: '8',
    meaning: 'Connections for transactions.',
  }),
  public_url: setting('PUBLIC_URL', origin, {
    preset: '',
    meaning: 'The base URL that clients see.',
  }),
  mcp_url: setting('MCP_URL', origin, {
    preset: '',
    meaning: 'Root of the MCP resource; PUBLIC_URL if empty.',
  }),
  site_url: setting('SITE_URL', origin, {
    preset: '',
    meaning: 'Root of the site; PUBLIC_URL if empty.',
  }),
  environment: setting('ENVIRONMENT', word(['sandbox', 'production']), {
    preset: 'sandbox',
    meaning: 'sandbox: everything outside is pretend. production: it is not.',
  }),
  operator_key: setting('OPERATOR_KEY', operatorKey, {
    preset: '',
    meaning: 'The key of the people who run the service; made at the first start if empty.',
  }),
  log_level: setting(
    'LOG_LEVEL',
    word(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    { preset: 'info', meaning: 'Least level that is logged.' },
  ),
  registries_file: setting('REGISTRIES_FILE', text, {
    preset: 'registries.yaml',
    meaning: 'Which TLD is sold from which registry, at what price.',
  }),
  sandbox_registry: setting('SANDBOX_REGISTRY', flag, {
    preset: 'true',
    meaning: 'Start the pretend registries in this process (sandbox environment only).',
  }),
  smtp_url: setting('SMTP_URL', smtpUrl, {
    preset: '',
    meaning:
      'Mail server that sends our mail, smtp:// or smtps://, with user and password; if empty, ' +
      'the sandbox keeps mails in DATA_DIR, and in production they wait.',
  }),
  mail_from: setting('MAIL_FROM', mailAddress, {
    preset: '',
    meaning: 'Sender of our mail; must be set beside SMTP_URL in production.',
  }),
  abuse_contact: setting('ABUSE_CONTACT', mailAddress, {
    preset: '',
    meaning: 'Where abuse of a domain is reported; stands at the foot of every mail.',
  }),
  trusted_proxies: setting('TRUSTED_PROXIES', list, {
    preset: '',
    meaning: 'Addresses or CIDR ranges, with commas, whose X-Forwarded-For is believed.',
  }),
  audit_signing_key: setting('AUDIT_SIGNING_KEY', optional, {
    preset: '',
    meaning:
      'Ed25519 private key (PKCS #8, base64) that signs audit blocks; made in DATA_DIR if empty.',
  }),
  encryption_key: setting('ENCRYPTION_KEY', optionalKey, {
    preset: '',
    meaning:
      '32 random bytes in base64 that seal what orders must send again; made in DATA_DIR if ' +
      'empty. With several nodes, the same on each.',
  }),
  allow_unverified_top_ups: setting('ALLOW_UNVERIFIED_TOP_UPS', flag, {
    preset: 'false',
    meaning: 'Credit card top-ups in production without asking the processor.',
  }),
  default_nameservers: setting('DEFAULT_NAMESERVERS', list, {
    preset: 'ns1.agent-registrar.net,ns2.agent-registrar.net',
    meaning: 'Name servers of a domain whose buyer and account name none.',
  }),
  requests_per_minute: setting('REQUESTS_PER_MINUTE', whole(1, 1_000_000_000), {
    preset: '1200',
    meaning: 'Requests a minute of one key, session or operator.',
  }),
  anonymous_requests_per_minute: setting('ANONYMOUS_REQUESTS_PER_MINUTE', whole(1, 1_000_000_000), {
    preset: '120',
    meaning: 'Requests a minute of one address without a token.',
  }),
  address_requests_per_minute: setting('ADDRESS_REQUESTS_PER_MINUTE', whole(1, 1_000_000_000), {
    preset: '6000',
    meaning: 'Requests a minute of one address, whoever calls from it.',
  }),
  names_per_minute: setting('NAMES_PER_MINUTE', whole(200, 1_000_000_000), {
    preset: '2000',
    meaning: 'Names a minute that one key, session or operator may check.',
  }),
  anonymous_names_per_minute: setting('ANONYMOUS_NAMES_PER_MINUTE', whole(200, 1_000_000_000), {
    preset: '400',
    meaning: 'Names a minute that one address may check without a token.',
  }),
  drain_ms: setting('DRAIN_MS', whole(0, 600_000), {
    preset: '25000',
    meaning: 'How long a stop waits for requests under way.',
  }),
  crash_at: setting('CRASH_AT', optional, {
    preset: '',
    meaning:
      'Tests only: the crash point at which this process kills itself. Refused in production.',
  }),
}

type Read = { [K in keyof typeof table]: ReturnType<(typeof table)[K]> }
/** All settings, read; the three roots are always set once the port is known. */
export type Settings = Omit<Read, 'public_url' | 'mcp_url' | 'site_url' | 'mail_from'> & {
  base_url: string
  mcp_url: string
  site_url: string
  mail_from: string
  /** For `${NAME}` in the registries file; holds secrets, so it is never logged. */
  variables: Readonly<Environment>
}

/** For bin/call: where the service is, and whose key is shown. */
export function readCallSettings(environment: Environment = process.env) {
  return { url: readSettings(environment).base_url, token: environment.API_KEY ?? null }
}

/** Every setting with its default and meaning: .env.example is made of it. */
export function documentedSettings(): readonly Setting[] {
  return documented
}

/**
 * Reads the environment (and `.env` in the working folder). Throws SettingError with one clear
 * line.
 */
export function readSettings(environment?: Environment): Settings {
  if (!environment && existsSync('.env')) process.loadEnvFile('.env')
  const from = environment ?? process.env
  const entries = Object.entries(table).map(([key, read]) => [key, read(from)])
  const read: Read = Object.fromEntries(entries)
  const { public_url, mcp_url, site_url, ...rest } = read
  if (rest.environment === 'production' && rest.crash_at)
    throw new SettingError('CRASH_AT', 'is for tests; it cannot be set in production')
  if (rest.environment === 'production' && rest.smtp_url && !rest.mail_from)
    throw new SettingError('MAIL_FROM', 'must be set where SMTP_URL is: an address of your own')
  const base = public_url ?? `http://${hostInUrl(rest.host)}:${rest.port}`
  return {
    ...rest,
    base_url: base,
    mcp_url: mcp_url ?? base,
    site_url: site_url ?? base,
    mail_from: rest.mail_from ?? 'no-reply@agent-registrar.example',
    variables: from,
  }
}

/** An address as a URL's host: IPv6 in brackets, "every address" as loopback. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** The settings with their roots moved to the port that was really taken (PORT=0). */
export function onPort(settings: Settings, port: number): Settings {
  const old = `http://${hostInUrl(settings.host)}:${settings.port}`
  const now = `http://${hostInUrl(settings.host)}:${port}`
  const moved = (url: string) => (url === old ? now : url)
  return {
    ...settings,
    port,
    base_url: moved(settings.base_url),
    mcp_url: moved(settings.mcp_url),
    site_url: moved(settings.site_url),
  }
}
