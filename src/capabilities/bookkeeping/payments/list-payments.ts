// Lists the credited payments with their reversals, for the operator who reverses one: GET
// /v1/internal/billing/payments.

import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { Row } from '../../../db/statement.ts'
import { currencies, formatAmount } from '../../../kit/money.ts'
import type { CheckoutId, CustomerId } from '../../../kit/random.ts'
import { amount, dateTime, nullable, oneOf, stringOf, wordOf } from '../../../kit/schema.ts'
import { byNumber } from '../../../lists/cursor.ts'
import { pagesOf } from '../../../lists/paging.ts'
import { dayField, readDay } from '../days.ts'
import {
  creditedPayments,
  creditedPaymentsOfCustomer,
  paymentBounds,
  reversalsOfPayments,
} from './payments-list.sql.ts'

const accounts = ['processor', 'gateway'] as const
const kinds = ['refund', 'dispute', 'reorganisation', 'reinstatement'] as const

const payment = Type.Object(
  {
    id: Type.String({ description: 'The payment_id of a reversal.' }),
    customer_id: stringOf<CustomerId>(),
    currency: oneOf(currencies),
    amount: amount('The amount that was credited.'),
    reversed: amount('The part of it that is reversed now.'),
    account: oneOf(accounts, { description: 'The account that it came in to.' }),
    checkout_id: nullable(stringOf<CheckoutId>()),
    processor_checkout_session_id: nullable(Type.String()),
    processor_payment_intent_id: nullable(Type.String()),
    invoice_id: nullable(Type.Integer({ description: 'The invoice of the payment.' })),
    created_at: dateTime('When it was credited.'),
    reversals: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          kind: oneOf(kinds, { description: 'A reinstatement gives money again.' }),
          amount: amount('The amount, which is above zero.'),
          shortfall: amount('The part of it that had been spent, and became a debt.'),
          description: Type.String(),
          created_at: dateTime('When it was posted.'),
        },
        { title: 'PaymentReversal' },
      ),
      { description: 'Oldest first.' },
    ),
  },
  { title: 'CreditedPayment' },
)

const pages = pagesOf('list_payments', byNumber)

export const listPayments = operation({
  name: 'list_payments',
  does: 'List the credited payments with their reversals, newest first.',
  more: 'A page may have fewer payments than "limit": only next_cursor shows where the list ends.',
  at: 'GET /v1/internal/billing/payments',
  area: 'Billing',
  who: operatorOnly(),
  takes: Type.Object({
    customer_id: Type.Optional(
      stringOf<CustomerId>({
        minLength: 1,
        maxLength: 64,
        description: 'Lists only payments of this customer.',
      }),
    ),
    account: Type.Optional(
      oneOf(accounts, { description: 'Lists only payments by card, or only those by a gateway.' }),
    ),
    day: Type.Optional(dayField('Only payments credited on this day, in UTC.')),
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      payments: Type.Array(payment),
      ...pages.gives,
    },
    { title: 'ListPaymentsResponse' },
  ),
  fails: [],
  effect: 'none',
  async run({ customer_id, account, day, ...asked }, { sql }) {
    const days = day === undefined ? null : readDay('day', day)
    const { first_id, last_id } = days ? await sql.one(paymentBounds, days) : all
    const { rows, next_cursor } = await pages.read(
      asked,
      ({ after, most }) => {
        const before = after !== null && after <= last_id ? after : last_id + 1n
        const range = { first_id, before, limit: BigInt(most) }
        return customer_id === undefined
          ? sql.run(creditedPayments, range)
          : sql.run(creditedPaymentsOfCustomer, { customer_id, ...range })
      },
      ({ transfer_id }) => transfer_id,
    )
    const shown = rows
      .filter((row) => account === undefined || row.account === account)
      .filter((row) => !days || (row.created_at >= days.from && row.created_at < days.to))
    return { payments: await withReversals(sql, shown), next_cursor }
  },
})

/** Above every id, and one more fits. */
const all = { first_id: 1n, last_id: 9_223_372_036_854_775_806n }

async function withReversals(sql: Sql, rows: readonly Row<'payments_credited'>[]) {
  const found = await sql.run(reversalsOfPayments, { ids: rows.map(({ id }) => id) })
  const byPayment = Map.groupBy(found, ({ payment_id }) => payment_id)
  return rows.map(({ transfer_id: _transfer, ...row }) => {
    const reversals = byPayment.get(row.id) ?? []
    const reversed = reversals.reduce(
      (sum, one) => sum + (one.kind === 'reinstatement' ? -one.amount : one.amount),
      0n,
    )
    return {
      ...row,
      currency: wordOf(currencies, row.currency),
      account: wordOf(accounts, row.account),
      amount: formatAmount(row.amount),
      reversed: formatAmount(reversed),
      invoice_id: row.invoice_id === null ? null : Number(row.invoice_id),
      created_at: row.created_at.toISOString(),
      reversals: reversals.map(({ payment_id: _payment, ...one }) => ({
        ...one,
        kind: wordOf(kinds, one.kind),
        amount: formatAmount(one.amount),
        shortfall: formatAmount(one.shortfall),
        created_at: one.created_at.toISOString(),
      })),
    }
  })
}
