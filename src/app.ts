// The dependencies of capability modules (App), and the definitions of an operation and of a job:
// the layer between the libraries and the modules.

import type { Logger } from 'pino'
import type { Static, TSchema } from 'typebox'
import type { Delegations } from './adapters/dns/delegation.ts'
import type { Dns } from './adapters/dns/port.ts'
import type { Gateway } from './adapters/gateway/port.ts'
import type { IdentityProviders } from './adapters/identity/port.ts'
import type { Mailer } from './adapters/mail/port.ts'
import type { SandboxMailbox } from './adapters/mail/sandbox-mailbox.ts'
import type { CardProcessor } from './adapters/processor/port.ts'
import type { Registries } from './adapters/registry/registries.ts'
import type { SandboxControl } from './adapters/registry/sandbox-control.ts'
import type { X402 } from './adapters/x402/port.ts'
import type { Settings } from './config/config.ts'
import type { Database, Sql } from './db/database.ts'
import type { Calendar, Chance, Clock } from './kit/clock.ts'
import type { Encryption } from './kit/encryption.ts'
import type { FaultType } from './kit/fault.ts'
import type { CustomerId } from './kit/random.ts'
import type { Tracer } from './kit/telemetry.ts'
import type { ApprovedRequest, Caller, EffectOf, PresentRight, Who } from './principals.ts'
import type { Download, MediaType } from './replies/download.ts'
import type { EventStream, eventStreamType } from './replies/event-stream.ts'
import type { Listing } from './replies/listing.ts'

export * from './principals.ts'

/**
 * The dependencies of every module, and the state that a process keeps in memory. It is made once,
 * by compose.ts. A capability declares its own state in its file, by declaration merging (decision
 * 35), and start/process-state.ts makes all of it.
 */
export interface App {
  settings: Settings
  db: Database
  /** The database's clock, the same on every node: for tokens, sessions, orders and audit. */
  clock: Clock
  /** Milliseconds of this process, for durations such as leases of an attempt, waits and caches. */
  monotonic_ms: () => number
  /** Spreads work in time. */
  chance: Chance
  /** By how much this machine's own clock, which nothing else uses, is ahead of it. */
  clock_skew_ms: () => number
  /** The registries' time, for everything about a domain's life. In the sandbox it can jump. */
  calendar: Clock
  log: Logger
  /** The tracer, or null if nothing is traced. */
  tracer: Tracer | null
  registries: Registries
  /** The name servers that serve the zones of our customers' domains. */
  dns: Dns
  /** The delegations of other registrars' domains, from resolvers. */
  delegations: Delegations
  /** The identity providers of single sign-on. */
  identityProviders: IdentityProviders
  /** The gateway of top-ups in cryptocurrencies, or null if none is set. */
  gateway: Gateway | null
  /** The settlement of top-ups by x402, or null if nothing that settles is set. */
  x402: X402 | null
  /** The processor of top-ups by card, or null if none is set. */
  processor: CardProcessor | null
  /** Null if no mail server is set, so that mails wait in the outbox. */
  mailer: Mailer | null
  /** The sandbox's own mail server, which is null in production and with SMTP_URL. */
  mailbox: SandboxMailbox | null
  /** Controls the sandbox's clock and faults, or is null if this process may not. */
  sandbox: { control: SandboxControl; calendar: Calendar } | null
  /** Encrypts what the database must not show. */
  encryption: Encryption
  /** Named crash points; null unless a test's setting arms one. */
  reached: ((point: string) => void) | null
}

type OfCallers = 'rest' | 'mcp' | 'dashboard' | 'cli' | 'dns'
export type EntryPoint = OfCallers | 'internal' | 'job' | 'webhook'
export type AuditResult = 'success' | 'denied' | 'failed' | 'pending' | 'unknown'

