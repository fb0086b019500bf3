// Every setting with its name, default and meaning. This is the only reader of the environment.
import { existsSync } from 'node:fs'
import { dnsSettings } from './dns-settings.ts'
import { eventSettings } from './event-settings.ts'
import { keySettings } from './key-settings.ts'
import { paymentSettings, requirePayments, requireSafe } from './payment-settings.ts'
import {
  addresses,
  bearerToken,
  flag,
  folder,
  list,
  mailAddress,
  operatorKey,
  optional,
  origin,
  pageUrl,
  SettingError,
  smtpUrl,
  text,
  whole,
  word,
} from './readers.ts'
import { hostInUrl, onPort, requireConsistent } from './rules.ts'
import { sellerOrSample } from './seller-settings.ts'
import { type Environment, setting, variableOf } from './setting.ts'
import { providerIds, providersWords, readSsoProviders, type SsoProvider } from './sso-providers.ts'
import { supportAddress, supportSettings } from './support-settings.ts'
import { telemetrySettings } from './telemetry-settings.ts'
import { webSettings } from './web-settings.ts'
import { requireX402, x402Settings } from './x402-settings.ts'

export { documentedSettings } from './setting.ts'
export { onPort, SettingError }

/** For how many days rows are kept; each has its row in docs/database-retention.md. */
const keptDays = (name: string, preset: number, rows: string) =>
  setting(name, whole(1, 36_500), { preset: String(preset), meaning: `Days to keep ${rows}.` })

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
  new_database: setting('NEW_DATABASE', flag, {
    preset: 'false',
    meaning:
      'Set to true for one start in which an empty database replaces the one that DATA_DIR ' +
      'belongs to; the newest audit block of the old one is kept aside.',
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
    meaning: 'sandbox: simulated registries, mail and payments. production: real ones.',
  }),
  operator_key: setting('OPERATOR_KEY', operatorKey, {
    preset: '',
    meaning: 'The key of the people who run the service; made at the first start if empty.',
  }),
  customer_tool_key: setting('CUSTOMER_TOOL_KEY', bearerToken, {
    preset: '',
    meaning: 'Key of the read-only customer tool, 32 characters or more; off if empty.',
  }),
  ...telemetrySettings(),
  log_level: setting(
    'LOG_LEVEL',
    word(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    { preset: 'info', meaning: 'Lowest level that is logged.' },
  ),
  log_format: setting('LOG_FORMAT', word(['auto', 'json', 'text']), {
    preset: 'auto',
    meaning: 'text: short lines to read; json: for programs; auto: text at a terminal only.',
  }),
  registries_file: setting('REGISTRIES_FILE', text, {
    preset: 'registries.yaml',
    meaning: 'The file with the registries, their TLDs and prices.',
  }),
  sandbox_registry: setting('SANDBOX_REGISTRY', flag, {
    preset: 'true',
    meaning: 'Start the simulated registries with this process (sandbox environment only).',
  }),
  smtp_url: setting('SMTP_URL', smtpUrl, {
    preset: '',
    meaning:
      'Mail server that sends our mail, smtp:// or smtps://, with user and password; if empty, ' +
      'the sandbox keeps mails in DATA_DIR, and in production they wait.',
  }),
  mail_from: setting('MAIL_FROM', mailAddress, {
    preset: '',
    meaning: 'Sender of our mail; must be set together with SMTP_URL in production.',
  }),
  abuse_contact: setting('ABUSE_CONTACT', mailAddress, {
    preset: '',
    meaning: 'Address for reports of abuse; printed at the end of every mail.',
  }),
  ...webSettings(),
  ...keySettings(),
  allow_unverified_top_ups: setting('ALLOW_UNVERIFIED_TOP_UPS', flag, {
    preset: 'false',
    meaning: 'Credit card top-ups in production without asking the processor.',
  }),
  ...paymentSettings(),
  ...x402Settings(),
  ...supportSettings(),
  default_nameservers: setting('DEFAULT_NAMESERVERS', list, {
    preset: 'ns1.agent-registrar.net,ns2.agent-registrar.net',
    meaning:
      'Our own name servers, the default where neither the order nor the account names any. A ' +
      'domain on them has a zone here.',
  }),
  nameserver_addresses: setting('NAMESERVER_ADDRESSES', addresses, {
    preset: '',
    meaning:
      'IPv4 addresses of our own name servers, for zones that contain their names: ' +
      'ns1.example.net=192.0.2.1,ns2.example.net=192.0.2.2',
  }),
  ...dnsSettings(),
  requests_per_minute: setting('REQUESTS_PER_MINUTE', whole(1, 1_000_000_000), {
    preset: '1200',
    meaning: 'Requests a minute with one key or session; four times as many of an account.',
  }),
  anonymous_requests_per_minute: setting('ANONYMOUS_REQUESTS_PER_MINUTE', whole(1, 1_000_000_000), {
    preset: '120',
    meaning: 'Requests a minute from one address without a token.',
  }),
  address_requests_per_minute: setting('ADDRESS_REQUESTS_PER_MINUTE', whole(1, 1_000_000_000), {
    preset: '6000',
    meaning: 'Requests a minute of one address, with and without tokens.',
  }),
  names_per_minute: setting('NAMES_PER_MINUTE', whole(200, 1_000_000_000), {
    preset: '2000',
    meaning:
      'Names a minute that one key, session or operator may check; all keys of an account: four ' +
      'times.',
  }),
  anonymous_names_per_minute: setting('ANONYMOUS_NAMES_PER_MINUTE', whole(200, 1_000_000_000), {
    preset: '400',
    meaning: 'Names a minute that one address may check without a token.',
  }),
  client_registrations_per_hour: setting('CLIENT_REGISTRATIONS_PER_HOUR', whole(1, 1_000_000_000), {
    preset: '120',
    meaning:
      'OAuth clients that one address may register in an hour; half of it in a minute. A sixth: ' +
      'client metadata documents that it may have read in a minute.',
  }),
  sign_up: setting('SIGN_UP', word(['open', 'invite', 'closed']), {
    preset: 'open',
    meaning:
      'open: anyone may sign up. invite: operators create accounts, and mail their owners a link ' +
      'to set a password. closed: the same, and pages do not offer to sign up.',
  }),
  sso_ids: setting('SSO_PROVIDERS', providerIds, providersWords),
  terms_url: setting('TERMS_URL', pageUrl, {
    preset: '',
    meaning: 'The terms of service that a sign-up accepts; needs TERMS_VERSION.',
  }),
  terms_version: setting('TERMS_VERSION', optional, {
    preset: '',
    meaning: 'Their version, stored with each account that accepts them, e.g. 2026-11-01.',
  }),
  privacy_url: setting('PRIVACY_URL', pageUrl, {
    preset: '',
    meaning: 'The privacy policy that sign-up pages link to.',
  }),
  unpaid_delete_days: setting('UNPAID_DELETE_DAYS', whole(1, 44), {
    preset: '35',
    meaning:
      'Days after its expiry at which an unrenewed domain is deleted at a registry ' +
      'that auto-renewed it (and takes that back within 45 days).',
  }),
  mail_texts_kept_days: keptDays(
    'MAIL_TEXTS_KEPT_DAYS',
    30,
    'the text of a mail after it was sent or failed',
  ),
  mails_kept_days: keptDays('MAILS_KEPT_DAYS', 730, 'the record that a mail was sent'),
  messages_kept_days: keptDays('MESSAGES_KEPT_DAYS', 180, "a registry's message"),
  notices_kept_days: keptDays('NOTICES_KEPT_DAYS', 730, 'expiry notices after the expiry'),
  sign_ups_kept_days: keptDays('SIGN_UPS_KEPT_DAYS', 1, 'a sign-up, verified or not'),
  sessions_kept_days: keptDays('SESSIONS_KEPT_DAYS', 30, 'a session after its expiry'),
  places_kept_days: keptDays('PLACES_KEPT_DAYS', 90, 'a known place of log-in after its last use'),
  ...eventSettings(),
  grants_kept_days: keptDays('GRANTS_KEPT_DAYS', 365, 'an OAuth consent after its end'),
  drain_delay_ms: setting('DRAIN_DELAY_MS', whole(0, 600_000), {
    preset: '0',
    meaning:
      'How long a shutdown continues to take requests after /ready has begun to answer 503: ' +
      'longer than a load balancer needs to notice, so that it loses none.',
  }),
  drain_ms: setting('DRAIN_MS', whole(0, 600_000), {
    preset: '25000',
    meaning: 'How long a shutdown waits for requests in progress.',
  }),
  crash_at: setting('CRASH_AT', optional, {
    preset: '',
    meaning:
      'Tests only: the crash point at which this process kills itself. Rejected in production.',
  }),
}

