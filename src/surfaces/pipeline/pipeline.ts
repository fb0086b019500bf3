// THE SPINE: authenticate -> limit -> permit -> parse -> run -> audit -> answer, for every
// operation on every surface.
import type { App, Call, Caller, EntryPoint, Operation } from '../../app.ts'
import { Reply } from '../../app.ts'
import { requireCustomer } from '../../capabilities/account/index.ts'
import { auditRowOf, storeAuditRow } from '../../capabilities/audit/index.ts'
import type { Sql } from '../../db/database.ts'
import { unsafeJson } from '../../kit/json.ts'
import { Listing } from '../../kit/json-stream.ts'
import { type Authenticator, authenticate } from './authenticate.ts'
import { customerOf, permit, principalKey } from './authorize.ts'
import { rateLimited } from './faults.ts'
import { type Limits, limitHeaders, type Policy, type Standing, takeAt } from './rate-limits.ts'
import { type Answer, errorAnswer } from './response.ts'
import { type Gathered, type Input, type Parser, parserOf } from './validate.ts'

/** What a surface gathered of one request. */
export type Incoming = {
  entry_point: EntryPoint
  request_id: string
  address: string
  agent_identifier: string
  authorization: string | undefined
  tokenInQuery: boolean
  /**
   * REST: fields by place. MCP: the arguments. Thrown problems (bad JSON) come when it is called.
   */
  fields: () => { rest: Gathered } | { args: Input }
  pathCustomer: string | undefined
  /** True: the surface sends a Listing as a stream. Else it gets all of it as an object. */
  streams?: true
}
export type Answered = Answer & { caller: Caller }
/** A request whose caller is known and within the limits. */
export type Entered = { caller: Caller; standings: readonly Standing[] }
export type Pipeline = {
  /**
   * `entered`: what `enter` answered, for a surface that asked before its own protocol came to the
   * operation.
   */
  call: (operation: Operation, incoming: Incoming, entered?: Entered) => Promise<Answered>
  /** Authenticates and limits alone, for `requests` calls at once; throws the fault (401, 429). */
  enter: (incoming: Incoming, requests: number) => Promise<Entered>
}
export type PipelineParts = { app: App; authenticators: readonly Authenticator[]; limits: Limits }

type Policies = Record<
  'address' | 'anonymous' | 'principal' | 'anonymousNames' | 'principalNames',
  Policy
>

export function openPipeline({ app, authenticators, limits }: PipelineParts): Pipeline {
  const policies = policiesOf(app)
  const parsers = new Map<Operation, Parser>()

  function parserFor(operation: Operation): Parser {
    const parser = parsers.get(operation) ?? parserOf(operation)
    parsers.set(operation, parser)
    return parser
  }

  async function spend(at: Spending, policy: Policy, units: number): Promise<void> {
    const { caller, address } = at
    const standing = await (caller.kind === 'anonymous'
      ? takeAt(limits, policy, { address, units })
      : limits.take(policy, principalKey(caller), units))
    at.standings.push(standing)
    if (!standing.allowed)
      throw rateLimited({
        detail: `More than ${policy.quota} ${policy.name} in ${policy.window_s} seconds.`,
        headers: limitHeaders(at.standings),
        retry_after_s: standing.resets_s,
      })
  }

  async function enter(at: Spending, incoming: Incoming, requests: number): Promise<void> {
    await spend(at, policies.address, requests)
    at.standings.length = 0
    at.caller = await authenticate(authenticators, incoming)
    const anonymous = at.caller.kind === 'anonymous'
    await spend(at, anonymous ? policies.anonymous : policies.principal, requests)
  }

  async function read(run: Run): Promise<void> {
    const { incoming, operation } = run
    permit(operation, run.caller, incoming.pathCustomer)
    // An operator may name any customer; an absent one is 404 whatever the operation would say. An
    // id that is no text for PostgreSQL is left to the parser, which refuses it with all the rest.
    if (run.caller.kind === 'operator' && isText(incoming.pathCustomer))
      await requireCustomer(app.db, incoming.pathCustomer)
    const fields = incoming.fields()
    const parser = parserFor(operation)
    run.input = 'rest' in fields ? parser.fromRest(fields.rest) : parser.fromArguments(fields.args)
    const cost = operation.cost?.(run.input) ?? 0
    const anonymous = run.caller.kind === 'anonymous'
    if (cost > 0)
      await spend(run, anonymous ? policies.anonymousNames : policies.principalNames, cost)
  }

  return {
    async enter(incoming, requests) {
      const at = spendingOf(incoming)
      await enter(at, incoming, requests)
      return at
    },
    async call(operation, incoming, entered) {
      const run: Run = { ...spendingOf(incoming), operation, incoming, input: undefined }
      if (entered) {
        run.caller = entered.caller
        run.standings.push(...entered.standings)
      }
      const ready = entered ? Promise.resolve() : enter(run, incoming, 1)
      const answer = await ready
        .then(() => read(run))
        .then(() => effect(app, run))
        .catch((thrown) => refusal(app, run, thrown))
      return {
        ...answer,
        headers: { ...limitHeaders(run.standings), ...answer.headers },
        caller: run.caller,
      }
    },
  }
}

