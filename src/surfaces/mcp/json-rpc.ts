// Reads the JSON-RPC messages of one POST before the SDK does: the tools that they call, with which
// arguments, and the name of the client.
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import { LruMap } from 'toad-cache'
import type { Caller, Operation } from '../../app.ts'
import type { Database } from '../../db/database.ts'
import { monotonicMs } from '../../kit/clock.ts'
import { hashSecret } from '../../kit/random.ts'
import { principalKey } from '../pipeline/access-control.ts'
import { type Input, propertiesOf, strictPartOf } from '../pipeline/validate.ts'
import { clientNameOf, keepClientName } from './client-names.sql.ts'

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
  if (!isAboutOwnAccount(operation)) return { args: given, pathCustomer: undefined }
  const own = 'customer_id' in caller ? { customer_id: caller.customer_id } : {}
  // null counts as left out, as for every optional field.
  if (given.customer_id === null) delete given.customer_id
  const filled: Input = { ...own, ...given }
  const { customer_id } = filled
  return { args: filled, pathCustomer: typeof customer_id === 'string' ? customer_id : undefined }
}

/** Whether the customer of the path may be left out: the tool then uses the caller's account. */
export function isAboutOwnAccount(operation: Operation): boolean {
  return operation.who.about === 'customer' && 'customer_id' in propertiesOf(operation.takes)
}

/** A credential and the User-Agent sent with it. */
export type ClientKey = { caller: Caller; user_agent: string }
export type ClientNames = {
  keep: (key: ClientKey, name: string) => Promise<void>
  /** Undefined: no client with this credential and User-Agent connected lately. */
  of: (key: ClientKey) => Promise<string | undefined>
}

const fresh_ms = 60_000
const most_known = 10_000

/**
 * Cache-aside store of client names. The older revisions send clientInfo in initialize alone and
 * there are no sessions, so later calls are matched by credential and User-Agent.
 */
export function openClientNames(db: Database): ClientNames {
  const known = new LruMap<{ name: string | undefined; until: number }>(most_known)

  function note(id: string, name: string | undefined): void {
    known.set(id, { name, until: monotonicMs() + fresh_ms })
  }

  return {
    async keep({ caller, user_agent }, name) {
      if (caller.kind === 'anonymous') return
      const principal = principalKey(caller)
      const hash = hashSecret(user_agent)
      await db.run(keepClientName, { principal, user_agent: hash, name })
      note(`${principal} ${hash.toString('hex')}`, name)
    },
    async of({ caller, user_agent }) {
      if (caller.kind === 'anonymous') return undefined
      const principal = principalKey(caller)
      const hash = hashSecret(user_agent)
      const id = `${principal} ${hash.toString('hex')}`
      const cached = known.get(id)
      if (cached && cached.until > monotonicMs()) return cached.name
      const row = await db.maybe(clientNameOf, { principal, user_agent: hash })
      note(id, row?.name)
      return row?.name
    },
  }
}
