// Audit rows, pure: actor, action, target and result, the redaction of secrets, and the
// hash that detects any later change.

import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { AuditFacts, AuditRow, Caller, EntryPoint } from '../../../app.ts'
import type { Json } from '../../../db/statement.ts'
import { parseHost } from '../../../kit/net/host.ts'
import type { CustomerId } from '../../../kit/random.ts'

/**
 * A caller, or an authenticated person who submitted the form of a page and called no operation.
 */
type Acting = Caller | { kind: 'customer'; customer_id: CustomerId }

/** The context of a call before its outcome. */
export type AuditContext = {
  entry_point: EntryPoint
  action: string
  caller: Acting
  agent_identifier: string
  now: Date
  /** The label of the actor, in place of its own. */
  label?: string
}

type Actor = Pick<AuditRow, 'actor_type' | 'actor_label' | 'api_key_id' | 'customer_id'>
/** The fields of a row that its hash covers: all but the hash. */
type HashedRow = Omit<AuditRow, 'row_hash'>

/** The RFC 8785 form of a value. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('Value has no JSON form')
  return text
}

/**
 * Exactly the fields that a row's hash covers: `api_key_id` is decimal text or null, `status_code`
 * a number or null, `created_at` UTC in milliseconds ("2026-01-31T09:00:00.000Z"), an absent field
 * is null.
 */
export function hashedFields<R extends Record<keyof HashedRow, unknown>>(
  row: R,
): Pick<R, keyof HashedRow> {
  return {
    entry_point: row.entry_point,
    action: row.action,
    actor_type: row.actor_type,
    actor_label: row.actor_label,
    agent_identifier: row.agent_identifier,
    api_key_id: row.api_key_id,
    customer_id: row.customer_id,
    target_type: row.target_type,
    target: row.target,
    result: row.result,
    status_code: row.status_code,
    error_code: row.error_code,
    metadata: row.metadata,
    created_at: row.created_at,
  }
}

/** Hex SHA-256 of the RFC 8785 form of the row's fields. */
function rowHash(row: HashedRow): string {
  return hash('sha256', canonicalJson(hashedFields(row)), 'hex')
}

function actorOf(caller: Acting): Actor {
  switch (caller.kind) {
    case 'anonymous':
      return { actor_type: 'anonymous', actor_label: null, api_key_id: null, customer_id: null }
    case 'operator':
      return {
        actor_type: 'operator',
        actor_label: caller.label,
        api_key_id: null,
        customer_id: null,
      }
    case 'customer_tool':
      return {
        actor_type: 'operator',
        actor_label: 'customer tool',
        api_key_id: null,
        customer_id: null,
      }
    case 'customer':
      return {
        actor_type: 'customer',
        actor_label: null,
        api_key_id: null,
        customer_id: caller.customer_id,
      }
    case 'api_key':
      return {
        actor_type: 'api_key',
        actor_label: caller.label,
        api_key_id: String(caller.key_id),
        customer_id: caller.customer_id,
      }
    case 'oauth_client':
      return {
        actor_type: 'oauth_client',
        actor_label: caller.label,
        api_key_id: null,
        customer_id: caller.customer_id,
      }
  }
}

type Draft = Pick<AuditContext, 'entry_point' | 'action' | 'agent_identifier' | 'now'> & {
  actor: Actor
}

const plainOrNull = (text: string | null | undefined) => (text == null ? null : plainText(text))

/**
 * A domain is stored by its canonical name, also in refused requests, so that its log finds them.
 */
function targetOf({ target_type, target }: AuditFacts): string | null {
  const name = target_type === 'domain' && target !== null ? parseHost(target) : undefined
  return name ?? plainOrNull(target)
}

function finish({ entry_point, action, agent_identifier, now, actor }: Draft, facts: AuditFacts) {
  const row: HashedRow = {
    entry_point,
    action,
    actor_type: actor.actor_type,
    actor_label: plainOrNull(actor.actor_label),
    agent_identifier: plainText(agent_identifier),
    api_key_id: actor.api_key_id,
    customer_id: plainOrNull(
      facts.customer_id === undefined ? actor.customer_id : facts.customer_id,
    ),
    target_type: facts.target_type,
    target: targetOf(facts),
    result: facts.result ?? 'success',
    status_code: facts.status_code ?? null,
    error_code: facts.error_code ?? null,
    metadata: plainMetadata(facts.metadata ?? {}),
    created_at: now.toISOString(),
  }
  return { ...row, row_hash: rowHash(row) } satisfies AuditRow
}

