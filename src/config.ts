// Every setting: name, default, meaning. The only reader of the environment.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

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

function setting<T>(name: string, preset: string, meaning: string, read: Reader<T>) {
  documented.push({ name, preset, meaning })
  return (environment: Environment): T => {
    const given = environment[name]
    return read(given === undefined || given === '' ? preset : given, name)
  }
}

type Environment = Record<string, string | undefined>

const text: Reader<string> = (value) => value
const optional: Reader<string | null> = (value) => (value === '' ? null : value)

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

const list: Reader<string[]> = (value) =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

const table = {
  host: setting('HOST', '127.0.0.1', 'Address to listen on.', text),
  port: setting('PORT', '8080', 'Port to listen on; 0 takes a free one.', whole(0, 65_535)),
  data_dir: setting('DATA_DIR', './data', 'Folder of everything kept on this machine.', resolve),
  database_url: setting(
    'DATABASE_URL',
    '',
    'A PostgreSQL 15 or newer to use instead of the embedded one.',
    optional,
  ),
  app_database_url: setting(
    'APP_DATABASE_URL',
    '',
    'The same database as the restricted role, where SET ROLE is not possible.',
    optional,
  ),
  database_pool: setting('DATABASE_POOL', '8', 'Connections for transactions.', whole(1, 200)),
  public_url: setting('PUBLIC_URL', '', 'The base URL that clients see.', origin),
  mcp_url: setting('MCP_URL', '', 'Root of the MCP resource; PUBLIC_URL if empty.', origin),
  site_url: setting('SITE_URL', '', 'Root of the site; PUBLIC_URL if empty.', origin),
  environment: setting(
    'ENVIRONMENT',
    'sandbox',
    'sandbox: everything outside is pretend. production: it is not.',
    word(['sandbox', 'production']),
  ),
  operator_key: setting(
    'OPERATOR_KEY',
    '',
    'The key of the people who run the service; made at the first start if empty.',
    operatorKey,
  ),
  log_level: setting(
    'LOG_LEVEL',
    'info',
    'Least level that is logged.',
    word(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  ),
  registries_file: setting(
    'REGISTRIES_FILE',
    'registries.yaml',
    'Which TLD is sold from which registry, at what price.',
    text,
  ),
  sandbox_registry: setting(
    'SANDBOX_REGISTRY',
    'true',
    'Start the pretend registries in this process (sandbox environment only).',
    flag,
  ),
  trusted_proxies: setting(
    'TRUSTED_PROXIES',
    '',
    'Addresses or CIDR ranges, with commas, whose X-Forwarded-For is believed.',
    list,
  ),
  audit_signing_key: setting(
    'AUDIT_SIGNING_KEY',
    '',
    'Ed25519 private key (PKCS #8, base64) that signs audit blocks; made in DATA_DIR if empty.',
    optional,
  ),
  allow_unverified_top_ups: setting(
    'ALLOW_UNVERIFIED_TOP_UPS',
    'false',
    'Credit card top-ups in production without asking the processor.',
    flag,
  ),
  default_nameservers: setting(
    'DEFAULT_NAMESERVERS',
    'ns1.agent-registrar.net,ns2.agent-registrar.net',
    'Name servers of a domain whose buyer and account name none.',
    list,
  ),
  requests_per_minute: setting(
    'REQUESTS_PER_MINUTE',
    '1200',
    'Requests a minute of one key, session or operator.',
    whole(1, 1_000_000_000),
  ),
  anonymous_requests_per_minute: setting(
    'ANONYMOUS_REQUESTS_PER_MINUTE',
    '120',
    'Requests a minute of one address without a token.',
    whole(1, 1_000_000_000),
  ),
  address_requests_per_minute: setting(
    'ADDRESS_REQUESTS_PER_MINUTE',
    '6000',
    'Requests a minute of one address, whoever calls from it.',
    whole(1, 1_000_000_000),
  ),
  names_per_minute: setting(
    'NAMES_PER_MINUTE',
    '2000',
    'Names a minute that one key, session or operator may check.',
    whole(200, 1_000_000_000),
  ),
  anonymous_names_per_minute: setting(
    'ANONYMOUS_NAMES_PER_MINUTE',
    '400',
    'Names a minute that one address may check without a token.',
    whole(200, 1_000_000_000),
  ),
  drain_ms: setting(
    'DRAIN_MS',
    '25000',
    'How long a stop waits for requests under way.',
    whole(0, 600_000),
  ),
  crash_at: setting(
    'CRASH_AT',
    '',
    'Tests only: the crash point at which this process kills itself. Refused in production.',
    optional,
  ),
}

type Read = { [K in keyof typeof table]: ReturnType<(typeof table)[K]> }
/** All settings, read; the three roots are always set once the port is known. */
export type Settings = Omit<Read, 'public_url' | 'mcp_url' | 'site_url'> & {
  base_url: string
  mcp_url: string
  site_url: string
}

/** Every setting with its default and meaning: .env.example is made of it. */
export function documentedSettings(): readonly Setting[] {
  return documented
}

/** Reads the environment (and `.env` in the working folder). Throws SettingError with one clear line. */
export function readSettings(environment?: Environment): Settings {
  if (!environment && existsSync('.env')) process.loadEnvFile('.env')
  const from = environment ?? process.env
  const entries = Object.entries(table).map(([key, read]) => [key, read(from)])
  const read: Read = Object.fromEntries(entries)
  const { public_url, mcp_url, site_url, ...rest } = read
  if (rest.environment === 'production' && rest.crash_at)
    throw new SettingError('CRASH_AT', 'is for tests; it cannot be set in production')
  const base = public_url ?? `http://${hostInUrl(rest.host)}:${rest.port}`
  return { ...rest, base_url: base, mcp_url: mcp_url ?? base, site_url: site_url ?? base }
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
