// Reads the JSON-RPC messages of one POST, before the SDK does: which tools they call, by whose
// program.
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import type { Caller, Operation } from '../../app.ts'
import { type Input, strictPartOf } from '../pipeline/validate.ts'
import { isAboutOwnAccount } from './tool-schemas.ts'

export type ToolCall = { operation: Operation; args: unknown }
/** Arguments as an operation takes them, and the customer that they name. */
export type ToolArguments = { args: Input; pathCustomer: string | undefined }

const mostInABatch = 10
// Batches came with 2025-03-26 and went with 2025-06-18, which brought the version header.
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
 * The messages of a body. Of a batch that is too long none counts: it is refused as one, and must
 * not cost its address more than a request.
 */
export function messagesOf(body: unknown): unknown[] {
  if (!Array.isArray(body)) return [body]
  return body.length > mostInABatch ? [] : body
}

/** Why a batch may not be, or undefined. */
export function batchProblem(batch: unknown[], version: string | undefined): string | undefined {
  if (!versionsWithBatches.includes(version)) return `Protocol version ${version} has no batches`
  if (batch.length === 0) return 'The batch is empty'
  if (batch.length > mostInABatch) return `A batch has at most ${mostInABatch} messages`
  if (batch.some((message) => fieldOf(message, 'method') === 'initialize'))
    return 'initialize cannot be part of a batch'
  return undefined
}

/** The calls of tools that there are. */
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

/** A body without the texts that the tools which it calls judge one by one (`any_text`). */
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

/** Whether a client of the older revisions begins to speak here. */
export function initializes(messages: unknown[]): boolean {
  return messages.some((message) => fieldOf(message, 'method') === 'initialize')
}

/**
 * "name/version" of the client's program, where a message tells: initialize, or the _meta of
 * 2026-07-28.
 */
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
 * The arguments as the operation takes them, and the customer they are about; left out, it is the
 * caller.
 */
export function argumentsOf({ operation, args }: ToolCall, caller: Caller): ToolArguments {
  const given: Input = { ...Object(args) }
  if (!isAboutOwnAccount(operation)) return { args: given, pathCustomer: undefined }
  const own = 'customer_id' in caller ? { customer_id: caller.customer_id } : {}
  // null is left out, as for every optional field.
  if (given.customer_id === null) delete given.customer_id
  const filled: Input = { ...own, ...given }
  const { customer_id } = filled
  return { args: filled, pathCustomer: typeof customer_id === 'string' ? customer_id : undefined }
}
