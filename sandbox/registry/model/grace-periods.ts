// Grace periods: the days in which a paid effect can still be refunded (RFC 3915).

import { parseCents } from '../../support/money.ts'
import { DAY_MS } from '../../support/sandbox-clock.ts'
import type { Domain, Grace } from './records.ts'
import type { Registry } from './registry.ts'

const GRACE_DAYS = { add: 5, renew: 5, auto_renew: 45, transfer: 5 } as const

export function graceOf(
  kind: Grace['kind'],
  at: number,
  paid: { effect: string; years: number },
): Grace {
  return { kind, ends_at: at + GRACE_DAYS[kind] * DAY_MS, ...paid }
}

/** The grace periods that have not ended. */
export function liveGraces(domain: Domain, now: number): Grace[] {
  return domain.graces.filter((grace) => grace.ends_at > now)
}

/** Refunds a grace period's effect and returns the cents; the caller subtracts the years. */
export function refund(
  registry: Registry,
  grace: Grace,
  by: { at: number; cl_trid: string | null },
): number {
  const effect = registry.store.tables.effect.get(grace.effect)
  if (effect === undefined) throw new Error(`no effect ${grace.effect}`)
  const cents = parseCents(effect.fee) ?? 0
  registry.charge({
    registrar: effect.registrar,
    kind: 'refund',
    domain: effect.domain,
    years: grace.years,
    cents,
    refunds: effect.id,
    ...by,
  })
  return cents
}
