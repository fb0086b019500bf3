// The types of orders, and the stored command of each, for resending.

import Type, { type Static } from 'typebox'
import type { Glue } from '../../../adapters/registry/port.ts'
import type { AuditFacts } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { backoffMs } from '../../../kit/concurrency/backoff.ts'
import type { CustomerId, DomainName } from '../../../kit/random.ts'
import { compile, nullable } from '../../../kit/schema.ts'
import { contactIds } from '../schemas.ts'

export const orderTypes = ['register', 'renew', 'transfer', 'restore'] as const
export type OrderType = (typeof orderTypes)[number]

/** The fee that is acknowledged to the registry, so that it refuses another price. */
const fee = nullable(Type.Object({ currency: Type.String(), amount: Type.String() }))
const glue = Type.Record(Type.String(), Type.Array(Type.String()))
const years = Type.Integer({ minimum: 1, maximum: 10 })

/** The command of a register order. */
export const registerCommand = Type.Object({
  period_years: years,
  nameservers: Type.Array(Type.String()),
  /** The addresses of name servers below the name. */
  glue: Type.Optional(glue),
  /**
   * The `nameservers` that are host objects below the name. They are left out of the create, and
   * made and set once the name exists (RFC 5732 section 3.2.1).
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
  /** `expiry` before the order (ISO 8601). */
  paid_until: Type.String(),
  /** `registry_expiry` before the order, whose day is the fence (RFC 5731 curExpDate). */
  registry_expiry: Type.String(),
  /** The years that are sent, which may be 0. */
  send_years: Type.Integer({ minimum: 0, maximum: 10 }),
  fee,
  /** Set if no request waits for the answer, so that the owner is notified by mail. */
  automatic: Type.Optional(Type.Boolean()),
})
export type RenewOrder = Static<typeof renewCommand>

/** The command of a transfer in; its authorization information is encrypted beside it. */
export const transferCommand = Type.Object({
  period_years: years,
  /** The years that the registry adds, if they are not `period_years`. */
  years_added: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  /** Set if its request names no period. */
  without_period: Type.Optional(Type.Literal(true)),
  /** The name servers to set once the domain is ours; null leaves its present ones. */
  nameservers: nullable(Type.Array(Type.String())),
  /** The addresses of name servers below the name. */
  glue: Type.Optional(glue),
  /**
   * The present name servers, read before the order, for a registry that takes them with the
   * request, so that none are left to be set afterwards.
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
  /** `expiry` before the order (ISO 8601). */
  paid_until: Type.String(),
  /** `registry_expiry` before the order; orders from older versions lack it. */
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
 * One sending of an order, with a clTRID of its own, and authorization information that only this
 * attempt knows.
 */
export type Attempt = { number: number; cl_trid: string; auth_info: string; fingerprint: string }

/** An Idempotency-Key with the digest of its request: method, path and body. */
export type IdempotencyKey = { key: string; digest: string }

/** Milliseconds until an order is tried again: 1 s, 2 s, 4 s ... 5 min. */
export function waitBefore(attempt: number): number {
  return backoffMs(attempt, { first_ms: 1_000, longest_ms: 300_000 })
}

/**
 * Milliseconds until an order that the registry has accepted is read again: a quarter of its age, 1
 * s to 5 min. The registry's own message (poll) usually comes first.
 */
export function waitForRegistry(ageMs: number): number {
  return Math.min(Math.max(1000, Math.round(ageMs / 4)), 300_000)
}

/** Any other order that is still open after this time raises an alarm. */
export const alarmAfterMs = 15 * 60_000
/**
 * An order that the registry has accepted (1001) and not ended after this time raises an alarm. A
 * transfer takes five days if the other registrar does not decide.
 */
export const acceptedAlarmAfterMs = 7 * 86_400_000

export function auditTarget(order: { domain: DomainName; customer_id: CustomerId }): AuditFacts {
  return { target_type: 'domain', target: order.domain, customer_id: order.customer_id }
}