/** The facts that an operation adds to its audit row. */
export type AuditFacts = {
  /** The operation that the row is about, if it is not the call's own (a job ends a purchase). */
  action?: string
  target_type: string | null
  target: string | null
  customer_id?: CustomerId | null
  result?: AuditResult
  status_code?: number | null
  error_code?: string | null
  metadata?: Record<string, unknown>
}

/** An audit row before it is stored. `row_hash` is SHA-256 over the RFC 8785 form of the rest. */
export type AuditRow = {
  entry_point: EntryPoint
  action: string
  actor_type: 'customer' | 'api_key' | 'oauth_client' | 'operator' | 'system' | 'anonymous'
  actor_label: string | null
  agent_identifier: string
  api_key_id: string | null
  customer_id: CustomerId | null
  target_type: string | null
  target: string | null
  result: AuditResult
  status_code: number | null
  error_code: string | null
  metadata: Record<string, unknown>
  created_at: string
  row_hash: string
}

/** One call of one operation (or one run of a job), as its module sees it. */
export type Call = {
  caller: Caller
  /** The customer whose resources this is about, or empty if there is none. */
  customer_id: CustomerId
  request_id: string
  address: string
  entry_point: EntryPoint
  /** The caller's own name for itself, which can be any text. */
  agent_identifier: string
  /** The User-Agent alone, as a label that is safe to show. */
  user_agent: string
  /** The cookies of a request over HTTP. */
  cookies: ReadonlyMap<string, string>
  /** Whether the session cookie authenticated it instead of a bearer token. */
  by_cookie: boolean
  /** Whether a browser opens the URL as a page, because its Accept has text/html. */
  wants_page: boolean
  /** Whether its Accept has text/csv. */
  wants_csv: boolean
  /** The body as it arrived, for an operation with `raw_body`; it is empty for any other. */
  raw_body: Uint8Array
  /** The party for which the call is made. If left out, the caller makes the request itself. */
  approval?: ApprovedRequest
  /** Aborted once the client's connection has ended, which ends a wait. */
  closed: () => AbortSignal
  /** For a waiting call, every few seconds: throws 401 or 403 once the token has ended. */
  reauthorize: () => Promise<void>
  /** Called before an effect: throws what the same request would get now (401, 403, 404). */
  assertStillAllowed: (effect?: EffectOf) => Promise<PresentRight>
  /** The place to run SQL: the transaction of `effect: 'transaction'`, or else the database. */
  sql: Sql
  /** More metadata of this call's audit rows, such as the name of an object that is deleted. */
  note: (metadata: Record<string, unknown>) => void
  /** An audit row for this call; with `effect: 'own'` it is stored in its effect's transaction. */
  auditRow: (facts: AuditFacts) => AuditRow
}

/** The groups of tools, in the order of their list. */
export const toolGroups = [
  'availability and pricing',
  'account',
  'registration',
  'transfers and locks',
  'name servers and DNS',
  'contacts',
  'support',
] as const
export type ToolGroup = (typeof toolGroups)[number]

/** The tool that an operation is over MCP. One operation may be several tools. */
export type ToolDefinition = {
  group: ToolGroup
  /** The name in snake_case, by default the operation's own name. */
  name?: string
  /** The tool's description, if it covers only a part of the operation. */
  does?: string
  title: string
  /** The fields that this tool needs, if it has only some of the operation's. */
  needs?: readonly string[]
  /** Further fields that it takes, which are only allowed with `needs`. */
  takes?: readonly string[]
  /** Arguments of possible calls, which the description shows. */
  examples: readonly [Example, ...Example[]]
  /** If true, a valid token is needed, although the operation is for anyone (decision 11). */
  token?: true
  destructive: boolean
  idempotent: boolean
  /** Whether it reaches outside parties (openWorldHint). */
  open_world: boolean
}

type Example = Readonly<Record<string, unknown>>

/** Where a field is sent over HTTP: by default in the path, a GET's query, or else the body. */
export type FieldLocation = 'path' | 'query' | 'body' | 'header'

