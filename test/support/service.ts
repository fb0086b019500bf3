// A whole service for a test file, its own or one shared with others, and its client.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Email } from 'postal-mime'
import type { MailServer } from '../../sandbox/mailbox/index.ts'
import type { Sandbox } from '../../sandbox/registry/index.ts'
import type { Service } from '../../src/compose.ts'
import { createDemoCustomer } from '../../src/start/demo-customer.ts'
import { type SharedKind, sharedNode } from '../shards/shared-node.ts'
import { exchange, type Received } from './http.ts'
import type { WantedMails } from './mails.ts'
import {
  type Node,
  openNode,
  operatorKey,
  type ServiceOptions,
  type SimulatedPayments,
} from './node.ts'

export { demoContact as someContact } from '../../src/start/demo-customer.ts'
export type { ServiceOptions } from './node.ts'
export { endpointsOf, wideLimits } from './node.ts'

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
  /** The simulated payment services; null where the node was started without. */
  payments: SimulatedPayments | null
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
/** Keeps the names of customers of this file apart from those of other files in one database. */
const file_tag = `${process.pid}-${randomBytes(3).toString('hex')}`
let sequence = 0

/**
 * Starts a service of the file's own, which is stopped after its tests. Limits are wide unless a
 * test sets them.
 */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const node = await openNode(options)
  const registrar = seenBy(node)
  after(async () => {
    await Promise.all(registrar.closers.map((close) => close()))
    await node.close()
  })
  return registrar
}

/**
 * A service that other test files of the process use, too, with what they left in its database and
 * registries: for tests that make their own customers and domains, and that change no clock, no
 * fault of a registry and no row of others. Without a worker no jobs run.
 */
export async function sharedService({ worker = true } = {}): Promise<TestService> {
  return await shared(worker ? 'worker' : 'idle')
}

/**
 * As `sharedService` without a worker, for tests that move the registries' clock, arm faults or
 * change settings of the sandbox: faults and settings are undone after the file, the clock is not.
 */
export async function sharedMovedService(): Promise<TestService> {
  const registrar = await shared('moved')
  const { sandbox } = registrar
  const settings = { ...sandbox.settings }
  after(() => {
    sandbox.clearFaults()
    sandbox.openprovider.clearFaults()
    sandbox.releaseDelayed()
    Object.assign(sandbox.settings, settings)
  })
  return registrar
}

/**
 * Until the service authenticates by its cache: for some seconds after a start, a revocation or a
 * new password it looks up every token.
 */
export async function untilCached({ service }: TestService): Promise<void> {
  const found = { caller: { kind: 'anonymous' }, expires_at: null } as const
  for (let looks = 0; looks !== 1; ) {
    looks = 0
    const look = async () => {
      looks += 1
      return found
    }
    const token = randomBytes(32)
    for (const _ of [1, 2]) await service.app.authentications.authenticate(token, look)
    if (looks !== 1) await sleep(20)
  }
}

async function shared(kind: SharedKind): Promise<TestService> {
  const node = await sharedNode(kind)
  if (node === null) return startService({ worker: kind === 'worker' })
  const registrar = seenBy(node)
  after(async () => {
    await Promise.all(registrar.closers.map((close) => close()))
    node.logs.delete(registrar.logs)
  })
  return registrar
}

/** A node as one test file sees it: with the lines that are logged from now on. */
function seenBy({ service, sandbox, payments, mailbox, logs: all }: Node): TestService {
  const logs: string[] = []
  all.add(logs)
  const url = service.settings.base_url
  const ask = (method: string, path: string, given: RequestOptions = {}) =>
    send(`${url}${path}`, { method, ...given })
  return {
    service,
    sandbox,
    payments,
    mailbox,
    url,
    operatorKey,
    logs,
    closers: [],
    request: ask,
    customer: (wanted = {}) => newCustomer(url, wanted),
    async advance(duration) {
      const options = { token: operatorKey, body: { advance: duration } }
      const { body } = await must(ask('POST', '/v1/sandbox/clock', options), 200)
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
  const received = await exchange(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return answerOf(received)
}

/** With its body, where that is JSON. */
export function answerOf({ status, headers, text }: Received): Answer {
  const json = headers.get('content-type')?.includes('json') && text !== ''
  return { status, headers, body: json ? JSON.parse(text) : {}, text }
}

async function must(answer: Promise<Answer>, status: number): Promise<Answer> {
  const done = await answer
  if (done.status !== status) throw new Error(`${done.status}, not ${status}: ${done.text}`)
  return done
}

async function newCustomer(base_url: string, options: CustomerOptions): Promise<TestCustomer> {
  sequence += 1
  const number = sequence
  const email = `customer-${file_tag}-${number}@example.net`
  const { funds_cents: cents = 100_000, scopes, contact } = options
  const { id, api_key, key_id, contact_id } = await createDemoCustomer(
    { base_url, operator_key: operatorKey, send: exchange },
    {
      email,
      name: `Customer ${number}`,
      key: scopes ? { scopes } : {},
      contact: contact === false ? null : {},
      funds: cents > 0 ? { cents, payment: `cs_${file_tag}_${number}` } : null,
    },
  )
  return { id, email, key: api_key, key_id, contact_id }
}
