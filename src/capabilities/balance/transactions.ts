// GET the ledger entries of a customer, newest first.
import Type from 'typebox'
import { operation, ownerOf } from '../../app.ts'
import { currencies, formatAmount } from '../../kit/money.ts'
import { amount, dateTime, nullable, oneOf, withDefault, wordOf } from '../../kit/schema.ts'
import { readEntries } from '../../ledger/ledger.ts'

const types = ['top_up', 'hold', 'capture', 'release', 'refund', 'reversal', 'adjustment'] as const

const transaction = Type.Object(
  {
    id: Type.Integer(),
    type: oneOf(types),
    amount: amount('What moved, signed: out of available, or out of held for a capture.'),
    currency: oneOf(currencies),
    balance_after: amount('Available after it.'),
    held_after: amount('Held after it.'),
    description: Type.String(),
    domain: nullable(Type.String()),
    operation_id: nullable(Type.String({ description: 'The order that moved it.' })),
    checkout_id: nullable(Type.String()),
    invoice_id: nullable(Type.Integer()),
    created_at: dateTime('When.'),
  },
  { title: 'LedgerTransaction' },
)

export const listTransactions = operation({
  name: 'list_transactions',
  does: 'List what moved the balance, newest first.',
  at: 'GET /v1/customers/{customer_id}/billing/transactions',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({
    customer_id: Type.String({ description: 'The customer.' }),
    currency: Type.Optional(oneOf(currencies, { description: 'Only this currency.' })),
    limit: withDefault(Type.Integer({ minimum: 1, maximum: 500 }), 100),
    cursor: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,18}$', description: 'next_cursor of the page before.' }),
    ),
  }),
  gives: Type.Object(
    {
      transactions: Type.Array(transaction),
      next_cursor: nullable(Type.String({ description: 'For the next page; null on the last.' })),
    },
    { title: 'ListLedgerTransactionsResponse' },
  ),
  fails: [],
  effect: 'none',
  async run({ currency, limit, cursor }, call) {
    const rows = await readEntries(call.sql, call.customer_id, {
      currency: currency ?? null,
      before: cursor === undefined ? null : BigInt(cursor),
      limit: limit + 1,
    })
    const page = rows.slice(0, limit).map((row) => ({
      id: Number(row.id),
      type: wordOf(types, row.type),
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
    const last = page.at(-1)
    return {
      transactions: page,
      next_cursor: rows.length > limit && last ? String(last.id) : null,
    }
  },
})
