// Creates an open invoice, from exact decimals.
import Type, { type Static } from 'typebox'
import { operation, ownerOf } from '../../app.ts'
import { FieldReader, isLine } from '../../kit/field-reader.ts'
import { currencies } from '../../kit/money.ts'
import { dateTime, nullable, oneOf, withDefault } from '../../kit/schema.ts'
import { givenAmount, readAmount } from './amounts.ts'
import { customerId, invoiceResponse } from './invoice.ts'
import { issue } from './issue.ts'
import { readInvoice } from './read-invoices.ts'

const item = Type.Object(
  {
    description: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'The goods or service sold.',
    }),
    quantity: withDefault(
      Type.Integer({ minimum: 1, maximum: 1_000, description: 'The quantity.' }),
      1,
    ),
    unit_amount: givenAmount({ exclusiveMinimum: 0 }, 'The price of one, such as "12.34".'),
  },
  { title: 'BillingInvoiceItemCreate', additionalProperties: false },
)

const takes = Type.Object(
  {
    customer_id: customerId,
    currency: withDefault(
      oneOf(currencies, { description: 'The currency of all amounts.' }),
      'USD',
    ),
    items: Type.Array(item, { minItems: 1, maxItems: 100, description: 'The lines.' }),
    tax_amount: withDefault(givenAmount({ minimum: 0 }, 'The tax on all lines together.'), '0.00'),
    notes: Type.Optional(nullable(Type.String({ maxLength: 1_000, description: 'Free text.' }))),
    due_at: Type.Optional(nullable(dateTime('When it is due.'))),
  },
  { title: 'BillingInvoiceCreateRequest' },
)

export const createInvoice = operation({
  name: 'create_invoice',
  does: 'Create an open invoice.',
  more:
    'It gets the next number of the year, and its seller, buyer and lines do not change ' +
    'afterwards. It moves no money.',
  at: 'POST /v1/customers/{customer_id}/billing/invoices',
  area: 'Billing',
  who: ownerOf('billing:write'),
  takes,
  gives: invoiceResponse,
  status: 201,
  fails: [],
  effect: 'transaction',
  target: (_input, invoice) => ({
    target_type: 'invoice',
    target: invoice?.invoice_number ?? null,
    metadata: invoice ? { total_amount: invoice.total_amount, currency: invoice.currency } : {},
  }),
  async run(input, call, app) {
    const { customer_id } = call
    const draft = readDraft(input)
    const id = await issue(call.sql, { ...draft, customer_id }, app.settings)
    return readInvoice(call.sql, { customer_id, id })
  },
})

const unsafe = 'String should not have control characters'

/** Throws InvalidInput that names every amount that is not exact in minor units. */
function readDraft(input: Static<typeof takes>) {
  const reading = new FieldReader()
  const amountAt = (path: (string | number)[], given: number | string, least: bigint): bigint => {
    const read = readAmount(given)
    if (read !== undefined && read >= least) return read
    const words = least > 0n ? 'above zero, such as "12.34"' : 'such as "12.34"'
    reading.refuse(path, `Input should be an amount with at most two decimals, ${words}`)
    return 0n
  }
  const items = input.items.map(({ description, quantity, unit_amount }, index) => ({
    description,
    quantity,
    unit_amount: amountAt(['items', index, 'unit_amount'], unit_amount, 1n),
  }))
  for (const [index, { description }] of input.items.entries())
    if (!isLine(description)) reading.refuse(['items', index, 'description'], unsafe)
  const notes = input.notes ?? null
  if (notes !== null && !notes.split(/\r?\n/).every(isLine)) reading.refuse(['notes'], unsafe)
  const tax_amount = amountAt(['tax_amount'], input.tax_amount, 0n)
  const due_at = reading.moment('due_at', input.due_at ?? undefined)
  // In UTC an offset may move it into a year that PostgreSQL or ISO 8601 writes otherwise.
  const year = due_at?.getUTCFullYear() ?? 1
  if (year < 1 || year > 9999) reading.refuse(['due_at'], 'Input should be of the years 1 to 9999')
  reading.finish()
  return {
    kind: 'invoice',
    status: 'open',
    currency: input.currency,
    items,
    tax_amount,
    due_at,
    notes,
    paid_at: null,
    credited_invoice_id: null,
    payment_id: null,
    processor_checkout_session_id: null,
    processor_payment_intent_id: null,
  } as const
}
