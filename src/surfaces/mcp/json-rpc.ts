// Reads the JSON-RPC messages of one POST before the SDK does: the tools that they call, with which
// arguments, and the name of the client. Authorizes the POST for all of them: rate limits, the
// caller, and the scopes of every tool (401, 403, 429), with OAuth challenges.
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import { type Caller, foldScopes, holdsScope, type Operation, type Scope } from '../../app.ts'
import type { Settings } from '../../config/config.ts'
import { resourceMetadataUrl } from '../../errors/resource-metadata-url.ts'
import { publicUrls } from '../../origins.ts'
import { unauthenticated } from '../pipeline/faults.ts'
import type { Admitted, IncomingRequest, Pipeline } from '../pipeline/pipeline.ts'
import { type ApiResponse, errorResponseBefore } from '../pipeline/response.ts'
import { type Input, propertiesOf, strictPartOf } from '../pipeline/validate.ts'

type ToolCall = { operation: Operation; args: unknown }
/** Arguments as an operation takes them, and the customer named in them. */
export type ToolArguments = { args: Input; pathCustomer: string | undefined }

const mostInABatch = 10
// Revision 2025-03-26 added batches; 2025-06-18, with the version header, removed them.
const versionsWithBatches = [undefined, '2024-10-07', '2024-11-05', '2025-03-26']

/** A field of a value that may be anything. */
function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

/** The id that an answer to this body carries; null where there is none, or more than one. */
export function idOf(body: unknown): string | number | null {
  const id = fieldOf(body, 'id')
  const isRequest = typeof fieldOf(body, 'method') === 'string'
  return isRequest && (typeof id === 'string' || typeof id === 'number') ? id : null
}

/**
 * The messages of a body; none of a batch that is too long: it is refused as a whole, and counts as
 * one request.
 */
export function messagesOf(body: unknown): unknown[] {
  if (!Array.isArray(body)) return [body]
  return body.length > mostInABatch ? [] : body
}

/** Why a batch is invalid, or undefined. */
export function batchProblem(batch: unknown[], version: string | undefined): string | undefined {
  if (!versionsWithBatches.includes(version)) return `Protocol version ${version} has no batches`
  if (batch.length === 0) return 'The batch is empty'
  if (batch.length > mostInABatch) return `A batch has at most ${mostInABatch} messages`
  if (batch.some((message) => fieldOf(message, 'method') === 'initialize'))
    return 'initialize cannot be part of a batch'
  return undefined
}

/** The calls of known tools. */
export function toolCallsOf(
  messages: unknown[],
  byName: ReadonlyMap<string, Operation>,
): ToolCall[] {
  return messages.flatMap((message) => {
    if (fieldOf(message, 'method') !== 'tools/call') return []
    const params = fieldOf(message, 'params')
    const name = fieldOf(params, 'name')
    const operation = typeof name === 'string' ? byName.get(name) : undefined
    return operation ? [{ operation, args: fieldOf(params, 'arguments') }] : []
  })
}

/** A body without the texts that its tools validate one by one (`any_text`). */
export function strictPartOfMessages(
  body: unknown,
  byName: ReadonlyMap<string, Operation>,
): unknown {
  if (Array.isArray(body)) return body.map((one) => strictPartOfMessages(one, byName))
  const [call] = toolCallsOf([body], byName)
  if (call?.operation.any_text === undefined) return body
  const params = { ...Object(fieldOf(body, 'params')) }
  return {
    ...Object(body),
    params: { ...params, arguments: strictPartOf(call.operation, call.args) },
  }
}

/** Whether a client of the older revisions connects with these messages. */
export function initializes(messages: unknown[]): boolean {
  return messages.some((message) => fieldOf(message, 'method') === 'initialize')
}

/** "name/version" of the client, from initialize or the _meta of 2026-07-28. */
export function clientOf(messages: unknown[]): string | undefined {
  for (const message of messages) {
    const params = fieldOf(message, 'params')
    const client =
      fieldOf(fieldOf(params, '_meta'), CLIENT_INFO_META_KEY) ?? fieldOf(params, 'clientInfo')
    const name = fieldOf(client, 'name')
    const version = fieldOf(client, 'version')
    if (typeof name === 'string') return typeof version === 'string' ? `${name}/${version}` : name
  }
  return undefined
}

/** The arguments as the operation takes them; without a customer, the caller's own. */
export function argumentsOf({ operation, args }: ToolCall, caller: Caller): ToolArguments {
  const given: Input = { ...Object(args) }
  if (!concernsOwnAccount(operation)) return { args: given, pathCustomer: undefined }
  const own: { customer_id?: string } =
    'customer_id' in caller ? { customer_id: caller.customer_id } : {}
  // null counts as left out, as for every optional field.
  if (given.customer_id === null) delete given.customer_id
  const filled: Input = { ...own, ...given }
  const { customer_id } = filled
  // No text names no other account: the field is refused, and not its caller.
  const pathCustomer = typeof customer_id === 'string' ? customer_id : own.customer_id
  return { args: filled, pathCustomer }
}

