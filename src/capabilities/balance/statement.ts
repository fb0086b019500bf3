// Reads the statement of a month, as JSON or CSV (GET
// /v1/customers/{customer_id}/billing/statement): opening balance, the lines that change the
// balance, and closing balance.

import Type, { type Static } from 'typebox'
import { operation, ownerOf } from '../../app.ts'
import { csvLine } from '../../kit/csv.ts'
import { currencies, formatAmount } from '../../kit/money.ts'
import type { CustomerId, DomainName, OrderId } from '../../kit/random.ts'
import {
  amount,
  dateTime,
  nullable,
  oneOf,
  patterned,
  stringOf,
  withDefault,
  wordOf,
} from '../../kit/schema.ts'
import { readPeriod } from '../../ledger/ledger.ts'
import { Download } from '../../replies/download.ts'

const types = ['top_up', 'capture', 'refund', 'reversal', 'adjustment', 'reserve'] as const

const gives = Type.Object(
  {
    customer_id: stringOf<CustomerId>(),
    month: Type.String({ description: 'The month in UTC, such as 2026-11.' }),
    currency: oneOf(currencies),
    opening_balance: amount(
      'Available and held together when the month began; what is kept for renewals is not ' +
        'included.',
    ),
    lines: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ description: 'The id of the transaction.' }),
          created_at: dateTime('When it was posted.'),
          type: oneOf(types, { description: 'A capture is the payment of an order.' }),
          description: Type.String(),
          domain: nullable(stringOf<DomainName>()),
          operation_id: nullable(stringOf<OrderId>({ description: 'The order that was paid.' })),
          invoice_id: nullable(
            Type.Integer({ description: 'The invoice or credit note of a payment.' }),
          ),
          amount: amount('The signed amount.'),
          balance: amount(
            'The balance after the line: the opening balance and all amounts so far.',
          ),
        },
        { title: 'StatementLine' },
      ),
      { description: 'Oldest first.' },
    ),
    closing_balance: amount('The sum of the opening balance and all amounts.'),
    owed: amount(
      'The debt at the end of the month, which arises when a payment is reversed after its ' +
        'money was spent. No balance is below zero; credits pay the debt first.',
    ),
  },
  { title: 'MonthlyStatementResponse' },
)
type Statement = Static<typeof gives>

export const getStatement = operation({
  name: 'get_statement',
  does: 'Read the statement of a month.',
  more:
    'Its lines are the money paid in and out; holds are not among them, as they only set money ' +
    'aside. The response is CSV with format=csv, or with Accept: text/csv.',
  at: 'GET /v1/customers/{customer_id}/billing/statement',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({
    customer_id: stringOf<CustomerId>({ description: 'The customer.' }),
    month: patterned('^2[0-9]{3}-(0[1-9]|1[0-2])$', 'a month, such as "2026-11"', {
      description: 'The month, in UTC.',
    }),
    currency: withDefault(
      oneOf(currencies, { description: 'The currency of the balance.' }),
      'USD',
    ),
    format: Type.Optional(
      oneOf(['json', 'csv'], { description: 'The format takes precedence over Accept.' }),
    ),
  }),
  gives,
  downloads: 'text/csv',
  fails: [],
  effect: 'none',
  async run({ month, currency, format }, call) {
    const { customer_id } = call
    const period = await readPeriod(call.sql, { customer_id, currency }, boundsOf(month))
    let balance = period.opening
    const lines = period.entries.map((entry) => {
      balance += entry.amount
      return {
        id: Number(entry.id),
        created_at: entry.created_at.toISOString(),
        type: wordOf(types, entry.type),
        description: entry.description,
        domain: entry.domain,
        operation_id: entry.operation_id,
        invoice_id: entry.invoice_id === null ? null : Number(entry.invoice_id),
        amount: formatAmount(entry.amount),
        balance: formatAmount(balance),
      }
    })
    const statement: Statement = {
      customer_id,
      month,
      currency,
      opening_balance: formatAmount(period.opening),
      lines,
      closing_balance: formatAmount(balance),
      owed: formatAmount(period.owed),
    }
    const isCsv = format === undefined ? call.wants_csv : format === 'csv'
    if (!isCsv) return statement
    const name = `statement-${month}-${currency.toLowerCase()}.csv`
    return new Download({ type: 'text/csv', name, content: csvOf(statement) })
  },
})

/** The first moment of the month and of the next one. */
function boundsOf(month: string): { from: Date; to: Date } {
  const from = new Date(`${month}-01T00:00:00Z`)
  const to = new Date(from)
  to.setUTCMonth(to.getUTCMonth() + 1)
  return { from, to }
}

/** The opening balance, the closing balance and a debt are lines without an id. */
function csvOf({ opening_balance, lines, closing_balance, owed, month }: Statement): string {
  const { from, to } = boundsOf(month)
  const header = 'created_at,id,type,description,domain,operation_id,invoice_id,amount,balance\r\n'
  const end = (moment: Date, type: string, balance: string) =>
    csvLine([moment.toISOString(), '', type, '', '', '', '', '', balance])
  const rows = lines.map((line) =>
    csvLine([
      ...[line.created_at, line.id, line.type, line.description, line.domain],
      ...[line.operation_id, line.invoice_id, line.amount, line.balance],
    ]),
  )
  const opening = end(from, 'opening_balance', opening_balance)
  const closing = end(to, 'closing_balance', closing_balance)
  const debt = owed === formatAmount(0n) ? '' : end(to, 'owed', owed)
  return [header, opening, ...rows, closing, debt].join('')
}
