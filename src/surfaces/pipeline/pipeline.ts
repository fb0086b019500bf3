// The request pipeline: authenticate -> rate-limit -> authorize -> validate -> run -> audit ->
// respond, for every operation on every surface.
import { type App, type Caller, type Operation, Redirect, Reply } from '../../app.ts'
import { requireCustomer } from '../../capabilities/account/index.ts'
import { storeAuditRow } from '../../capabilities/audit/index.ts'
import { unsafeJson } from '../../kit/json.ts'
import { publicUrls } from '../../origins.ts'
import { type LimitState, type Limits, limitHeaders } from '../../rate-limits/leased-quotas.ts'
import { Download } from '../../replies/download.ts'
import { EventStream } from '../../replies/event-stream.ts'
import { Listing } from '../../replies/listing.ts'
import * as access from './access-control.ts'
import { enforceOfAccount } from './account-quota.ts'
import { callOf, type IncomingRequest, type Run } from './call.ts'
import type { CookieAuthenticator } from './cookie-authentication.ts'
import { authenticateCustomerTool } from './customer-tool-key.ts'
import { invalidToken } from './faults.ts'
import { isStillAdmitted } from './reauthorization.ts'
import { type ApiResponse, errorResponse } from './response.ts'
import { type Input, type Parser, parseInput, parserOf } from './validate.ts'

export type { IncomingRequest } from './call.ts'

export type PipelineResponse = ApiResponse & {
  caller: Caller
  /** Whether the same request would be admitted now. Rejects while that cannot be known. */
  isStillAdmitted: () => Promise<boolean>
}
/** An authenticated request within its limits, and the state of these. */
export type Admitted = { caller: Caller; states: LimitState[]; by_cookie: boolean }
export type Pipeline = {
  /** `admitted` is the result of `admit`, where the surface called it before. */
  call: (
    operation: Operation,
    request: IncomingRequest,
    admitted?: Admitted,
  ) => Promise<PipelineResponse>
  /** Only authenticates and limits, for `requests` calls at once. Throws the fault (401, 429). */
  admit: (request: IncomingRequest, requests: number) => Promise<Admitted>
}
type PipelineParts = {
  app: App
  authenticators: readonly access.Authenticator[]
  cookies: CookieAuthenticator
  limits: Limits
}

const notAdmitted: Admitted = { caller: { kind: 'anonymous' }, states: [], by_cookie: false }
type Admission = { request: IncomingRequest; operation: Operation | null; units: number }

/** A pipeline's parts, with the values that it keeps of settings and operations. */
type Gate = PipelineParts & {
  policies: ReturnType<typeof access.policiesOf>
  parsers: Map<Operation, Parser>
}

export function openPipeline(parts: PipelineParts): Pipeline {
  const gate = { ...parts, policies: access.policiesOf(parts.app), parsers: new Map() }
  return {
    async admit(request, requests) {
      const admitted = { ...notAdmitted, states: [] }
      await admit(gate, admitted, { request, operation: null, units: requests })
      return admitted
    },
    async call(operation, request, admitted) {
      const start = admitted ?? notAdmitted
      const again = { reauthorize: () => reauthorize(gate, operation, request) }
      const states = [...start.states]
      const run: Run = { ...start, ...again, states, operation, request, input: undefined }
      const response = await respond(gate, run, admitted !== undefined)
      return {
        ...response,
        headers: { ...limitHeaders(run.states), ...response.headers },
        caller: run.caller,
        isStillAdmitted: () => isStillAdmitted(gate, run),
      }
    },
  }
}

async function respond(gate: Gate, run: Run, isAdmitted: boolean): Promise<ApiResponse> {
  const { app } = gate
  try {
    if (!isAdmitted) await admit(gate, run, { ...run, units: 1 })
    await checkAccess(app, run)
    run.input = parseInput(parserFor(gate, run.operation), run.request.input)
    access.authorizeDomain(run, run.input)
    await limitCost(gate, run, run.input)
    return await execute(app, run, run.input)
  } catch (error) {
    return await reject(app, run, error)
  }
}

async function admit(gate: Gate, to: Admitted, admission: Admission): Promise<void> {
  const { app, authenticators, cookies, limits, policies } = gate
  const { request, operation, units } = admission
  const { address, browser, authorization } = request
  await limits.enforce([policies.address], { key: { address }, units, states: [] })
  to.caller =
    operation?.who.about === 'customer_tool'
      ? authenticateCustomerTool(app.settings, request)
      : await access.authenticate(authenticators, request)
  // The cookie does not count beside a bearer token, even an invalid one.
  if (browser && operation && authorization === undefined) {
    const caller = await cookies.authenticate(operation, browser)
    to.by_cookie = caller !== undefined
    to.caller = caller ?? to.caller
  }
  const policy = to.caller.kind === 'anonymous' ? policies.anonymous : policies.principal
  const key = access.limitKeyOf(to.caller, address)
  await limits.enforce([policy], { key, units, states: to.states })
  const { states } = to
  await enforceOfAccount(limits, policies.account, { caller: to.caller, units, states })
}

async function reauthorize(
  { authenticators, cookies }: Gate,
  operation: Operation,
  request: IncomingRequest,
): Promise<void> {
  const { browser, authorization, pathCustomer } = request
  const bearer = await access.authenticate(authenticators, request)
  const byCookie = browser && authorization === undefined
  const caller = byCookie ? await cookies.authenticate(operation, browser) : undefined
  access.authorize(operation, caller ?? bearer, pathCustomer)
}

