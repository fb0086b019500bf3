// A top-up by card, which the owner pays on a page of the card processor.
import type { CardCheckoutResponse } from '../../sdk/src/types.gen.ts'
import { exitCodes, Failure } from '../failure.ts'
import { printable } from '../table.ts'
import type { Context, Shown } from './command.ts'
import { until } from './until.ts'

export type Wanted = { customer_id: string; amount_cents: number; currency: 'USD' | 'EUR' }
export type Place = { customer_id: string; checkout_id: string }

export async function payByCard(context: Context, wanted: Wanted): Promise<Shown> {
  const { registrar, flags, terminal } = context
  const { customer_id, ...body } = wanted
  terminal.progress('Opening the page')
  const opened = await registrar.createCardCheckout({ path: { customer_id }, body })
  const line = printable(`Pay by card at ${opened.url ?? '-'}`)
  if (flags['no-wait']) return { body: opened, lines: [`${line} (${opened.id})`] }
  const place = { customer_id, checkout_id: opened.id }
  return waitForCard(context, place, async () => terminal.show(line))
}

const open: readonly CardCheckoutResponse['status'][] = ['opening', 'open', 'processing']

export async function waitForCard(
  context: Context,
  path: Place,
  begin?: () => Promise<void>,
): Promise<Shown> {
  const { registrar, flags, terminal } = context
  const next = `agent-registrar top-up wait ${path.checkout_id} --card`
  const body = await until({
    begin,
    read: () => registrar.getCardCheckout({ path }),
    isOver: ({ status }) => !open.includes(status),
    show: ({ status }) => terminal.progress(`Waiting for the payment by card: ${status}`),
    ...{ terminal, flags, next },
  })
  if (body.status === 'paid')
    return { body, lines: [`${body.credited_amount} ${body.currency} is credited`] }
  throw new Failure(exitCodes.refused, `The payment by card is ${body.status}`, { body })
}
