// Observes checkouts at their gateway, and stores the payments that it shows in one transaction;
// settling them is another one. An answer is compared with the question before it is stored.

import {
  type Gateway,
  GatewayUnavailable,
  type Observation,
  type ObservedPayment,
  type ObserveInput,
} from '../../../../adapters/gateway/port.ts'
import type { App } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import type { Row } from '../../../../db/statement.ts'
import { json } from '../../../../db/statement.ts'
import type { CheckoutId } from '../../../../kit/random.ts'
import { settleLater } from '../checkouts.sql.ts'
import { alarmParked, settleCheckout } from '../settling/settle-checkout.ts'
import { withFormerIds } from './former-ids.ts'
import {
  lockCheckoutsOf,
  observeNoLaterThan,
  parkChanged,
  storeCursor,
  storedPayments,
  storePayments,
} from './watched.sql.ts'

type Destinations = ObserveInput['destinations']
type Known = Row<'checkout_payments_known'>

type Round = {
  gateway: Gateway
  destinations: Destinations
  known: readonly Known[]
  cursor: string | null
  /** The version of the cursor, if it is to be replaced. */
  version: bigint | null
  /**
   * Checkouts to be settled even if nothing has changed. They are settled once, since a quote may
   * be requested.
   */
  settled_anyway?: readonly string[]
}

/** Rejects with GatewayUnavailable. Returns the number of payments that were credited. */
export async function observe(app: App, round: Round): Promise<number> {
  const { gateway, destinations, cursor } = round
  const observed_at = app.clock.now()
  // A gateway that shows all payments of a checkout need not show those that are gone.
  const looked = round.known.filter(({ is_gone }) => gateway.reads_on || !is_gone)
  const known = looked.map(({ block_number: number, block_hash: hash, ...payment }) => ({
    ...payment,
    amount: BigInt(payment.amount),
    block: number === null || hash === null ? null : { number, hash },
  }))
  const observation = await gateway.observe({ destinations, known, cursor })
  const changed = await storeObservation(app, { round, observation, observed_at })
  app.reached?.('payments_observed')
  let credited = 0
  const ids = new Set([...changed, ...(round.settled_anyway ?? [])])
  for (const id of ids) credited += await settleCheckout(app, id)
  return credited
}

type Observed = { round: Round; observation: Observation; observed_at: Date }

/** The checkouts that have something new. */
async function storeObservation(app: App, observed: Observed): Promise<string[]> {
  const { round, observation, observed_at } = observed
  const { payments, cursor } = observation
  const { name: gateway } = round.gateway
  const decimalsOf = await listedDecimals(round, payments)
  const { changed, parked, unknown, going } = await app.db.transaction(async (sql) => {
    const references = [...new Set(payments.map(({ reference }) => reference))]
    const rows =
      references.length > 0 ? await sql.run(lockCheckoutsOf, { gateway, references }) : []
    const checkouts = new Map(rows.map((row) => [row.reference, row]))
    const unknown = payments.filter(({ reference }) => !checkouts.has(reference))
    const observed = payments.flatMap((payment) => {
      const checkout = checkouts.get(payment.reference)
      if (!checkout) return []
      const isAgreed = checkout.asset === payment.asset && checkout.network === payment.network
      const decimals = isAgreed ? checkout.decimals : decimalsOf(payment)
      return [recordOf(payment, { checkout_id: checkout.id, decimals, observation })]
    })
    const records = await withStoredIds(sql, observed)
    const stored = json(records)
    const ids = records.map(({ id }) => id)
    const parked = records.length > 0 ? await sql.run(parkChanged, { payments: stored, ids }) : []
    // A little less, so that each round counts.
    const apart_ms = app.settings.checkout_watch_seconds * 800
    const rowsChanged =
      records.length > 0
        ? await sql.run(storePayments, { payments: stored, observed_at, apart_ms })
        : []
    const going = rowsChanged.filter(({ is_going }) => is_going)
    const changed = [...new Set([...rowsChanged, ...parked].map((row) => row.checkout_id))]
    if (changed.length > 0) await sql.run(settleLater, { ids: changed, settle_at: observed_at })
    if (round.version !== null)
      await sql.run(storeCursor, { gateway, cursor, version: round.version, observed_at })
    return { changed, parked, unknown, going }
  })
  await noteGoing(app, { round, observation, going })
  for (const { id, checkout_id } of parked)
    alarmParked(app, checkout_id, { payment: { id }, reason: 'facts_changed' })
  for (const { id } of unknown)
    app.log.error(
      { payment_id: id, alarm: 'payment_of_unknown_checkout' },
      'payment of an unknown checkout',
    )
  return changed
}

