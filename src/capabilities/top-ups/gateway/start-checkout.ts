// Creates a checkout and starts it. The row exists before the gateway is asked, and opening it
// there again gives the same answer, so a crash between the two loses nothing and uses no second
// address.
import {
  type Asset,
  type AssetKey,
  type Destination,
  type Gateway,
  GatewayUnavailable,
} from '../../../adapters/gateway/port.ts'
import type { App, Call } from '../../../app.ts'
import { type Currency, currencies } from '../../../kit/money.ts'
import { type CheckoutId, type CustomerId, newId } from '../../../kit/random.ts'
import { wordOf } from '../../../kit/schema.ts'
import { take } from '../../../rate-limits/leaky-buckets.ts'
import { storeAuditRow } from '../../audit/index.ts'
import {
  assetNotOffered,
  checkoutStarted,
  gatewayUnavailable,
  startsLimited,
  tooManyTopUps,
  topUpNotFound,
} from './checkout-faults.ts'
import { gatewayOf } from './checkout-rows.ts'
import {
  insertTopUp,
  lockOwner,
  startCheckout,
  type TopUpRow,
  topUpOfCustomer,
} from './checkouts.sql.ts'

const minute_ms = 60_000
const day_ms = 86_400_000
const later = (date: Date, ms: number) => new Date(date.getTime() + ms)

/** The result, or `gateway_unavailable` (503) in place of GatewayUnavailable. */
export async function fromGateway<T>(asked: Promise<T>, facts: object = {}): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    throw gatewayUnavailable({ retry_after_s: 10, cause: error, facts: { ...facts } })
  }
}

/** Throws topUpNotFound, also for another customer's. */
export async function checkoutOfCall(call: Call, id: CheckoutId): Promise<TopUpRow> {
  const { customer_id } = call
  const row = await call.sql.maybe(topUpOfCustomer, { id, customer_id })
  if (row) return row
  throw topUpNotFound()
}

type Asked = { amount_cents: number; currency: Currency }

/** Creates the checkout with its audit row. */
export async function newCheckout(app: App, call: Call, asked: Asked): Promise<TopUpRow> {
  const { customer_id } = call
  const { checkout_minutes, checkouts_open: most_open } = app.settings
  const { name: gateway } = gatewayOf(app)
  const { amount_cents, currency } = asked
  return app.db.transaction(async (sql) => {
    await sql.one(lockOwner, { customer_id })
    const row = await sql.maybe(insertTopUp, {
      id: newId('chk'),
      customer_id,
      gateway,
      amount: BigInt(amount_cents),
      currency,
      expires_at: later(app.clock.now(), checkout_minutes * minute_ms),
      most_open,
    })
    if (!row) throw tooManyTopUps({ facts: { most_open } })
    const facts = { target_type: 'checkout', target: row.id, status_code: 200 }
    await storeAuditRow(sql, call.auditRow({ ...facts, metadata: { amount_cents, currency } }))
    return row
  })
}

type Wanted = { asset: string; network?: string | undefined }

/**
 * Starts it with its audit row. A repeated start gives the same answer; another asset throws
 * checkoutStarted.
 */
export async function startRow(
  app: App,
  call: Call,
  { row, wanted }: { row: TopUpRow; wanted: Wanted },
): Promise<TopUpRow> {
  const started = startedAs(row, wanted)
  if (started) return started
  const gateway = gatewayOf(app)
  if (row.gateway !== gateway.name)
    throw checkoutStarted({ detail: 'It was created for another payment gateway.' })
  const facts = { checkout_id: row.id }
  const asset = chosen(await fromGateway(gateway.assets(), facts), wanted)
  await limitStarts(app, row.customer_id)
  const now = app.clock.now()
  const expires_at = later(now, app.settings.checkout_minutes * minute_ms)
  const opened = await fromGateway(openAt(gateway, row, { asset, expires_at }), facts)
  app.reached?.('checkout_opened')
  const change = changeOf(app, { row, asset, opened, expires_at, now })
  const changed = await app.db.transaction(async (sql) => {
    const changed = await sql.maybe(startCheckout, change)
    if (changed) await storeAuditRow(sql, call.auditRow(startFacts(changed)))
    return changed
  })
  app.reached?.('checkout_started')
  if (changed) return changed
  const { id, customer_id } = row
  const other = startedAs(await app.db.one(topUpOfCustomer, { id, customer_id }), wanted)
  if (other) return other
  throw checkoutStarted()
}