/**
 * The row of a call. Secrets never get into it: metadata and texts are redacted here, for every
 * caller.
 */
export function auditRowOf(context: AuditContext, facts: AuditFacts): AuditRow {
  const { caller } = context
  // An app may have the name of another app.
  const client = caller.kind === 'oauth_client' ? { oauth_client_id: caller.client_id } : {}
  const metadata = { ...facts.metadata, ...client }
  const { label } = context
  const actor = { ...actorOf(caller), ...(label !== undefined && { actor_label: label }) }
  return finish({ ...context, actor }, { ...facts, metadata })
}

/**
 * The row of an action of the registrar itself. `agent_identifier` names it; the entry point is a
 * job, unless another is given.
 */
export function systemAuditRow(
  context: Pick<AuditContext, 'action' | 'agent_identifier' | 'now'> & { entry_point?: EntryPoint },
  facts: AuditFacts,
): AuditRow {
  const actor: Actor = {
    actor_type: 'system',
    actor_label: null,
    api_key_id: null,
    customer_id: null,
  }
  return finish({ entry_point: 'job', ...context, actor }, facts)
}

// Redaction: facts as plain JSON that PostgreSQL can store, without secrets, as rows are permanent.
const redacted = '[redacted]'

// The last word of a key decides: new_password, access_token, registry_auth_code. api_key_id and
// error_code stay.
const secretKey =
  /^(.*_)?(auth_?(code|info)|pass(word|wd|phrase)?|pw|secret|token|credentials?|otp|ticket)$/
const secretName = /^(.*_)?((api|private|signing|access)_?key|authorization|cookie)$|^code$/
// Our own bearer secrets anywhere in a text, and the word that follows "Bearer".
const secretText =
  /\b(ar_live|ar_test|ops?|ses|pwt|whsec)_[0-9A-Za-z+/]{20,}=*|\bBearer\s+[\x21-\x7e]+/gi
const secretQuery = /([?&](?:token|code|ticket)=)[^&\s]+/gi

const deepest = 8
const longestText = 4_000
const mostItems = 500

function isSecret(key: string): boolean {
  const snake = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
  return secretKey.test(snake) || secretName.test(snake)
}

/** Text without secrets, U+0000 and lone surrogates, at most 4000 characters. */
function plainText(text: string): string {
  const open = text.replaceAll(secretText, redacted).replaceAll(secretQuery, `$1${redacted}`)
  const kept = open.length > longestText ? `${open.slice(0, longestText)}...` : open
  return kept.toWellFormed().replaceAll('\u0000', '\ufffd')
}

function plain(value: unknown, depth: number): Json | undefined {
  switch (typeof value) {
    case 'string':
      return plainText(value)
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'bigint':
      return String(value)
    case 'object':
      break
    default:
      return undefined
  }
  if (value === null) return null
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (depth >= deepest) return '[too deep]'
  if (Array.isArray(value))
    return value.slice(0, mostItems).map((one) => plain(one, depth + 1) ?? null)
  // Octets are hashes or secrets, and unreadable here.
  if (ArrayBuffer.isView(value)) return redacted
  return plainObject(value, depth)
}

function plainObject(value: object, depth: number): { [key: string]: Json } {
  const entries: [string, Json][] = []
  for (const [key, one] of Object.entries(value).slice(0, mostItems)) {
    const kept = isSecret(key) && one !== null ? redacted : plain(one, depth + 1)
    if (kept !== undefined) entries.push([plainText(key), kept])
  }
  return Object.fromEntries(entries)
}

/** Metadata as it may be stored: values of secret keys are replaced, bigints and dates are text. */
function plainMetadata(metadata: Record<string, unknown>): { [key: string]: Json } {
  return plainObject(metadata, 0)
}
