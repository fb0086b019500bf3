// Inbox for the messages of a registry's queue: a message is stored with its effects in one
// transaction, so that a redelivery has no further effect.

import type { PollMessage, Registry, RegistryTransfer } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { json, type Params } from '../../../db/statement.ts'
import { isDatabaseOutage } from '../../../errors/classify.ts'
import { isDeleted } from '../holdings/deletion-time.ts'
import { noteTransferOut } from '../holdings/sync.sql.ts'
import { reportTransferRequest } from '../holdings/transfer-request.ts'
import {
  countFailure,
  expected,
  makeSyncDue,
  markHandled,
  noteDeletionOf,
  putMessage,
  wakeOrders,
} from './poll-messages.sql.ts'

export type ReceivedMessage = { registry: Registry; message: PollMessage }
/** A message that is `taken` may be acknowledged; with `again` it is to be delivered again. */
type Taking = { taken: 'now' | 'before' | 'given_up' | 'again' }

const most_failures = 5

/**
 * Makes a message durable with all of its effects, once. A message whose effects fail is delivered
 * again; after five failures it is stored with its error, raises an alarm, and is removed from the
 * queue. Throws if the database is unreachable.
 */
export async function takeMessage(app: App, received: ReceivedMessage): Promise<Taking> {
  const { message, registry } = received
  const facts = { registry: registry.profile.name, message: message.id, text: message.text }
  try {
    const { before, orphan } = await app.db.transaction((sql) => handle(app, sql, received))
    if (orphan !== null) {
      const alarm = { domain: orphan, alarm: 'domain_arrived_without_order' }
      app.log.error({ ...facts, ...alarm }, without_order)
    }
    if (!before && message.about.kind === 'other')
      app.log.error({ ...facts, alarm: 'registry_message_unknown' }, 'unknown registry message')
    return { taken: before ? 'before' : 'now' }
  } catch (error) {
    if (isDatabaseOutage(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    const { failures } = await app.db.one(countFailure, { ...rowOf(received), last_error: why })
    app.log.error({ ...facts, err: error, failures }, 'registry message not handled')
    if (failures < most_failures) return { taken: 'again' }
    app.log.error(
      { ...facts, alarm: 'registry_message_failed' },
      'registry message needs manual review',
    )
    return { taken: 'given_up' }
  }
}

const without_order = 'it was bought here, and there is no order for it, and no holding'

/** `before`: the message was handled before. `orphan`: a bought domain belongs to no customer. */
type Handled = { before: boolean; orphan: string | null }

async function handle(
  app: App,
  sql: Sql,
  { registry, message }: ReceivedMessage,
): Promise<Handled> {
  const stored = await sql.one(putMessage, rowOf({ registry, message }))
  if (stored.handled) return { before: true, orphan: null }
  const bought = boughtBy({ registry, message })
  const orphan = bought && !(await sql.one(expected, { domain: bought })).expected ? bought : null
  const domain = subjectOf(message)
  const { about } = message
  const transfer = about.kind === 'transfer' ? about.transfer : null
  const last_error = orphan === null ? null : without_order
  await Promise.all([
    sql.run(wakeOrders, { registry: registry.profile.name, domain, id: orderOf(message) }),
    domain && sql.run(makeSyncDue, { name: domain, sync_at: soon(app) }),
    transfer && noteTransfer(app, sql, { registry, transfer }),
    noteDeleted(sql, message),
    sql.run(markHandled, { id: stored.id, received_at: stored.received_at, last_error }),
  ])
  return { before: false, orphan }
}

/**
 * The domain is read at once, outside the transaction; if that fails, the periodic sync does it.
 */
const soon_ms = 30_000

function soon({ calendar }: App): Date {
  return new Date(calendar.now().getTime() + soon_ms)
}

/** The name that a message is about. */
export function subjectOf({ about }: PollMessage): string | null {
  switch (about.kind) {
    case 'transfer':
      return about.transfer.domain
    case 'domain':
      return about.domain.domain
    case 'pending_action':
    case 'renewal':
    case 'other':
      return about.domain
  }
}

const ourTrid = /^(ord_[0-9a-hjkmnp-tv-z]{26})-/

/** The order whose attempt `<order>-<n>-<rand>` the message answers. */
function orderOf({ about }: PollMessage): string | null {
  if (about.kind !== 'pending_action' || about.cl_trid === null) return null
  return ourTrid.exec(about.cl_trid)?.[1] ?? null
}

/** The domain that a paid command of ours has brought, by this message. */
function boughtBy({ registry, message }: ReceivedMessage): string | null {
  const { about } = message
  if (about.kind === 'pending_action')
    return about.done && orderOf(message) !== null ? about.domain : null
  if (about.kind !== 'transfer') return null
  const { status, requested_by, domain } = about.transfer
  const approved = status === 'clientApproved' || status === 'serverApproved'
  return approved && requested_by === registry.profile.client_id ? domain : null
}

/** Notes a deletion: a message that shows a name as deleted was queued at that time or later. */
async function noteDeleted(sql: Sql, { about, queued_at }: PollMessage): Promise<void> {
  if (about.kind !== 'domain' || !isDeleted(about.domain)) return
  if (about.domain.rgp_statuses.includes('pendingRestore')) return
  const at = dateOf(queued_at) ?? dateOf(about.domain.updated_at)
  if (at) await sql.run(noteDeletionOf, { name: about.domain.domain, deleted_at: at })
}

type Noted = { registry: Registry; transfer: RegistryTransfer }

/** Notes that another registrar requests a name that we hold, or no longer does. */
async function noteTransfer(app: App, sql: Sql, { registry, transfer }: Noted): Promise<void> {
  const { domain, requested_by, status } = transfer
  if (requested_by === registry.profile.client_id) return
  if (status === 'pending') await reportTransferRequest(app, sql, transfer)
  else await sql.run(noteTransferOut, { name: domain, transfer_out: null })
}

function rowOf({ registry, message }: ReceivedMessage): Params<'registry_messages_put'> {
  const { id, queued_at, text, about, raw } = message
  return {
    registry: registry.profile.name,
    msg_id: id,
    queued_at: dateOf(queued_at),
    text: storable(text),
    kind: about.kind,
    domain: subjectOf(message),
    parsed: json(withoutSecret(about)),
    raw: storable(redacted(raw)),
    recognized: about.kind !== 'other',
  }
}

function dateOf(text: string | null): Date | null {
  const date = new Date(text ?? '')
  return Number.isNaN(date.getTime()) ? null : date
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd')
}

function withoutSecret(about: PollMessage['about']): PollMessage['about'] {
  if (about.kind !== 'domain') return about
  return { ...about, domain: { ...about.domain, auth_info: null } }
}

const secretElement = /<((?:[\w.-]+:)?authInfo)\b[^>]*>[\s\S]*?<\/\1\s*>/g

/** The XML with every authInfo element emptied, because its content opens domains (RFC 9154). */
export function redacted(raw: string): string {
  return raw.replaceAll(secretElement, '<$1/>')
}