/**
 * One operation of the service. The REST route, the MCP tool, the OpenAPI entry, the audit action
 * and a row of docs/operations.md are derived from it.
 */
export type Definition<I extends TSchema, O extends TSchema> = {
  name: string
  does: string
  /** A longer text for the documentation and the tool's description. */
  more?: string
  /** Method and path, such as "GET /v1/domains/{domain}". */
  at: string
  area: string
  who: Who
  takes: I
  in?: Record<string, FieldLocation>
  /** Whether it ignores unknown query parameters, where a standard requires that. */
  open_query?: true
  gives: O
  /** The media type of the Download or EventStream that it may answer. */
  downloads?: MediaType | typeof eventStreamType
  /** The success status, 200 unless the contract says otherwise. */
  status?: 200 | 201 | 202 | 204
  fails: readonly FaultType[]
  /**
   * none: it only reads. transaction: it runs inside one, together with its audit row. own: it
   * stores its audit rows itself.
   */
  effect: 'none' | 'transaction' | 'own'
  /** The target of the audit row, which is required if effect is 'transaction'. */
  target?(input: Static<I>, output: Static<O> | undefined): AuditFacts
  /** The units that this call takes from the caller's limit, beyond the one for the request. */
  cost?(input: Static<I>): number
  max_body_bytes?: number
  /**
   * The body may have any media type and is not parsed, because a signature covers its bytes. It
   * contains no field.
   */
  raw_body?: true
  /**
   * A list of texts that the operation validates one by one, including those that the database
   * cannot store (NUL, lone surrogates). Anywhere else such a text makes the whole request invalid.
   */
  any_text?: string
  /** A request with none of these fields is 422, because it would change nothing. */
  at_least_one_of?: readonly string[]
  tools?: readonly ToolDefinition[]
  /** A Listing, Download or EventStream needs effect 'none'; no Redirect has 'transaction'. */
  run(
    input: Static<I>,
    call: Call,
    app: App,
  ): Promise<Static<O> | Reply<Static<O>> | Listing | Download | EventStream | Redirect>
}

/** An answer with its own headers, such as that of an idempotent replay. */
export class Reply<T> {
  readonly body: T
  readonly headers: Record<string, string>

  constructor(body: T, headers: Record<string, string>) {
    this.body = body
    this.headers = headers
  }
}

/** Sends a browser on: 303 (RFC 9110 section 15.4.4), which needs no body. */
export class Redirect {
  readonly location: string
  readonly headers: Record<string, string>

  constructor(location: string, headers: Record<string, string> = {}) {
    this.location = location
    this.headers = headers
  }
}

/**
 * A definition whose schemas the pipeline need not know. Its functions are methods, so that their
 * parameter types may be left out.
 */
export type Operation = Definition<TSchema, TSchema> & { method: string; path: string }

/** Declares an operation, whose input and output types are derived from its schemas. */
export function operation<I extends TSchema, O extends TSchema>(
  definition: Definition<I, O>,
): Operation {
  const [method, path] = definition.at.split(' ')
  if (!method || !path) throw new Error(`Operation "${definition.name}" has no method and path`)
  return { ...definition, method, path }
}

/** Recurring work of the worker. `run` returns whether there may be more to do at once. */
export type Job = {
  name: string
  does: string
  every_ms: number
  /** Channels that start a run at once. `sandbox_clock` means that the sandbox's time was moved. */
  wakes_on?: string | readonly string[]
  /** Whether it runs in every node's process, or else at most once at a time over all nodes. */
  per_node?: boolean
  /**
   * For a job of each node: the kind of tasks, timed by the database's clock, that are all its
   * work. A run starts within a second of when one is due, instead of every `every_ms`.
   */
  task_kind?: string
  run: (app: App, call: Call) => Promise<{ more: boolean }>
}

/** Declares a job. */
export function job(definition: Job): Job {
  return definition
}
