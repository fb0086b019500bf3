// One node of the service in this process: real PostgreSQL, real sandbox registries over TLS, real
// HTTP on a free port. The caller closes it.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type SandboxGateway, startGateway } from '../../sandbox/gateway/index.ts'
import { startMailControl } from '../../sandbox/mailbox/control.ts'
import { type MailServer, startMailServer } from '../../sandbox/mailbox/index.ts'
import { type SandboxProcessor, startProcessor } from '../../sandbox/processor/index.ts'
import { type Sandbox, startSandbox } from '../../sandbox/registry/index.ts'
import { Clock } from '../../sandbox/support/sandbox-clock.ts'
import type { Endpoint } from '../../src/adapters/registry/registries.ts'
import type { PasswordHasher } from '../../src/capabilities/sign-in/index.ts'
import { compose, type Service } from '../../src/compose.ts'
import { readSettings, type Settings } from '../../src/config/config.ts'
import type { OutboundNetwork } from '../../src/oauth/index.ts'
import { addSecret, watchLine } from '../shards/secret-watch.ts'
import { newServiceDatabase } from '../shards/service-database.ts'
import { newPasswordHasher } from './password-hasher.ts'
import { webhookSecret } from './payments/stripe-signature.ts'
import { openGithubStandIn, ssoSettings } from './sso/identity-providers.ts'

export type ServiceOptions = {
  settings?: Record<string, string>
  sandbox?: Sandbox
  /** Another node's. */
  mailbox?: MailServer
  /**
   * The payments of another node, or null for none. By default, each node has its own simulated
   * ones.
   */
  payments?: SimulatedPayments | null
  /** False: as with SMTP_URL, the service cannot read the kept mails. */
  reads_mailbox?: boolean
  database_url?: string
  /** False: this node runs no jobs. */
  worker?: boolean
  /** Where client metadata documents are, in place of the Internet. */
  outbound?: OutboundNetwork
  /** In place of a cheap one. */
  passwordHasher?: PasswordHasher
}

/** The simulated BTCPay Server and Stripe. */
export type SimulatedPayments = { gateway: SandboxGateway; processor: SandboxProcessor }

export type Node = {
  service: Service
  sandbox: Sandbox
  /** Null where the node was started without. */
  payments: SimulatedPayments | null
  mailbox: MailServer
  /** Every line of the log is pushed to each of these. */
  logs: Set<string[]>
  close: () => Promise<void>
}

export const operatorKey = `op_${'t'.repeat(40)}`

/** In the URL of the payment gateway's webhook. */
export const webhookToken = 'token-of-the-webhook'

/** The key pair of web push, made for tests alone. */
const vapidKey = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64')

/** The key of the read-only customer tool. */
export const customerToolKey = `tool-${'k'.repeat(40)}`

/** All nodes of one database need the same limits: they share what is used. */
export const wideLimits = {
  REQUESTS_PER_MINUTE: '1000000',
  ANONYMOUS_REQUESTS_PER_MINUTE: '1000000',
  ADDRESS_REQUESTS_PER_MINUTE: '10000000',
  NAMES_PER_MINUTE: '1000000',
  ANONYMOUS_NAMES_PER_MINUTE: '1000000',
  CLIENT_REGISTRATIONS_PER_HOUR: '1000000',
  CHECKOUTS_OPEN: '10000',
  SUPPORT_MESSAGES_PER_HOUR: '1000000',
}

export function endpointsOf(sandbox: Sandbox): Map<string, Endpoint> {
  const { ca_file, cert_file, key_file } = sandbox.tls
  const tls = { ca_file, cert_file, key_file, servername: 'localhost' }
  const { base_url, username: client_id, password } = sandbox.openprovider
  return new Map<string, Endpoint>([
    ...Object.values(sandbox.registries).map(({ name, host, port, clientId, password }) => {
      return [name, { host, port, client_id: clientId, password, tls }] as const
    }),
    ['openprovider', { base_url, client_id, password }],
  ])
}

async function paymentsOf({ payments, settings }: ServiceOptions) {
  if (payments !== undefined || settings?.ENVIRONMENT === 'production') return payments ?? null
  return startPayments()
}