const startFacts = ({ id, asset, network }: TopUpRow) => ({
  action: 'start_top_up',
  target_type: 'checkout',
  target: id,
  status_code: 200,
  metadata: { asset, network },
})

/** Undefined if it can be started. */
function startedAs(row: TopUpRow, { asset, network }: Wanted): TopUpRow | undefined {
  if (row.started_at === null && row.status === 'created') return undefined
  const isSame = row.asset === asset && (network === undefined || row.network === network)
  if (row.started_at !== null && isSame) return row
  throw checkoutStarted()
}

/** Without a network it is the one that has the asset. Throws assetNotOffered. */
function chosen(assets: readonly Asset[], { asset, network }: Wanted): Asset {
  const found = assets.filter(
    (one) => one.asset === asset && (network === undefined || one.network === network),
  )
  const [only] = found
  if (only && found.length === 1) return only
  const offered = assets.map((one) => ({ asset: one.asset, network: one.network }))
  const isOpen = found.length > 1
  throw assetNotOffered({
    ...(isOpen ? { detail: `${asset} is on several networks: name one.` } : {}),
    facts: { assets: offered },
  })
}

/** Each start spends an address. */
async function limitStarts(app: App, customer_id: CustomerId): Promise<void> {
  const { checkouts_open } = app.settings
  const bucket = { key: `top-ups:${customer_id}`, most: 3 * checkouts_open, drain_s: 60 }
  const wait_s = await take(app.db, [bucket])
  if (wait_s > 0) throw startsLimited({ retry_after_s: wait_s })
}

type Opening = { asset: Asset; expires_at: Date }

async function openAt(
  gateway: Gateway,
  row: TopUpRow,
  { asset, expires_at }: Opening,
): Promise<Destination> {
  const { id: checkout_id, amount: amount_cents, currency } = row
  const key: AssetKey = { asset: asset.asset, network: asset.network }
  const opened = await gateway.open({
    ...key,
    checkout_id,
    currency: wordOf(currencies, currency),
    amount_cents,
    expires_at,
  })
  // Its answer is shown to a payer, so it must be about the requested asset.
  const isAsked = opened.asset === key.asset && opened.network === key.network
  if (!isAsked || opened.pay_amount <= 0n || opened.quote.units <= 0n || opened.quote.cents <= 0n)
    throw new GatewayUnavailable('the gateway opened another checkout than requested')
  return opened
}

type Started = { row: TopUpRow; asset: Asset; opened: Destination; expires_at: Date; now: Date }

function changeOf(app: App, { row, asset, opened, expires_at, now }: Started) {
  const { checkout_watch_days, checkout_watch_seconds } = app.settings
  return {
    id: row.id,
    now,
    expires_at,
    watched_until: later(expires_at, checkout_watch_days * day_ms),
    look_at: gatewayOf(app).reads_on ? null : later(now, checkout_watch_seconds * 1_000),
    asset: asset.asset,
    network: asset.network,
    decimals: asset.decimals,
    is_pegged: asset.pegged_to === row.currency,
    required_confirmations: asset.required_confirmations,
    reference: opened.reference,
    pay_address: opened.pay_address,
    pay_amount: String(opened.pay_amount),
    payment_uri: opened.payment_uri,
    page_url: opened.page_url ?? null,
    quote_units: String(opened.quote.units),
    quote_cents: String(opened.quote.cents),
  }
}