type Going = {
  round: Round
  observation: Observation
  going: readonly Row<'checkout_payments_store'>[]
}

/**
 * Credited payments that are shown as gone raise an alarm at the first reading, long before the
 * reversal, and are read again soon.
 */
async function noteGoing(app: App, { round, observation, going }: Going): Promise<void> {
  const { name: gateway, reads_on } = round.gateway
  for (const { id, checkout_id, gone_readings } of going) {
    const { why_gone } = observation.payments.find((one) => one.id === id) ?? {}
    const facts = { checkout_id, payment_id: id, why_gone, alarm: 'payment_may_be_gone' }
    if (gone_readings === 1) app.log.error(facts, 'a credited payment is shown as gone')
    if (reads_on) continue
    const at = new Date(app.clock.now().getTime() + app.settings.checkout_watch_seconds * 1_000)
    await app.db.run(observeNoLaterThan, { id: checkout_id, gateway, at })
  }
}

type StoredRecord = ReturnType<typeof recordOf>

/** Payments that were stored before keep their ids. */
async function withStoredIds(sql: Sql, records: readonly StoredRecord[]): Promise<StoredRecord[]> {
  if (records.length === 0) return []
  const stored = await sql.run(storedPayments, {
    checkout_ids: [...new Set(records.map(({ checkout_id }) => checkout_id))],
    transaction_ids: [...new Set(records.map(({ transaction_id }) => transaction_id))],
  })
  return withFormerIds(records, stored)
}

type Stored = { checkout_id: CheckoutId; decimals: number | null; observation: Observation }

function recordOf(payment: ObservedPayment, { checkout_id, decimals, observation }: Stored) {
  const { id, asset, network, transaction_id, state, confirmations, value } = payment
  const withheld = (observation.withheld ?? []).find(
    (one) => one.asset === asset && one.network === network,
  )
  return {
    id,
    checkout_id,
    asset,
    network,
    decimals,
    transaction_id,
    amount: String(payment.amount),
    state,
    confirmations,
    value_currency: value?.currency ?? null,
    value_cents: value === null ? null : String(value.cents),
    withheld: withheld?.reason ?? null,
    at: payment.at.toISOString(),
    block_number: payment.block === null ? null : String(payment.block.number),
    block_hash: payment.block?.hash ?? null,
  }
}

/** Requested only if a payment is not in the agreed asset. */
async function listedDecimals(
  { gateway, destinations }: Round,
  payments: readonly ObservedPayment[],
): Promise<(payment: ObservedPayment) => number | null> {
  const agreed = new Map(destinations.map((one) => [one.reference, one]))
  const isOther = ({ reference, asset, network }: ObservedPayment) => {
    const destination = agreed.get(reference)
    return destination?.asset !== asset || destination.network !== network
  }
  const assets = payments.some(isOther) ? await gateway.assets() : []
  return ({ asset, network }) =>
    assets.find((one) => one.asset === asset && one.network === network)?.decimals ?? null
}

/**
 * One that cannot be read must not delay the others. Returns the number of payments that were
 * credited.
 */
export async function observeEach(app: App, round: Round): Promise<number> {
  try {
    return await observe(app, round)
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    if (round.destinations.length <= 1) {
      const [one] = round.destinations
      const facts = { err: error, reference: one?.reference, alarm: 'gateway_unavailable' }
      app.log.error(facts, 'the gateway cannot be read')
      return 0
    }
    let credited = 0
    for (const destination of round.destinations) {
      const known = round.known.filter(({ reference }) => reference === destination.reference)
      credited += await observeEach(app, { ...round, destinations: [destination], known })
    }
    return credited
  }
}