type Read = { [K in keyof typeof table]: ReturnType<(typeof table)[K]> }
/** All settings. The three roots are always set once the port is known. */
export type Settings = Omit<
  Read,
  'public_url' | 'mcp_url' | 'site_url' | 'mail_from' | 'sso_ids'
> & {
  base_url: string
  mcp_url: string
  site_url: string
  mail_from: string
  sso_providers: readonly SsoProvider[]
  /** Looks up `${NAME}` in the registries file. It reads secrets, so none of it is logged. */
  variable: (name: string) => string | undefined
}

/** The settings of bin/call: the URL of the service, and the key to send. */
export function readCallSettings(environment: Environment = process.env) {
  const { base_url: url, customer_tool_key } = readSettings(environment)
  return { url, token: variableOf(environment, 'API_KEY') ?? null, customer_tool_key }
}

/**
 * Reads the environment (and `.env` in the working folder). Throws SettingError, which has one
 * line.
 */
export function readSettings(environment?: Environment): Settings {
  if (!environment && existsSync('.env')) process.loadEnvFile('.env')
  const from = environment ?? process.env
  const entries = Object.entries(table).map(([key, read]) => [key, read(from)])
  const read: Read = Object.fromEntries(entries)
  const { public_url, mcp_url, site_url, sso_ids, ...rest } = read
  requireConsistent(rest)
  requirePayments(rest)
  requireX402(rest)
  requireSafe(rest.x402_facilitator_url, 'X402_FACILITATOR_URL')
  const base = public_url ?? `http://${hostInUrl(rest.host)}:${rest.port}`
  return {
    ...rest,
    base_url: base,
    mcp_url: mcp_url ?? base,
    site_url: site_url ?? base,
    ...sellerOrSample(rest),
    support_email: supportAddress(rest),
    mail_from: rest.mail_from ?? 'no-reply@agent-registrar.example',
    sso_providers: readSsoProviders(sso_ids, from, rest.environment),
    variable: (name) => variableOf(from, name),
  }
}