async function limitCost({ limits, policies }: Gate, run: Run, input: Input): Promise<void> {
  const { operation, request, caller, states } = run
  const units = operation.cost?.(input) ?? 0
  if (units === 0) return
  const policy = caller.kind === 'anonymous' ? policies.anonymousNames : policies.principalNames
  const key = access.limitKeyOf(caller, request.address)
  await limits.enforce([policy], { key, units, states })
  await enforceOfAccount(limits, policies.accountNames, { caller, units, states })
}

function parserFor({ parsers }: Gate, operation: Operation): Parser {
  const parser = parsers.get(operation) ?? parserOf(operation)
  parsers.set(operation, parser)
  return parser
}

/**
 * An operator may name any customer; an absent one is 404 for every operation. An id that
 * PostgreSQL cannot hold as text is left to validation, which rejects it with all the rest.
 */
async function checkAccess(app: App, { operation, request, caller }: Run): Promise<void> {
  const { pathCustomer } = request
  access.authorize(operation, caller, pathCustomer)
  if (caller.kind !== 'operator' || pathCustomer === undefined) return
  if (unsafeJson(pathCustomer) === undefined) await requireCustomer(app.db, pathCustomer)
}

/**
 * Runs the operation. One whose effect is a transaction gets its audit row in that same
 * transaction.
 */
async function execute(app: App, run: Run, input: Input): Promise<ApiResponse> {
  const { operation } = run
  if (operation.effect !== 'transaction') {
    const output = await operation.run(input, callOf(app, run, app.db), app)
    await auditRead(app, run)
    const isWhole = !(output instanceof Listing) || run.request.streams === true
    return successResponse(operation, isWhole ? output : await output.whole())
  }
  return app.db.transaction(async (sql) => {
    const call = callOf(app, run, sql)
    const output = await operation.run(input, call, app)
    // The call may have waited for a lock of the transaction that ended its right.
    await call.assertStillAllowed({ sql })
    const response = successResponse(operation, output)
    const body = output instanceof Reply ? output.body : output
    const facts = operation.target?.(input, body) ?? { target_type: null, target: null }
    await storeAuditRow(sql, call.auditRow({ status_code: response.status, ...facts }))
    return response
  })
}

/**
 * An operator's reading of a customer's data leaves a row in that customer's log before it is
 * answered (decision 59). Lists of the operators' own work leave none.
 */
async function auditRead(app: App, run: Run): Promise<void> {
  const { pathCustomer: target } = run.request
  const isRead = run.operation.effect === 'none' && run.caller.kind === 'operator'
  if (!isRead || target === undefined) return
  const facts = { target_type: 'customer', target, status_code: run.operation.status ?? 200 }
  await storeAuditRow(app.db, callOf(app, run, app.db).auditRow(facts))
}

function successResponse(operation: Operation, output: unknown): ApiResponse {
  if (output instanceof Redirect) {
    const headers = { ...output.headers, Location: output.location }
    return { status: 303, headers, body: undefined, error_code: null }
  }
  if (output instanceof Download)
    return { status: 200, headers: output.headers, body: output, error_code: null }
  if (output instanceof EventStream)
    return { status: 200, headers: {}, body: output, error_code: null }
  const { body, headers } = output instanceof Reply ? output : { body: output, headers: {} }
  const status = operation.status ?? 200
  return {
    status,
    headers: status === 204 ? headers : { 'Content-Type': 'application/json', ...headers },
    body: status === 204 ? undefined : body,
    error_code: null,
  }
}

/**
 * Rejections of a known principal are audited in its own log (decision 22): those of every call
 * that would change something, and every missing permission. 401, 429 and 503 are only counted,
 * except the 401 of a token that was admitted and has ended since.
 */
async function reject(app: App, run: Run, error: unknown): Promise<ApiResponse> {
  const { operation, request, caller } = run
  const response = errorResponse(error, {
    operation,
    requestId: request.request_id,
    roots: publicUrls(app.settings),
    flat: request.entry_point === 'mcp',
  })
  const { status, error_code } = response
  const hasEnded = error_code === invalidToken.code
  const isDenied = status === 403 || error_code === 'customer_not_found' || hasEnded
  const isCounted = (status === 401 && !hasEnded) || status === 429 || status === 503
  const isAudited = operation.effect !== 'none' || isDenied
  if (caller.kind === 'anonymous' || isCounted || !isAudited) return response
  const facts = run.input ? operation.target?.(run.input, undefined) : undefined
  const row = callOf(app, run, app.db).auditRow({
    ...(facts?.action === undefined ? {} : { action: facts.action }),
    target_type: facts?.target_type ?? null,
    target: facts?.target ?? null,
    customer_id: 'customer_id' in caller ? caller.customer_id : null,
    result: isDenied ? 'denied' : 'failed',
    status_code: status,
    error_code,
    // A reader of the log must not take the row for a purchase that failed.
    ...(run.input?.dry_run === true && { metadata: { dry_run: true } }),
  })
  await storeAuditRow(app.db, row).catch((lost) =>
    app.log.error({ err: lost }, 'audit row not stored'),
  )
  return response
}
