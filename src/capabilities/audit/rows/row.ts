// Audit rows, pure: actor, action, target and result, and the hash that detects any later change.
import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { AuditFacts, AuditRow, Caller, EntryPoint } from '../../../app.ts'
import { parseHost } from '../../../kit/net/host.ts'
import { plainMetadata, plainText } from './redact.ts'

/** A caller; or an authenticated person who called no operation: a page's form. */
type Acting = Caller | { kind: 'customer'; customer_id: string }

/** The context of a call before its outcome. */
export type AuditContext = {
  entry_point: EntryPoint
  action: string
  caller: Acting
  agent_identifier: string
  now: Date
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
 * a number or null, `created_at` UTC in milliseconds ("2026-01-31T09:00:00.000Z"), what is absent
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
  return finish({ ...context, actor: actorOf(context.caller) }, facts)
}

/** The row of the registrar's own action, e.g. a job; `agent_identifier` names the job. */
export function systemAuditRow(
  context: Pick<AuditContext, 'action' | 'agent_identifier' | 'now'>,
  facts: AuditFacts,
): AuditRow {
  const actor: Actor = {
    actor_type: 'system',
    actor_label: null,
    api_key_id: null,
    customer_id: null,
  }
  return finish({ ...context, entry_point: 'job', actor }, facts)
}
