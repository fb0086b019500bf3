// The pipeline over some operations and a real database, without sockets: for tests of operations.

import { pino } from 'pino'
import type { Dns } from '../../src/adapters/dns/port.ts'
import { openRegistries } from '../../src/adapters/registry/registries.ts'
import type { App, Operation, Scope } from '../../src/app.ts'
import { scopes } from '../../src/app.ts'
import { operations as accountOperations } from '../../src/capabilities/account/index.ts'
import {
  authenticateApiKeys,
  operations as keyOperations,
} from '../../src/capabilities/api-keys/index.ts'
import {
  authenticateOperatorSessions,
  authenticateOperators,
  ensureOperatorKey,
} from '../../src/capabilities/operators/index.ts'
import { authenticateSessions, sessionPrefix } from '../../src/capabilities/sign-in/index.ts'
import { readSettings, type Settings } from '../../src/config/config.ts'
import { monotonicMs, systemChance, systemClock } from '../../src/kit/clock.ts'
import { Encryption } from '../../src/kit/encryption.ts'
import { openLimits } from '../../src/rate-limits/leased-quotas.ts'
import { openProcessState } from '../../src/start/process-state.ts'
import { openCookieAuthenticator } from '../../src/surfaces/pipeline/cookie-authentication.ts'
import { openPipeline } from '../../src/surfaces/pipeline/pipeline.ts'
import { type TestDatabase, testDatabase } from './database.ts'

/** An object of a JSON answer; its fields are narrowed by what the test compares them with. */
export type Body = Record<string, unknown>
type PipelineAnswer = {
  status: number
  body: Body
  list: Body[]
  headers: Record<string, string>
}
type Given = {
  token?: string
  body?: unknown
  query?: Record<string, string | string[]>
  /** Where the call comes from; 127.0.0.1 if not said. */
  address?: string
  headers?: Record<string, string>
}
export type PipelineCustomer = { id: string; key: string; key_id: number }
export type TestPipeline = {
  app: App
  db: TestDatabase
  operator: string
  /** E.g. `call('GET /v1/account', { token })`. */
  call: (at: string, given?: Given) => Promise<PipelineAnswer>
  /** A new customer with a key of these scopes; all of them if not said otherwise. */
  customer: (held?: readonly Scope[]) => Promise<PipelineCustomer>
  /** A further key of a customer, made by an operator. */
  key: (customer: string, held: readonly Scope[]) => Promise<string>
}
type PipelineOptions = {
  operations?: readonly Operation[]
  app?: Partial<App>
  settings?: Record<string, string>
}

const operator = `op_${'t'.repeat(40)}`
const wide = String(1_000_000_000)

function testSettings(given: Record<string, string>): Settings {
  return readSettings({
    OPERATOR_KEY: operator,
    ENCRYPTION_KEY: Buffer.alloc(32, 'k').toString('base64'),
    REQUESTS_PER_MINUTE: wide,
    ANONYMOUS_REQUESTS_PER_MINUTE: wide,
    ADDRESS_REQUESTS_PER_MINUTE: wide,
    NAMES_PER_MINUTE: wide,
    ANONYMOUS_NAMES_PER_MINUTE: wide,
    ...given,
  })
}

/** No name server: no test asks it. */
const noDns: Dns = {
  place: { host: '127.0.0.1', port: 0 },
  provider: null,
  ask: async () => null,
  askSet: async () => null,
  close: async () => undefined,
}

/** No signer: no test of a pipeline seals the audit log. */
const noSigner: App['auditSigner'] = {
  key_id: '',
  public_key: '',
  sign: () => {
    throw new Error('There is no signer in this test')
  },
  noteHead: () => undefined,
}

/** An App over this database, with no registries. */
export function appOver(db: TestDatabase, given: PipelineOptions = {}): App {
  const log = pino({ level: 'silent' })
  const settings = testSettings(given.settings ?? {})
  const times = { clock: systemClock, monotonic_ms: monotonicMs, chance: systemChance }
  const parts = { settings, db: db.database, log, ...times }
  return {
    ...parts,
    ...openProcessState(parts),
    encryption: new Encryption(settings),
    auditSigner: noSigner,
    clock_skew_ms: () => 0,
    calendar: systemClock,
    tracer: null,
    registries: openRegistries({ registries: [] }, { endpoints: new Map(), log }),
    identityProviders: new Map(),
    mailer: null,
    gateway: null,
    x402: null,
    inspection: null,
    processor: null,
    chat: null,
    webPush: null,
    mailbox: null,
    dns: noDns,
    delegations: { read: async () => undefined, nameservers: async () => undefined },
    nameServers: {
      placesOf: async () => [],
      sortedPlacesOf: async () => ({ places: [], refused: [] }),
      ask: async () => null,
    },
    sandbox: null,
    reached: null,
    ...given.app,
  }
}

/** Opens it on a database of its own; the operations of account and api-keys are always in it. */
export async function testPipeline(options: PipelineOptions = {}): Promise<TestPipeline> {
  const db = await testDatabase()
  const app = appOver(db, options)
  await ensureOperatorKey(app)
  const readSession = authenticateSessions(app)
  const authenticators = [
    { prefix: 'ar_', authenticate: authenticateApiKeys(app) },
    { prefix: 'op_', authenticate: authenticateOperators(app) },
    { prefix: sessionPrefix, authenticate: readSession },
  ]
  const pipeline = openPipeline({
    app,
    authenticators,
    cookies: openCookieAuthenticator(app.settings, {
      customer: readSession,
      operator: authenticateOperatorSessions(app),
    }),
    limits: openLimits(app.db),
  })
  const operations = [...accountOperations, ...keyOperations, ...(options.operations ?? [])]

  const call: TestPipeline['call'] = async (
    at,
    { token, body, query = {}, address = '127.0.0.1', headers = {} } = {},
  ) => {
    const { operation, path } = find(operations, at)
    const answer = await pipeline.call(operation, {
      entry_point: 'rest',
      request_id: 'test',
      address,
      agent_identifier: 'test',
      user_agent: 'test',
      authorization: token === undefined ? undefined : `Bearer ${token}`,
      tokenInQuery: false,
      pathCustomer: path.customer_id,
      input: { path, query, header: headers, body },
    })
    // As it travels: what JSON cannot say would not arrive.
    const sent = answer.body === undefined ? {} : JSON.parse(JSON.stringify(answer.body))
    const list: Body[] = Array.isArray(sent) ? sent : []
    return { status: answer.status, body: Object(sent), list, headers: answer.headers }
  }

  let made = 0
  const key = async (customer: string, held: readonly Scope[]) => {
    const at = `POST /v1/customers/${customer}/api-keys`
    return (await call(at, { token: operator, body: { scopes: held } })).body
  }
  return {
    app,
    db,
    operator,
    call,
    async customer(held = scopes) {
      made += 1
      const body = { email: `customer-${made}@example.net`, name: `Customer ${made}` }
      const id = String((await call('POST /v1/customers', { token: operator, body })).body.id)
      const minted = await key(id, held)
      const row: Body = Object(minted.key)
      return { id, key: String(minted.api_key), key_id: Number(row.id) }
    },
    key: async (customer, held) => String((await key(customer, held)).api_key),
  }
}

function find(operations: readonly Operation[], at: string) {
  const [method, target = ''] = at.split(' ')
  for (const operation of operations) {
    const pattern = operation.path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    const match = operation.method === method && new RegExp(`^${pattern}$`).exec(target)
    if (match) return { operation, path: { ...match.groups } }
  }
  throw new Error(`No operation at ${at}`)
}