/** In memory, in real time; nothing is sent again by itself. */
async function startPayments(): Promise<SimulatedPayments> {
  const clock = new Clock(Date.now, null)
  const report = (error: unknown) => {
    throw error
  }
  const options = { clock, file: null, redelivery_ms: [], report }
  const [gateway, processor] = await Promise.all([startGateway(options), startProcessor(options)])
  return { gateway, processor }
}

/** No secret among them may be in a log; the documentation's samples have the webhook's token. */
function watchSettings(settings: Settings): void {
  for (const [name, value] of Object.entries(settings))
    if (/_(key|token|secret)$/.test(name) && typeof value === 'string' && value !== webhookToken)
      addSecret(name, value)
  for (const key of settings.encryption_keys_previous) addSecret('a previous key', key)
}

type Settled = {
  folder: string
  mailbox: Pick<MailServer, 'url'>
  github: { url: string }
  payments: SimulatedPayments | null
}

async function settingsOf(
  options: ServiceOptions,
  { folder, mailbox, github, payments }: Settled,
): Promise<Settings> {
  return readSettings({
    PORT: '0',
    DNS_PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: options.database_url ?? (await newServiceDatabase()),
    OPERATOR_KEY: operatorKey,
    // Nodes of one database read what another has sealed.
    ENCRYPTION_KEY: Buffer.alloc(32, 'k').toString('base64'),
    SMTP_URL: mailbox.url,
    GATEWAY_WEBHOOK_TOKEN: webhookToken,
    VAPID_PRIVATE_KEY: vapidKey,
    VAPID_SUBJECT: 'mailto:push@registrar.example',
    CUSTOMER_TOOL_KEY: customerToolKey,
    // Each connection parses and plans every statement again: half as many as usual.
    DATABASE_POOL: '4',
    ...wideLimits,
    // The stand-in is at plain http, which production refuses.
    ...(options.settings?.SSO_PROVIDERS === undefined &&
      options.settings?.ENVIRONMENT !== 'production' &&
      ssoSettings({ github: github.url })),
    ...(payments && { STRIPE_WEBHOOK_SECRET: webhookSecret }),
    ...options.settings,
  })
}

/** Starts everything that is not given. Limits are wide unless a test sets them. */
export async function openNode(options: ServiceOptions): Promise<Node> {
  const [sandbox, mailbox, github, payments] = await Promise.all([
    options.sandbox ?? startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR }),
    options.mailbox ?? startMailServer({ data_dir: null }),
    openGithubStandIn(),
    paymentsOf(options),
  ])
  const folder = mkdtempSync(join(process.env.TEST_SCRATCH_DIR ?? tmpdir(), 'node-'))
  const logs = new Set<string[]>()
  const write = (line: string) => {
    watchLine(line)
    for (const lines of logs) lines.push(line)
  }
  const log = pino({ level: 'info' }, { write })
  const parts = { folder, mailbox, github, payments }
  const settings = await settingsOf(options, parts)
  watchSettings(settings)
  for (const { name, password } of Object.values(sandbox.registries))
    addSecret(`the password at ${name}`, password)
  const reads = options.reads_mailbox !== false
  const mails = reads ? await startMailControl(mailbox, sandbox.control.token) : null
  const closeOutside = async () => {
    await mails?.close()
    await github.close()
    if (!options.sandbox) await sandbox.close()
    if (!options.mailbox) await mailbox.close()
    if (!options.payments)
      await Promise.all([payments?.gateway.close(), payments?.processor.close()])
    rmSync(folder, { recursive: true, force: true })
  }
  const service = await compose(settings, {
    log,
    endpoints: endpointsOf(sandbox),
    control: sandbox.control,
    ...(mails && { mailbox: { url: mails.url, token: sandbox.control.token } }),
    resolvers: [`${sandbox.dns.host}:${sandbox.dns.port}`],
    ...(payments && { payments }),
    worker: options.worker ?? true,
    passwordHasher: options.passwordHasher ?? newPasswordHasher(),
    ...(options.outbound === undefined ? {} : { outbound: options.outbound }),
  }).catch(async (error) => {
    await closeOutside()
    throw error
  })
  return {
    service,
    sandbox,
    payments,
    mailbox,
    logs,
    async close() {
      await service.stop()
      await closeOutside()
    },
  }
}
