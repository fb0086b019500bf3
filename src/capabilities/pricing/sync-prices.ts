// Syncs the price table with the registries' present charges: POST /v1/pricing/tlds/sync.
import Type, { type Static } from 'typebox'
import type { Registry } from '../../adapters/registry/port.ts'
import { type App, type Call, operation, operatorOnly } from '../../app.ts'
import { currencies, formatAmount } from '../../kit/money.ts'
import { amount, dateTime, oneOf } from '../../kit/schema.ts'
import { storeAuditRow } from '../audit/index.ts'
import { actions, type Comparison, compare, priceTld, type TldPrice } from './price.ts'
import { lockPrices, putPrices } from './prices.sql.ts'

const tld = Type.String({ description: 'The TLD without its dot.' })
const response = Type.Object(
  {
    added: Type.Array(
      Type.Object({
        tld,
        action: oneOf(actions),
        currency: oneOf(currencies),
        price: amount('The price, where there was none before.'),
      }),
    ),
    changed: Type.Array(
      Type.Object({
        tld,
        action: oneOf(actions),
        currency: oneOf(currencies),
        old: amount('The price before.'),
        new: amount('The price now.'),
      }),
    ),
    unchanged: Type.Integer({ description: 'The number of unchanged prices.' }),
    failed: Type.Array(
      Type.Object({
        tld,
        reason: Type.String({ description: 'The reason. The old prices stay.' }),
      }),
    ),
    synced_at: dateTime('When the registries were read.'),
  },
  { title: 'TldPricingSyncResponse' },
)
export type SyncReport = Static<typeof response>

export const syncTldPrices = operation({
  name: 'sync_tld_prices',
  does: 'Read the prices of the registries, and update the price list.',
  more:
    'This also happens daily and at every start. A TLD that could not be read keeps its price, ' +
    'and is retried every minute.',
  at: 'POST /v1/pricing/tlds/sync',
  area: 'Pricing',
  who: operatorOnly(),
  takes: Type.Object({}),
  gives: response,
  fails: [],
  effect: 'own',
  run: (_input, call, app) => syncPrices(app, call),
})

type Failure = SyncReport['failed'][number]
type Reading = { prices: TldPrice[]; failed: Failure[] }

/**
 * Reads all registries at once, and then, in one transaction, writes the prices and an audit row.
 * `only` restricts it to these TLDs; then nothing is written if none of them could be read.
 */
export async function syncPrices(
  app: App,
  call: Call,
  only?: ReadonlySet<string>,
): Promise<SyncReport> {
  const readings = await Promise.all(app.registries.all.map((one) => readRegistry(app, one, only)))
  const prices = readings.flatMap((reading) => reading.prices)
  const failed = readings.flatMap((reading) => reading.failed)
  const synced_at = app.clock.now()
  for (const { tld, reason } of failed)
    app.log.warn({ tld, reason }, 'no price of a TLD from its registry')
  if (only && prices.length === 0)
    return reportOf({ added: [], changed: [], unchanged: 0 }, { failed, synced_at })
  const report = await app.db.transaction(async (sql) => {
    const comparison = compare(await sql.run(lockPrices), prices)
    await sql.count(putPrices, {
      currencies: prices.map(({ currency }) => currency),
      tlds: prices.map(({ tld }) => tld),
      actions: prices.map(({ action }) => action),
      registries: prices.map(({ registry }) => registry),
      cost_currencies: prices.map(({ cost_currency }) => cost_currency),
      costs: prices.map(({ cost }) => cost),
      prices: prices.map(({ price }) => price),
      synced_at,
    })
    const done = reportOf(comparison, { failed, synced_at })
    await call.assertStillAllowed({ sql })
    await storeAuditRow(sql, call.auditRow(factsOf(done)))
    return done
  })
  app.priceBook.drop()
  return report
}

async function readRegistry(
  { registries }: App,
  registry: Registry,
  only: ReadonlySet<string> | undefined,
): Promise<Reading> {
  const { name } = registry.profile
  const reading: Reading = { prices: [], failed: [] }
  const tlds = registry.profile.tlds.filter((tld) => only?.has(tld) ?? true)
  if (tlds.length === 0) return reading
  const reported = await registry.prices(tlds)
  for (const tld of tlds) {
    const terms = registries.byTld.get(tld)?.terms
    if (!terms) continue
    const { prices, missing } = priceTld(tld, {
      registry: name,
      terms,
      reported: reported.get(tld),
    })
    reading.prices.push(...prices)
    if (missing.length > 0) reading.failed.push({ tld, reason: missing.join('; ') })
  }
  return reading
}

type Rest = { failed: Failure[]; synced_at: Date }

function reportOf(found: Comparison, { failed, synced_at }: Rest): SyncReport {
  return {
    added: found.added.map(({ tld, action, currency, price }) => {
      return { tld, action, currency, price: formatAmount(price) }
    }),
    changed: found.changed.map((change) => {
      return { ...change, old: formatAmount(change.old), new: formatAmount(change.new) }
    }),
    unchanged: found.unchanged,
    failed,
    synced_at: synced_at.toISOString(),
  }
}

function factsOf({ added, changed, unchanged, failed }: SyncReport) {
  const counts = { added: added.length, changed: changed.length, unchanged, failed: failed.length }
  return {
    target_type: 'pricing',
    target: null,
    status_code: 200,
    metadata: { ...counts, changed },
  }
}
