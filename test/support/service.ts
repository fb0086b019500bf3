// A whole service for a test: real PostgreSQL, real pretend registries over TLS, real HTTP on a
// free port.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { pino } from 'pino'
import type { Email } from 'postal-mime'
import { type MailServer, startMailServer } from '../../sandbox/mailbox/index.ts'
import { type Sandbox, startSandbox } from '../../sandbox/registry/index.ts'
import type { Endpoint } from '../../src/adapters/registry/registries.ts'
import { compose, type Service } from '../../src/compose.ts'
import { readSettings } from '../../src/config.ts'
import type { OutboundNetwork } from '../../src/oauth/index.ts'
import { newDatabase } from './database.ts'
import type { WantedMails } from './mails.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers by name, as a client would.
export type Answer<T = Record<string, any>> = {
  status: number
  headers: Headers
  body: T
  text: string
}
export type TestService = {
  service: Service
  sandbox: Sandbox
  mailbox: MailServer
  url: string
  operatorKey: string
  logs: string[]
  /** Called before the service stops: what a test opened beside it. */
  closers: (() => Promise<unknown>)[]
  /** One request; the body is sent as JSON. */
  request: (method: string, path: string, options?: RequestOptions) => Promise<Answer>
  /** A new customer with a key; funded, and with a default registrant, unless said otherwise. */
  customer: (options?: CustomerOptions) => Promise<TestCustomer>
  /** Moves the sandbox's time by an ISO 8601 duration, as an operator would. */
  advance: (duration: string) => Promise<Date>
  /** Mails that came, oldest first: all that are there, or once enough of the wanted came. */
  mails: (wanted?: WantedMails) => Promise<Email[]>
}
export type RequestOptions = { token?: string; body?: unknown; headers?: Record<string, string> }
export type CustomerOptions = { funds_cents?: number; scopes?: string[]; contact?: boolean }
export type TestCustomer = {
  id: string
  email: string
  key: string
  key_id: number
  contact_id: number | null
}
export type ServiceOptions = {
  settings?: Record<string, string>
  sandbox?: Sandbox
  /** Another node's. */
  mailbox?: MailServer
  database_url?: string
  /** False: nobody does the jobs here. */
  worker?: boolean
  /** Where client metadata documents are, in place of the Internet. */
  outbound?: OutboundNetwork
}

const operatorKey = `op_${'t'.repeat(40)}`
let sequence = 0

/** All nodes of one database need the same limits: they share what is used. */
export const wideLimits = {
  REQUESTS_PER_MINUTE: '1000000',
  ANONYMOUS_REQUESTS_PER_MINUTE: '1000000',
  ADDRESS_REQUESTS_PER_MINUTE: '10000000',
  NAMES_PER_MINUTE: '1000000',
  ANONYMOUS_NAMES_PER_MINUTE: '1000000',
  CLIENT_REGISTRATIONS_PER_HOUR: '1000000',
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

/**
 * Starts everything; it is stopped after the file's tests. Limits are wide unless a test sets them.
 */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const [sandbox, mailbox] = await Promise.all([
    options.sandbox ?? startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR }),
    options.mailbox ?? startMailServer({ data_dir: null }),
  ])
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-'))
  const logs: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => logs.push(line) })
  const settings = readSettings({
    PORT: '0',
    DNS_PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: options.database_url ?? (await newDatabase('template_of_tests')),
    OPERATOR_KEY: operatorKey,
    // Nodes of one database read what another has sealed.
    ENCRYPTION_KEY: Buffer.alloc(32, 'k').toString('base64'),
    SMTP_URL: mailbox.url,
    ...wideLimits,
    ...options.settings,
  })
  const service = await compose(settings, {
    log,
    endpoints: endpointsOf(sandbox),
    world: sandbox.control,
    resolvers: [`${sandbox.dns.host}:${sandbox.dns.port}`],
    worker: options.worker ?? true,
    ...(options.outbound === undefined ? {} : { outbound: options.outbound }),
  })
  const closers: TestService['closers'] = []
  after(async () => {
    await Promise.all(closers.map((close) => close()))
    await service.stop()
    if (!options.sandbox) await sandbox.close()
    if (!options.mailbox) await mailbox.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const url = service.settings.base_url
  const request = (method: string, path: string, given: RequestOptions = {}) =>
    send(`${url}${path}`, { method, ...given })
  return {
    service,
    sandbox,
    mailbox,
    url,
    operatorKey,
    logs,
    closers,
    request,
    customer: (wanted = {}) => newCustomer(request, wanted),
    async advance(duration) {
      const options = { token: operatorKey, body: { advance: duration } }
      const { body } = await must(request('POST', '/v1/sandbox/clock', options), 200)
      return new Date(body.now)
    },
    async mails(wanted) {
      // Loaded where it is asked for: most tests read no mail.
      const { readMails } = await import('./mails.ts')
      return readMails(mailbox, wanted)
    },
  }
}

async function send(
  url: string,
  { method, token, body, headers }: RequestOptions & { method: string },
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    body: json ? JSON.parse(text) : {},
    text,
  }
}

type Request = TestService['request']

async function must(answer: Promise<Answer>, status: number): Promise<Answer> {
  const done = await answer
  if (done.status !== status) throw new Error(`${done.status}, not ${status}: ${done.text}`)
  return done
}

async function newCustomer(request: Request, options: CustomerOptions): Promise<TestCustomer> {
  sequence += 1
  const number = sequence
  const token = operatorKey
  const email = `customer-${process.pid}-${number}@example.net`
  const made = await must(
    request('POST', '/v1/customers', { token, body: { email, name: `Customer ${number}` } }),
    201,
  )
  const id: string = made.body.id
  const scopes = options.scopes ? { scopes: options.scopes } : {}
  const path = `/v1/customers/${id}`
  const minted = await must(request('POST', `${path}/api-keys`, { token, body: scopes }), 201)
  const cents = options.funds_cents ?? 100_000
  if (cents > 0)
    await must(
      request('POST', '/v1/internal/billing/processor/top-ups', {
        token,
        body: {
          customer_id: id,
          amount_cents: cents,
          currency: 'USD',
          processor_checkout_session_id: `cs_${process.pid}_${number}`,
        },
      }),
      200,
    )
  const contact =
    options.contact === false
      ? null
      : (await must(request('POST', `${path}/contacts`, { token, body: someContact }), 201)).body.id
  const { api_key: key, key: row } = minted.body
  return { id, email, key, key_id: row.id, contact_id: contact }
}

export const someContact = {
  name: 'Ada Lovelace',
  email: 'ada@example.net',
  address: '12 Example Street',
  city: 'London',
  state: 'England',
  country: 'GB',
  zip: 'SW1A 1AA',
  phone_country_code: '44',
  phone_number: '2079460123',
  default_registrant: true,
  default_admin: true,
  default_technical: true,
  default_billing: true,
}
