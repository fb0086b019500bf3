// Offers: a checkout of the gateway that may be paid by x402. An open one is offered again, so that
// a caller that only asks spends no addresses.

import { getAddress } from 'viem/utils'
import type { Hex, Terms, X402, X402Asset } from '../../../adapters/x402/port.ts'
import type { App, Call } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { notConfigured } from '../../../errors/faults.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import { type Currency, currencies } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { wordOf } from '../../../kit/schema.ts'
import { newCheckout, startRow } from '../gateway/start-checkout.ts'
import { insertOffer, offerOfCheckout, offerOfReference, openOffer } from './x402.sql.ts'

/** The time that a checkout must have left when it is offered, for a payment and its settlement. */
const usual_left_ms = 420_000

export type Wanted = {
  customer_id: CustomerId
  amount: bigint
  currency: Currency
  asset: X402Asset
}

export type Offer = ReturnType<typeof offerOf>

/** Throws notConfigured. */
export function x402Of({ x402 }: Pick<App, 'x402'>): X402 {
  if (x402) return x402
  throw notConfigured({ detail: 'Top-ups by x402 are not configured.' })
}

type Choice = { asset?: string; network?: string }

/** The first asset that fits. Throws InvalidInput that names the offered ones. */
export function chosenAsset({ assets }: X402, { asset, network }: Choice): X402Asset {
  const found = assets.find(
    (one) =>
      (asset === undefined || one.asset === asset) &&
      (network === undefined || one.network === network),
  )
  if (found) return found
  const all = assets.map((one) => `${one.asset} on ${one.network}`)
  const msg = `Input should be one of: ${all.join(', ') || 'none is configured'}`
  throw new InvalidInput([{ path: [asset === undefined ? 'network' : 'asset'], msg, type: 'enum' }])
}

export function offerOf(row: Row<'x402_offers_of_checkout'>) {
  const { chain_id, token, reference, pay_amount, domain_name, domain_version, ...facts } = row
  const terms: Terms = {
    chain_id: Number(chain_id),
    token: hexOf(token),
    domain: { name: domain_name, version: domain_version },
    pay_to: hexOf(reference),
    units: BigInt(pay_amount),
  }
  return { ...facts, currency: wordOf(currencies, row.currency), terms }
}

/** The text in lower case. */
export function hexOf(text: string): Hex {
  return `0x${text.slice(2).toLowerCase()}`
}

/** Rejects with GatewayUnavailable where the network or the token cannot be used now. */
export async function offerFor(app: App, call: Call, wanted: Wanted): Promise<Offer> {
  const { customer_id, amount, currency, asset } = wanted
  const left_ms = Math.min(usual_left_ms, app.settings.checkout_minutes * 30_000)
  const open_until = new Date(app.clock.now().getTime() + left_ms)
  const { asset: symbol, network, token, chain_id, domain } = asset
  const open = await app.db.maybe(openOffer, {
    ...{ customer_id, amount, currency, asset: symbol, network, token, open_until },
  })
  if (open) return offerOf(open)
  const x402 = x402Of(app)
  await x402.checkDomain(asset)
  const checkout_id = await openCheckout(app, call, wanted)
  await app.db.run(insertOffer, {
    checkout_id,
    chain_id: BigInt(chain_id),
    token,
    domain_name: domain.name,
    domain_version: domain.version,
  })
  const offer = offerOf(await app.db.one(offerOfCheckout, { checkout_id }))
  const { settler } = x402
  if (settler.kind === 'wallet' && settler.address === offer.terms.pay_to)
    throw new Error('X402_GAS_KEY is the key of a deposit address')
  return offer
}

/** Works like `create_top_up` with an asset, and is audited as that. */
async function openCheckout(app: App, call: Call, { amount, currency, asset }: Wanted) {
  const auditRow: Call['auditRow'] = (facts) => call.auditRow({ action: 'create_top_up', ...facts })
  const own = { ...call, auditRow }
  const row = await newCheckout(app, own, { amount_cents: Number(amount), currency })
  const wanted = { asset: asset.asset, network: asset.network }
  const { id } = await startRow(app, own, { row, wanted })
  return id
}

/** The offer of this customer that is paid to this address. */
export async function offerPaidTo(
  { db }: Pick<App, 'db'>,
  { customer_id, pay_to }: { customer_id: CustomerId; pay_to: string },
): Promise<Offer | undefined> {
  const reference = getAddress(pay_to)
  const row = await db.maybe(offerOfReference, { gateway: 'evm', reference, customer_id })
  return row && offerOf(row)
}