/** Whether the customer of the path may be left out: the tool then uses the caller's account. */
export function concernsOwnAccount(operation: Operation): boolean {
  return operation.who.about === 'customer' && 'customer_id' in propertiesOf(operation.takes)
}

type AuthorizedRequest = {
  pipeline: Pipeline
  settings: Settings
  incoming: IncomingRequest
  /** All scopes that some tool needs: the first challenge names them, consent narrows them. */
  scopes: readonly Scope[]
  id: string | number | null
}
type Authorization = { admitted: Admitted } | { refusal: Refusal; caller: Caller | null }

/** Rate-limits and authenticates; a token that is sent must be valid, whatever is called. */
export async function authorizeRequest(
  to: AuthorizedRequest,
  calls: ToolCall[],
  requests: number,
): Promise<Authorization> {
  let admitted: Admitted
  try {
    admitted = await to.pipeline.admit(to.incoming, requests)
  } catch (error) {
    return { refusal: refused(to, error), caller: null }
  }
  const { caller } = admitted
  const isProtected = calls.some(({ operation }) => operation.who.about !== 'anyone')
  if (caller.kind === 'anonymous' && isProtected)
    return { refusal: refused(to, unauthenticated()), caller }
  const lacking = calls.filter((call) => lackedScope(call, caller) !== null)
  return lacking.length === 0
    ? { admitted }
    : { refusal: await refuseScopes(to, lacking, admitted), caller }
}

function refused({ settings, incoming, scopes, id }: AuthorizedRequest, error: unknown): Refusal {
  const context = { requestId: incoming.request_id, roots: publicUrls(settings), fails: [] }
  const refusal = refusalOf(errorResponseBefore(error, context), id)
  if (refusal.status !== 401) return refusal
  const code = refusal.error_code === 'invalid_token' ? 'invalid_token' : null
  return withChallenge(refusal, challenge(settings, scopes, code))
}

function withChallenge(refusal: Refusal, words: string): Refusal {
  return { ...refusal, headers: { ...refusal.headers, 'WWW-Authenticate': words } }
}

/**
 * The scope that the call needs and the token lacks; none for another customer's resources, which
 * are 404 and not 403.
 */
function lackedScope(call: ToolCall, caller: Caller): Scope | null {
  const { about, scope } = call.operation.who
  if (!('scopes' in caller) || scope === null || holdsScope(caller.scopes, scope)) return null
  if (about !== 'customer') return scope
  return argumentsOf(call, caller).pathCustomer === caller.customer_id ? scope : null
}

/** Every refused call goes through the pipeline, so that each is in the caller's audit log. */
async function refuseScopes(
  to: AuthorizedRequest,
  lacking: ToolCall[],
  admitted: Admitted,
): Promise<Refusal> {
  const { caller } = admitted
  const responses = []
  for (const call of lacking) {
    const { args, pathCustomer } = argumentsOf(call, caller)
    const incoming = { ...to.incoming, pathCustomer, input: { arguments: args } }
    responses.push(await to.pipeline.call(call.operation, incoming, admitted))
  }
  const [response] = responses
  if (!response) throw new Error('No call was refused')
  // Clients request exactly these next, so the scopes that they have must be among them.
  const held = 'scopes' in caller ? [...caller.scopes] : []
  const needed = lacking.flatMap(({ operation }) => operation.who.scope ?? [])
  const wanted = foldScopes([...held, ...needed])
  const words = challenge(to.settings, wanted, 'insufficient_scope')
  const body = { ...Object(response.body), scopes_wanted: wanted }
  return withChallenge(refusalOf({ ...response, body }, to.id), words)
}

/** WWW-Authenticate: RFC 6750 section 3 with RFC 9728 section 5.1. */
function challenge(
  settings: Settings,
  wanted: readonly Scope[],
  error: 'invalid_token' | 'insufficient_scope' | null,
): string {
  const parts = [
    ...(error ? [`error="${error}"`] : []),
    `resource_metadata="${resourceMetadataUrl(`${settings.mcp_url}/mcp`)}"`,
    `scope="${wanted.join(' ')}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}

/**
 * A refusal of the whole POST: an HTTP status, and a JSON-RPC error with the problem as data.
 */
export type Refusal = {
  status: number
  headers: Record<string, string>
  body: object
  error_code: string | null
  cause: unknown
}

export function refusalOf(response: ApiResponse, id: string | number | null): Refusal {
  const { 'Content-Type': _problem, ...headers } = response.headers
  const data: Record<string, unknown> = Object(response.body)
  const error = { code: -32_000, message: String(data.detail), data }
  return {
    status: response.status,
    headers,
    body: { jsonrpc: '2.0', id, error },
    error_code: response.error_code,
    cause: response.cause,
  }
}

/** A POST that is not JSON-RPC: 400 with the protocol's own error code. */
export function malformed(code: -32_700 | -32_600, message: string): Refusal {
  return {
    status: 400,
    headers: {},
    body: { jsonrpc: '2.0', id: null, error: { code, message } },
    error_code: code === -32_700 ? 'json_invalid' : 'invalid_json_rpc',
    cause: null,
  }
}