function isText(value: string | undefined): value is string {
  return value !== undefined && unsafeJson(value) === undefined
}

type Spending = { caller: Caller; address: string; standings: Standing[] }
type Run = Spending & {
  operation: Operation
  incoming: Incoming
  input: Input | undefined
}

function spendingOf({ address }: Incoming): Spending {
  return { caller: { kind: 'anonymous' }, address, standings: [] }
}

/**
 * Runs the operation; one whose effect is a transaction gets its audit row in that same
 * transaction.
 */
async function effect(app: App, run: Run): Promise<Answer> {
  const { operation, input = {} } = run
  if (operation.effect !== 'transaction') {
    const output = await operation.run(input, callOf(app, run, app.db), app)
    const isWhole = !(output instanceof Listing) || run.incoming.streams === true
    return success(operation, isWhole ? output : await output.whole())
  }
  return app.db.transaction(async (sql) => {
    const call = callOf(app, run, sql)
    const output = await operation.run(input, call, app)
    const answer = success(operation, output)
    const body = output instanceof Reply ? output.body : output
    const facts = operation.target?.(input, body) ?? { target_type: null, target: null }
    await storeAuditRow(sql, call.auditRow({ status_code: answer.status, ...facts }))
    return answer
  })
}

function success(operation: Operation, output: unknown): Answer {
  const reply = output instanceof Reply ? output : new Reply(output, {})
  const status = operation.status ?? 200
  return {
    status,
    headers:
      status === 204 ? reply.headers : { 'Content-Type': 'application/json', ...reply.headers },
    body: status === 204 ? undefined : reply.body,
    error_code: null,
  }
}

/**
 * Refusals to a known principal are audited in its own log (decisions part 9): of every call that
 * would change something, and every missing permission. 401 and 429 are only counted.
 */
async function refusal(app: App, run: Run, thrown: unknown): Promise<Answer> {
  const { operation, incoming, caller } = run
  const baseUrl = app.settings.base_url
  const flat = incoming.entry_point === 'mcp'
  const answer = errorAnswer(thrown, { operation, requestId: incoming.request_id, baseUrl, flat })
  const permission = answer.status === 403 || answer.error_code === 'customer_not_found'
  const counted = answer.status === 401 || answer.status === 429 || answer.status === 503
  const worthARow = operation.effect !== 'none' || permission
  if (caller.kind === 'anonymous' || counted || !worthARow) return answer
  const own = 'customer_id' in caller ? caller.customer_id : null
  const facts = run.input ? operation.target?.(run.input, undefined) : undefined
  const row = callOf(app, run, app.db).auditRow({
    ...(facts?.action === undefined ? {} : { action: facts.action }),
    target_type: facts?.target_type ?? null,
    target: facts?.target ?? null,
    customer_id: own,
    result: permission ? 'denied' : 'failed',
    status_code: answer.status,
    error_code: answer.error_code,
  })
  await storeAuditRow(app.db, row).catch((error) => app.log.error({ err: error }, 'audit row lost'))
  return answer
}

function callOf(app: App, run: Run, sql: Sql): Call {
  const { incoming, caller, operation } = run
  const customer = customerOf(caller, incoming.pathCustomer)
  return {
    caller,
    customer_id: customer,
    request_id: incoming.request_id,
    address: incoming.address,
    entry_point: incoming.entry_point,
    agent_identifier: incoming.agent_identifier,
    sql,
    auditRow: (facts) =>
      auditRowOf(
        {
          entry_point: incoming.entry_point,
          action: facts.action ?? operation.name,
          caller,
          agent_identifier: incoming.agent_identifier,
          now: app.clock.now(),
        },
        { customer_id: customer === '' ? null : customer, ...facts },
      ),
  }
}

function policiesOf({ settings }: App): Policies {
  const minute = (name: string, quota: number): Policy => ({ name, quota, window_s: 60 })
  return {
    address: minute('address', settings.address_requests_per_minute),
    anonymous: minute('requests', settings.anonymous_requests_per_minute),
    principal: minute('requests', settings.requests_per_minute),
    anonymousNames: minute('names', settings.anonymous_names_per_minute),
    principalNames: minute('names', settings.names_per_minute),
  }
}
