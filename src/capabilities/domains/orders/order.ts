// The types of orders, and the stored command of each, for resending.
import Type, { type Static } from 'typebox'
import type { Glue } from '../../../adapters/registry/port.ts'
import type { AuditFacts } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { backoffMs } from '../../../kit/concurrency/backoff.ts'
import { compile, nullable } from '../../../kit/schema.ts'
import { contactIds } from '../schemas.ts'

export const orderTypes = ['register', 'renew', 'transfer', 'restore'] as const
export type OrderType = (typeof orderTypes)[number]

/** Acknowledged to the registry, so that another price refuses, never charges. */
const fee = nullable(Type.Object({ currency: Type.String(), amount: Type.String() }))
const glue = Type.Record(Type.String(), Type.Array(Type.String()))
const years = Type.Integer({ minimum: 1, maximum: 10 })

/** The command of a register order. */
export const registerCommand = Type.Object({
  period_years: years,
  nameservers: Type.Array(Type.String()),
  /** Addresses of those below the name. */
  glue: Type.Optional(glue),
  /**
   * Those of `nameservers` that are host objects below the name: left out of the create, made and
   * set once the name exists (RFC 5732 section 3.2.1).
   */
  after_create: Type.Optional(Type.Array(Type.String())),
  contacts: contactIds,
  fee,
})
export type RegisterOrder = Static<typeof registerCommand>

/**
 * The command of a renew order. The registry may have auto-renewed a year already: that one
 * is paid and not sent.
 */
export const renewCommand = Type.Object({
  /** The years that the customer pays for. */
  period_years: years,
  /** `expiry` before it (ISO 8601). */
  paid_until: Type.String(),
  /** `registry_expiry` before it: its day is the fence (RFC 5731 curExpDate). */
  registry_expiry: Type.String(),
  /** The years that are sent; 0: none. */
  send_years: Type.Integer({ minimum: 0, maximum: 10 }),
  fee,
  /** No request waits for the answer: the owner is notified by mail. */
  automatic: Type.Optional(Type.Boolean()),
})
export type RenewOrder = Static<typeof renewCommand>

/** The command of a transfer in; its authorization information is encrypted beside it. */
export const transferCommand = Type.Object({
  period_years: years,
  /** The years that the registry adds, where they are not `period_years`. */
  years_added: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  /** Its request names no period. */
  without_period: Type.Optional(Type.Literal(true)),
  /** Set once the domain is ours; null leaves those that it has. */
  nameservers: nullable(Type.Array(Type.String())),
  /** Addresses of those below the name. */
  glue: Type.Optional(glue),
  /**
   * Those that the name is delegated to, read before the order, for a registry that takes them
   * with the request; nothing is left to be set afterwards.
   */
  kept: Type.Optional(Type.Object({ nameservers: Type.Array(Type.String()), glue })),
  contacts: contactIds,
  fee,
  /** The digest and number of the records that it brings, which are stored beside the order. */
  records: Type.Optional(Type.Object({ digest: Type.String(), sets_total: Type.Integer() })),
})
export type TransferOrder = Static<typeof transferCommand>

export function yearsAdded({ years_added, period_years }: TransferOrder): number {
  return years_added ?? period_years
}

/** The command of a restore. */
export const restoreCommand = Type.Object({
  /** `expiry` before it (ISO 8601). */
  paid_until: Type.String(),
  /** `registry_expiry` before it; orders from older versions lack it. */
  registry_expiry: Type.Optional(Type.String()),
  period_years: years,
  fee,
})
export type RestoreOrder = Static<typeof restoreCommand>

export type Order = Row<'orders_by_id'>

const glueOfOrder = compile(Type.Object({ glue: Type.Optional(glue) }))

/** Addresses of name servers below the name, as they were ordered. */
export function orderedGlue(command: unknown): Glue {
  return glueOfOrder.parse(command ?? {}).glue ?? {}
}

/**
 * One sending of an order: a clTRID of its own, and authorization information that only this
 * attempt knows.
 */
export type Attempt = { number: number; cl_trid: string; auth_info: string; fingerprint: string }

/** An Idempotency-Key with the digest of what it stands for: method, path and body. */
export type IdempotencyKey = { key: string; digest: string }

/** Milliseconds until an order is tried again: 1 s, 2 s, 4 s ... 5 min. */
export function waitBefore(attempt: number): number {
  return backoffMs(attempt, { first_ms: 1_000, longest_ms: 300_000 })
}

/**
 * Milliseconds until an order that the registry has accepted is read again: a quarter of its age, 1
 * s to 5 min. The registry's own message (poll) comes first as a rule.
 */
export function waitForRegistry(ageMs: number): number {
  return Math.min(Math.max(1000, Math.round(ageMs / 4)), 300_000)
}

/** Any other order that is still open after this time raises an alarm. */
export const alarmAfterMs = 15 * 60_000
/**
 * An order that the registry has accepted (1001) and not ended after this time raises an alarm. A
 * transfer takes five days when the other registrar does not decide.
 */
export const acceptedAlarmAfterMs = 7 * 86_400_000

export function auditTarget(order: { domain: string; customer_id: string }): AuditFacts {
  return { target_type: 'domain', target: order.domain, customer_id: order.customer_id }
}
