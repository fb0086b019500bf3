// One call on its way through the pipeline, and how its operation sees it.

import type { App, Call, Caller, EntryPoint, Operation } from '../../app.ts'
import { auditRowOf } from '../../capabilities/audit/index.ts'
import type { Sql } from '../../db/database.ts'
import { neverAborted } from '../../kit/concurrency/auto-reset-event.ts'
import type { CustomerId } from '../../kit/random.ts'
import type { LimitState } from '../../rate-limits/leased-quotas.ts'
import * as access from './access-control.ts'
import { type BrowserFields, noCookies } from './cookie-authentication.ts'
import { assertStillAllowed } from './still-allowed.ts'
import type { Input, RequestInput } from './validate.ts'

/** A request as its surface received it. */
export type IncomingRequest = {
  entry_point: EntryPoint
  request_id: string
  address: string
  agent_identifier: string
  user_agent: string
  authorization: string | undefined
  /** The X-Customer-Tool-Key of a request over REST. */
  customer_tool_key?: string | undefined
  /**
   * The fields of a browser over REST. The session cookie is valid there alone, and only without a
   * bearer token.
   */
  browser?: BrowserFields
  tokenInQuery: boolean
  input: RequestInput
  pathCustomer: CustomerId | undefined
  /** The body of a request for an operation with `raw_body`. */
  raw_body?: Uint8Array
  /** Aborted once its connection has ended, or never where it is not given. */
  closed?: () => AbortSignal
  /**
   * Set if the surface sends a Listing as a stream. Without it, the surface gets all of it as an
   * object.
   */
  streams?: true
}

/** One call of an operation on its way through the steps. */
export type Run = {
  operation: Operation
  request: IncomingRequest
  caller: Caller
  by_cookie: boolean
  states: LimitState[]
  /** Undefined until the request is validated. */
  input: Input | undefined
  /** Authenticates and authorizes again, without counting a request. */
  reauthorize: () => Promise<void>
}

export function callOf(app: App, run: Run, sql: Sql): Call {
  const { request, caller, operation, by_cookie } = run
  const { request_id, address, entry_point, agent_identifier, user_agent, pathCustomer } = request
  const customer_id = access.customerOf(caller, pathCustomer)
  const noted: Record<string, unknown> = {}
  return {
    caller,
    customer_id,
    request_id,
    address,
    entry_point,
    agent_identifier,
    user_agent,
    cookies: request.browser?.cookies ?? noCookies,
    by_cookie,
    wants_page: request.browser?.accept?.includes('text/html') ?? false,
    wants_csv: request.browser?.accept?.includes('text/csv') ?? false,
    raw_body: request.raw_body ?? new Uint8Array(),
    closed: request.closed ?? neverAborted,
    reauthorize: run.reauthorize,
    assertStillAllowed: (effect) => assertStillAllowed(app, run, effect),
    sql,
    note: (metadata) => Object.assign(noted, metadata),
    auditRow: ({ metadata, ...facts }) => {
      const action = facts.action ?? operation.name
      const context = { entry_point, action, caller, agent_identifier, now: app.clock.now() }
      const owner = customer_id === '' ? null : customer_id
      return auditRowOf(context, {
        ...{ customer_id: owner, ...facts },
        metadata: { ...noted, ...metadata },
      })
    },
  }
}
