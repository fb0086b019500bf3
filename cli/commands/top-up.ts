// The command for adding money: shows the payment instructions as text and as a QR code, and waits
// until the payment is credited. A key with the scope can begin a payment, but only a person or a
// wallet pays.
import type { CheckoutResponse, GatewayConfig } from '../../sdk/src/types.gen.ts'
import { exitCodes, Failure, usage } from '../failure.ts'
import { qrCode } from '../qr-code.ts'
import { facts, printable, table } from '../table.ts'
import { type Place, payByCard, type Wanted, waitForCard } from './card-top-up.ts'
import {
  accountId,
  amountOf,
  type Command,
  type Context,
  currencyOf,
  minute,
  oneOf,
  type Shown,
} from './command.ts'
import { until } from './until.ts'

export const topUp: Command = {
  usage: [
    'top-up AMOUNT [--asset ASSET] [--network NETWORK]',
    'top-up AMOUNT --card [--no-wait]',
    'top-up wait ID [--card] [--timeout SECONDS]',
    'top-up',
  ],
  summary: 'add money, or list what may still be paid',
  flags: ['currency', 'asset', 'network', 'card', 'no-wait', 'timeout'],
  run: async (context) => {
    const { words, flags } = context
    const customer_id = await accountId(context)
    if (words.length === 0) return list(context, customer_id)
    if (words[0] === 'wait') {
      const at = { customer_id, checkout_id: oneOf(words.slice(1), 'the id of one top-up') }
      return flags.card ? waitForCard(context, at) : wait(context, at)
    }
    const amount_cents = cents(oneOf(words, 'one amount'))
    const wanted = { customer_id, amount_cents, currency: currencyOf(flags) }
    return flags.card ? payByCard(context, wanted) : pay(context, wanted)
  },
}

function cents(text: string): number {
  const [whole, part = ''] = amountOf(text, 'The first word').split('.')
  return Number(`${whole}${part.padEnd(2, '0')}`)
}

async function list({ registrar }: Context, customer_id: string): Promise<Shown> {
  const body = await registrar.listTopUps({ path: { customer_id } })
  const rows = body.checkouts.map((one) => [
    ...[one.id, one.status, amountIn(one), one.credited_amount, minute(one.expires_at)],
  ])
  const heads = ['ID', 'STATUS', '>AMOUNT', '>CREDITED', 'TO BE PAID UNTIL']
  return { body, lines: rows.length === 0 ? ['No top-ups are waiting'] : table(heads, rows) }
}

const amountIn = ({
  amount_cents,
  currency,
}: Pick<CheckoutResponse, 'amount_cents' | 'currency'>) =>
  `${(amount_cents / 100).toFixed(2)} ${currency}`

async function pay(context: Context, wanted: Wanted): Promise<Shown> {
  const { registrar, flags, terminal } = context
  const { customer_id, ...sum } = wanted
  const config = await registrar.getTopUpConfig({ path: { customer_id } })
  const { asset, network } = chosen(config, flags)
  terminal.progress('Opening the top-up')
  const body = { ...sum, asset, network }
  const opened = await registrar.createTopUp({ path: { customer_id }, body })
  const lines = whereToPay(opened)
  if (flags['no-wait']) return { body: opened, lines }
  return wait(context, { customer_id, checkout_id: opened.id }, async () => {
    for (const line of lines) terminal.show(line)
    if (terminal.isInteractive && opened.payment_uri !== null)
      for (const line of await qrCode(opened.payment_uri)) terminal.show(line)
  })
}

type Choice = { asset?: string; network?: string }

function chosen({ assets }: GatewayConfig, { asset, network }: Choice) {
  const wanted = assets.filter(
    (one) =>
      (asset === undefined || one.asset === asset.toUpperCase()) &&
      (network === undefined || one.network === network.toLowerCase()),
  )
  const [found, ...others] = wanted
  if (found !== undefined && others.length === 0) return found
  const offered = assets.map((one) => `--asset ${one.asset} --network ${one.network}`)
  throw usage(['Choose what to pay in, or --card:', ...offered].join('\n  '))
}

function whereToPay(opened: CheckoutResponse): string[] {
  const { asset, network, pay_amount, pay_address, payment_uri, page_url } = opened
  return facts([
    ['Top-up', `${amountIn(opened)} (${opened.id})`],
    ['Pay exactly', `${pay_amount ?? '-'} ${asset ?? ''} on ${network ?? '-'}`],
    ['To', pay_address ?? '-'],
    ...(payment_uri === null ? [] : ([['Link', payment_uri]] as const)),
    ...(page_url === null ? [] : ([['Page', page_url]] as const)),
    ['Until', minute(opened.expires_at)],
  ])
}

const over = ['paid', 'underpaid', 'expired', 'failed']

async function wait(context: Context, path: Place, begin?: () => Promise<void>): Promise<Shown> {
  const { registrar, flags, terminal } = context
  const next = `agent-registrar top-up wait ${path.checkout_id}`
  const body = await until({
    begin,
    read: () => registrar.getTopUp({ path }),
    isOver: ({ status }) => over.includes(status),
    show: (seen) => terminal.progress(progressOf(seen)),
    ...{ terminal, flags, next },
  })
  const credited = `${body.credited_amount} ${body.currency}`
  if (body.status === 'paid') return { body, lines: [`${credited} is credited`] }
  const { received_amount, status, asset } = body
  const received = received_amount === null ? 'nothing' : `${received_amount} ${asset ?? ''}`
  throw new Failure(
    exitCodes.refused,
    `The top-up is ${status}: ${received} came, ${credited} is credited`,
    {
      next: 'A later payment is credited, too. Start another one: agent-registrar top-up AMOUNT',
      body,
    },
  )
}

function progressOf(seen: CheckoutResponse): string {
  const { status, confirmations, required_confirmations: needed } = seen
  if (status === 'confirming') return `Paid; ${confirmations} of ${needed ?? '?'} confirmations`
  return printable(`Waiting for the payment of ${seen.pay_amount ?? ''} ${seen.asset ?? ''}`)
}
