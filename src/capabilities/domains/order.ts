// An order: what was decided to buy, kept so that a later attempt can send the same again.
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Row } from '../../db/statement.ts'
import { nullable } from '../../kit/schema.ts'
import { randomBase62 } from '../../kit/secret.ts'
import { contactIds } from './shapes.ts'

/**
 * What a register order sends. `fee` is acknowledged to the registry, so that another price
 * refuses, never charges.
 */
export const registerCommand = Type.Object({
  period_years: Type.Integer({ minimum: 1, maximum: 10 }),
  nameservers: Type.Array(Type.String()),
  contacts: contactIds,
  fee: nullable(Type.Object({ currency: Type.String(), amount: Type.String() })),
})
export type RegisterOrder = Static<typeof registerCommand>
const readCommand = Compile(registerCommand)

export type Order = Row<'orders_by_id'>

/** The command of a register order as it was stored. */
export function registerOrderOf(order: Pick<Order, 'command'>): RegisterOrder {
  return readCommand.Parse(order.command)
}

/**
 * One sending of an order: a clTRID of its own, and authorization information that only this
 * attempt knows.
 */
export type Attempt = { number: number; cl_trid: string; auth_info: string; fingerprint: string }

/**
 * RFC 9154 section 4: random, at least 128 bits; "-" and "!" for registries that want more than
 * letters and digits.
 */
export function newAttempt(orderId: string, number: number): Attempt {
  const authInfo = `${randomBase62(22)}-${randomBase62(2)}!`
  return {
    number,
    cl_trid: `${orderId}-${number}-${randomBase62(8)}`,
    auth_info: authInfo,
    fingerprint: fingerprintOf(authInfo),
  }
}

/** SHA-256 of authorization information: all that is kept of it. */
export function fingerprintOf(authInfo: string): string {
  return createHash('sha256').update(authInfo).digest('hex')
}

/** SHA-256 over the RFC 8785 form of any JSON: two requests are the same when these are. */
export function digestOf(facts: unknown): string {
  return createHash('sha256')
    .update(canonicalize(facts) ?? '')
    .digest('hex')
}

/** Milliseconds until an order is tried again: 1 s, 2 s, 4 s ... 5 min. */
export function waitBefore(attempt: number): number {
  return Math.min(1000 * 2 ** Math.min(attempt - 1, 20), 300_000)
}

/** An order that is still open after this long rings an alarm. */
export const alarmAfterMs = 15 * 60_000
