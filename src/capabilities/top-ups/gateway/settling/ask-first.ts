// Questions of steps to the gateway, asked outside of transactions and stored with the payment: a
// quote of now, or the units that its destination received.
import { GatewayUnavailable, type Holdings } from '../../../../adapters/gateway/port.ts'
import type { App } from '../../../../app.ts'
import { storeRate, storeReceived } from '../checkout-payments.sql.ts'
import type { Checkout, CheckoutPayment } from '../checkout-rows.ts'
import { settleLater } from '../checkouts.sql.ts'
import type { Step } from './next-step.ts'

const again_ms = 30_000

type CheckoutStep = Step<CheckoutPayment>
type Asking = Extract<CheckoutStep, { do: 'rate' | 'compare' }>
export type Question = { step: Asking; checkout: Checkout }

export function isQuestion(step: CheckoutStep): step is Asking {
  return step.do === 'rate' || step.do === 'compare'
}

/** Undefined where the gateway has none, or is not the checkout's. */
export function holdingsOf({ gateway }: Pick<App, 'gateway'>, checkout: Pick<Checkout, 'gateway'>) {
  return gateway?.name === checkout.gateway ? gateway.holdings : undefined
}

/** False if it is not known now, or forbids the step, so that the checkout is settled later. */
export async function ask(app: App, { step, checkout }: Question): Promise<boolean> {
  const { payment } = step
  try {
    if (step.do === 'rate') {
      await askRate(app, { payment, checkout })
      return true
    }
    if (await askReceived(app, { payment, checkout, enough: step.enough })) return true
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    const facts = { err: error, payment_id: payment.id }
    app.log.warn(facts, 'a payment waits for the gateway; it is asked again')
  }
  const settle_at = new Date(app.clock.now().getTime() + again_ms)
  await app.db.run(settleLater, { ids: [checkout.id], settle_at })
  return false
}

type Asked = { payment: CheckoutPayment; checkout: Checkout }

async function askRate(app: App, { payment, checkout }: Asked): Promise<void> {
  const { id, asset, network } = payment
  if (app.gateway?.name !== checkout.gateway)
    throw new GatewayUnavailable(`the gateway ${checkout.gateway} is not configured`)
  const { units, cents } = await app.gateway.quote({ asset, network }, checkout.currency)
  await app.db.run(storeRate, { id, units: String(units), cents: String(cents) })
}

/** False if more would be credited with this payment than ever came. */
async function askReceived(app: App, { payment, checkout, enough }: Asked & { enough: bigint }) {
  const { id, asset, network } = payment
  const { terms, started_at } = checkout
  const holdings = holdingsOf(app, checkout)
  if (!holdings || !terms || started_at === null)
    throw new GatewayUnavailable(`the gateway ${checkout.gateway} is not configured`)
  const holding = { asset, network, reference: terms.reference, since: started_at }
  const units = await receivedBy(holdings, holding, enough)
  await app.db.run(storeReceived, { id, units: String(units ?? enough) })
  if (units === null || units >= enough) return true
  const facts = { checkout_id: checkout.id, payment_id: id, received: String(units) }
  app.log.error(
    { ...facts, credited: String(enough), alarm: 'credited_units_exceed_balance' },
    'a payment is not credited: its address has not received as much',
  )
  return false
}

type Holding = Parameters<Holdings['left']>[0]

/**
 * Its balance and, if that is not enough, the units that left it, or null if they are not known.
 */
export async function receivedBy(
  { balances, left, compared }: Holdings,
  holding: Holding,
  enough: bigint,
): Promise<bigint | null> {
  const [balance = null] = await balances(holding, [holding.reference])
  const isToken = compared.some(
    ({ asset, network }) => asset === holding.asset && network === holding.network,
  )
  if (balance === null || balance >= enough || !isToken) return balance
  return balance + (await left(holding))
}
