// The Greenfield API's representations of the store's rows, and their falsification by a fault.
import { formatCents } from '../support/money.ts'
import { formatUnits } from './decimals.ts'
import type { FaultName } from './gateway-faults.ts'
import { type Method, methodOf } from './payment-methods.ts'
import type { Invoice, Payment, Store } from './store.ts'

const seconds = (time: number) => Math.floor(time / 1_000)

export function invoiceView(store: Store, invoice: Invoice, base_url: string): object {
  return {
    id: invoice.id,
    storeId: store.id,
    amount: formatCents(Number(invoice.cents)),
    currency: invoice.currency,
    type: 'Standard',
    checkoutLink: `${base_url}/i/${invoice.id}`,
    createdTime: seconds(invoice.created_at),
    expirationTime: seconds(invoice.expires_at),
    monitoringExpiration: seconds(invoice.monitored_until),
    status: invoice.status,
    additionalStatus: invoice.additional,
    archived: false,
    metadata: invoice.metadata,
    checkout: {
      speedPolicy: invoice.speed_policy,
      paymentMethods: invoice.methods,
      redirectURL: invoice.redirect_url,
    },
  }
}

/** The address or link at which an invoice is paid with a method. */
export function destinationOf(store: Store, invoice: Invoice, method: Method): string {
  return method.address(`${store.id}/${invoice.id}/${method.id}`)
}

/** With `all`, payments that no longer count are included. */
export function methodViews(store: Store, invoice: Invoice, all: boolean): object[] {
  return invoice.methods.flatMap((id) => {
    const method = methodOf(id)
    return method ? [methodView(store, { invoice, method, all })] : []
  })
}

type Viewed = { invoice: Invoice; method: Method; all: boolean }

function methodView(store: Store, { invoice, method, all }: Viewed): object {
  const destination = destinationOf(store, invoice, method)
  const price = BigInt(invoice.prices[method.id] ?? '0')
  const own = store.payments(invoice.id).filter(({ method_id }) => method_id === method.id)
  const accounted = own.filter(({ status }) => status !== 'Invalid')
  const paid = accounted.reduce((sum, { units }) => sum + BigInt(units), 0n)
  const decimal = (units: bigint) => formatUnits(units, method.decimals)
  const paymentView = ({ id, units, received_at, status }: Payment) => ({
    id,
    receivedDate: seconds(received_at),
    value: decimal(BigInt(units)),
    fee: '0',
    status,
    destination,
  })
  return {
    paymentMethodId: method.id,
    currency: method.currency,
    destination,
    paymentLink: method.link(destination, price),
    rate: method.rates[invoice.currency] ?? '0',
    paymentMethodPaid: decimal(paid),
    totalPaid: decimal(paid),
    due: decimal(price - paid),
    amount: decimal(price),
    paymentMethodFee: '0',
    payments: (all ? own : accounted).map(paymentView),
    activated: true,
    additionalData: {},
  }
}

const amounts = ['amount', 'due', 'value', 'totalPaid', 'paymentMethodPaid']

/** The false value of a field for each fault; other fields stay as they are. */
const falsified: Partial<Record<FaultName, (name: string, value: unknown) => unknown>> = {
  wrong_amount: (name, value) => (amounts.includes(name) ? tenfold(String(value)) : value),
  negative_amount: (name, value) => (amounts.includes(name) ? `-${value}` : value),
  too_many_decimals: (name, value) =>
    amounts.includes(name)
      ? `${value}${String(value).includes('.') ? '' : '.'}${'0'.repeat(19)}1`
      : value,
  other_currency: (name, value) => (name === 'currency' ? 'XMR' : value),
  other_destination: (name, value) => (name === 'destination' ? `x${value}` : value),
  other_invoice: (name, value) => (name === 'id' ? 'AnotherInvoice' : value),
  no_payments: (name, value) => (name === 'payments' ? [] : value),
  payment_twice: (name, value) =>
    name === 'payments' && Array.isArray(value) ? [...value, ...value] : value,
}

export function falsify(name: FaultName, value: unknown): unknown {
  const change = falsified[name]
  if (!change) return value
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(walk)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(
      Object.entries(one).map(([key, part]) => [key, walk(change(key, part))]),
    )
  }
  return walk(value)
}

/** Ten times a decimal, whose point moves by one digit. */
function tenfold(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.')
  const moved = `${whole}${fraction.slice(0, 1).padEnd(1, '0')}`.replace(/^0+(?=\d)/, '')
  const rest = fraction.slice(1)
  return rest === '' ? moved : `${moved}.${rest}`
}
