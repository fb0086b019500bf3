// Compares the balances of deposit addresses with the payments that were observed there: an
// endpoint may leave out a payment's logs. A missing one is looked for at every endpoint, and one
// that is not found is an alarm.
import {
  type AssetKey,
  type Gateway,
  GatewayUnavailable,
  type Holdings,
} from '../../../../adapters/gateway/port.ts'
import type { App } from '../../../../app.ts'
import type { Row } from '../../../../db/statement.ts'
import { receivedBy } from '../settling/ask-first.ts'
import { observe } from './observe.ts'
import { comparedCheckout, readCursor, seenUnits } from './watched.sql.ts'

type Compared = Row<'checkouts_claim_compared'>
type Comparing = { gateway: Gateway; holdings: Holdings; isThorough: boolean }

/** Returns the number of payments that were credited, and the checkouts that could not be read. */
export async function compareAll(
  app: App,
  rows: readonly Compared[],
  comparing: Comparing,
): Promise<{ credited: number; unread: string[] }> {
  let credited = 0
  const unread = new Set<string>()
  for (const key of comparing.holdings.compared)
    try {
      credited += await compareAsset(app, rows, { ...comparing, key })
    } catch (error) {
      if (!(error instanceof GatewayUnavailable)) throw error
      app.log.warn({ err: error, ...key }, 'balances not compared; they are compared again')
      for (const { id } of rows) unread.add(id)
    }
  return { credited, unread: [...unread] }
}

/**
 * Compares a checkout that was just read because of a hint. Returns the number of payments that
 * were credited.
 */
export async function compareOne(app: App, gateway: Gateway, id: string): Promise<number> {
  const { holdings, name } = gateway
  if (!holdings) return 0
  const now = app.clock.now()
  const row = await app.db.maybe(comparedCheckout, { id, gateway: name, now })
  if (!row) return 0
  return (await compareAll(app, [row], { gateway, holdings, isThorough: false })).credited
}

type Asking = Comparing & { key: AssetKey }

async function compareAsset(app: App, rows: readonly Compared[], asking: Asking): Promise<number> {
  const { key, holdings } = asking
  const references = rows.map(({ reference }) => reference)
  const balances = await holdings.balances(key, references)
  const seen = await unitsSeen(app, rows, key)
  let credited = 0
  for (const [at, row] of rows.entries()) {
    const balance = balances[at] ?? 0n
    const known = seen.get(row.id) ?? 0n
    // A payment after a collection is hidden where more was collected.
    const isMore = balance > known || (asking.isThorough && balance > 0n && balance < known)
    if (isMore) credited += await findMissing(app, row, { ...asking, known })
  }
  return credited
}

async function unitsSeen(app: App, rows: readonly Compared[], { asset, network }: AssetKey) {
  const checkout_ids = rows.map(({ id }) => id)
  const all = await app.db.run(seenUnits, { checkout_ids })
  const own = all.filter((one) => one.asset === asset && one.network === network)
  return new Map(own.map(({ checkout_id, units }) => [checkout_id, BigInt(units)]))
}

async function findMissing(
  app: App,
  row: Compared,
  { key, gateway, holdings, known }: Asking & { known: bigint },
): Promise<number> {
  const { id, reference, asset, network, pay_address, started_at: since } = row
  const holding = { ...key, reference, since }
  const received = (await receivedBy(holdings, holding, known + 1n)) ?? 0n
  if (received <= known) return 0
  const reported = await holdings.incoming(holding)
  const destination = { reference, asset, network, pay_address, reported }
  const cursor = (await app.db.maybe(readCursor, { gateway: gateway.name }))?.cursor ?? null
  const round = { gateway, destinations: [destination], known: [], cursor, version: null }
  const credited = await observe(app, round)
  const now = (await unitsSeen(app, [row], key)).get(id) ?? 0n
  if (received > now)
    app.log.error(
      {
        ...{ checkout_id: id, address: pay_address, ...key },
        ...{ received: String(received), seen: String(now), alarm: 'unseen_balance' },
      },
      'an address holds more than the payments that were seen there',
    )
  return credited
}
