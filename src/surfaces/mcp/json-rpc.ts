// Reads the JSON-RPC messages of one POST before the SDK does: the tools that they call, with which
// arguments, and the name of the client. Writes the refusals of a whole POST.

import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import type { Caller, Operation } from '../../app.ts'
import type { CustomerId } from '../../kit/random.ts'
import type { ApiResponse } from '../pipeline/response.ts'
import { type Input, propertiesOf, strictPartOf } from '../pipeline/validate.ts'

export type ToolCall = { operation: Operation; args: unknown }
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

/** The id that an answer to this body carries, or null where there is none, or more than one. */
export function idOf(body: unknown): string | number | null {
  const id = fieldOf(body, 'id')
  const isRequest = typeof fieldOf(body, 'method') === 'string'
  return isRequest && (typeof id === 'string' || typeof id === 'number') ? id : null
}

/**
 * The messages of a body. A batch that is too long has none, because it is refused as a whole and
 * counts as one request.
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

/** The client as "name/version", from initialize or the _meta of 2026-07-28. */
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

/**
 * The arguments as the operation takes them. Without a customer, they are about the caller's own
 * account.
 */
export function argumentsOf({ operation, args }: ToolCall, caller: Caller): ToolArguments {
  const given: Input = { ...Object(args) }
  if (!concernsOwnAccount(operation)) return { args: given, pathCustomer: undefined }
  const own: { customer_id?: CustomerId } =
    'customer_id' in caller ? { customer_id: caller.customer_id } : {}
  // null counts as left out, as for every optional field.
  if (given.customer_id === null) delete given.customer_id
  const filled: Input = { ...own, ...given }
  const { customer_id } = filled
  // A value that is no text names no other account, so the field is refused and not its caller.
  const pathCustomer = typeof customer_id === 'string' ? customer_id : own.customer_id
  return { args: filled, pathCustomer }
}

/** Whether the customer of the path may be left out. The tool then uses the caller's account. */
export function concernsOwnAccount(operation: Operation): boolean {
  return operation.who.about === 'customer' && 'customer_id' in propertiesOf(operation.takes)
}

/**
 * A refusal of the whole POST, with an HTTP status and a JSON-RPC error that has the problem as
 * data.
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

/** The refusal of a POST that is not JSON-RPC: 400 with the protocol's own error code. */
export function malformed(code: -32_700 | -32_600, message: string): Refusal {
  return {
    status: 400,
    headers: {},
    body: { jsonrpc: '2.0', id: null, error: { code, message } },
    error_code: code === -32_700 ? 'json_invalid' : 'invalid_json_rpc',
    cause: null,
  }
}
