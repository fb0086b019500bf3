// Lists the ledger entries of a customer, newest first: GET
// /v1/customers/{customer_id}/billing/transactions.

import Type from 'typebox'
import { operation, ownerOf } from '../../app.ts'
import { currencies, formatAmount } from '../../kit/money.ts'
import type { CheckoutId, CustomerId, DomainName, OrderId } from '../../kit/random.ts'
import { amount, dateTime, nullable, oneOf, stringOf, wordOf } from '../../kit/schema.ts'
import { readEntries } from '../../ledger/ledger.ts'
import { byNumber } from '../../lists/cursor.ts'
import { pagesOf } from '../../lists/paging.ts'

const types = [
  ...(['top_up', 'hold', 'capture', 'release', 'refund', 'reversal', 'adjustment'] as const),
  'reserve',
] as const

/**
 * Whether a line changes the sum of available and held money; a hold and what ends it without a
 * purchase only move money between the two.
 */
const meanings: Readonly<Record<(typeof types)[number], { counts: boolean; meaning: string }>> = {
  top_up: { counts: true, meaning: 'Paid in. It counts.' },
  hold: {
    counts: false,
    meaning: 'Set aside for an order: from available to held. It does not count.',
  },
  capture: { counts: true, meaning: 'The order succeeded: paid out of held. It counts.' },
  release: {
    counts: false,
    meaning: 'The order failed: from held back to available. It does not count.',
  },
  refund: { counts: true, meaning: 'Refunded. It counts.' },
  reversal: { counts: true, meaning: 'A payment was reversed. It counts.' },
  adjustment: { counts: true, meaning: 'Corrected by an operator. It counts.' },
  reserve: {
    counts: true,
    meaning:
      'Moved to or from what is kept for renewals, which is separate from the balance. It ' +
      'counts.',
  },
}

const transaction = Type.Object(
  {
    id: Type.Integer(),
    type: oneOf(types),
    counts: Type.Boolean({
      description:
        'Whether it changes the whole balance: the amounts of the lines that count add up to the ' +
        'bill. False if money only moved between available and held.',
    }),
    meaning: Type.String({ description: 'The effect of this type on the balance.' }),
    amount: amount('The amount moved, signed: out of available, or out of held for a capture.'),
    currency: oneOf(currencies),
    balance_after: amount('The available amount after it.'),
    held_after: amount('The held amount after it.'),
    description: Type.String(),
    domain: nullable(stringOf<DomainName>()),
    operation_id: nullable(stringOf<OrderId>({ description: 'The order that moved it.' })),
    checkout_id: nullable(stringOf<CheckoutId>()),
    invoice_id: nullable(Type.Integer()),
    created_at: dateTime('When it was posted.'),
  },
  { title: 'LedgerTransaction' },
)

const pages = pagesOf('list_transactions', byNumber)

export const listTransactions = operation({
  name: 'list_transactions',
  does: 'List the transactions of the balance, newest first.',
  more:
    'A purchase is two lines: a hold, which reserves the price, and a capture, which pays it ' +
    '(or a release, which frees it). To see what was spent, add the lines with "counts": ' +
    'true; the sum of all of them is available and held together.',
  at: 'GET /v1/customers/{customer_id}/billing/transactions',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({
    customer_id: stringOf<CustomerId>({ description: 'The customer.' }),
    currency: Type.Optional(oneOf(currencies, { description: 'Only this currency.' })),
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      transactions: Type.Array(transaction),
      ...pages.gives,
    },
    { title: 'ListLedgerTransactionsResponse' },
  ),
  fails: [],
  effect: 'none',
  tools: [
    {
      group: 'account',
      title: 'List the transactions',
      examples: [{ limit: 20 }, { currency: 'EUR', limit: 100, cursor: pages.cursorAt(1234n) }],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run({ currency = null, ...asked }, { sql, customer_id }) {
    const { rows, next_cursor } = await pages.read(
      asked,
      ({ after, most }) => readEntries(sql, customer_id, { currency, before: after, limit: most }),
      ({ id }) => id,
    )
    const transactions = rows.map((row) => ({
      id: Number(row.id),
      type: wordOf(types, row.type),
      ...meanings[wordOf(types, row.type)],
      amount: formatAmount(row.amount),
      currency: wordOf(currencies, row.currency),
      balance_after: formatAmount(row.available_after),
      held_after: formatAmount(row.held_after),
      description: row.description,
      domain: row.domain,
      operation_id: row.operation_id,
      checkout_id: row.checkout_id,
      invoice_id: row.invoice_id === null ? null : Number(row.invoice_id),
      created_at: row.created_at.toISOString(),
    }))
    return { transactions, next_cursor }
  },
})
