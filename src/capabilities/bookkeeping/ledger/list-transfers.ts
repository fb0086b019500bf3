// Lists the transfers of some days, as pages of JSON or as one streamed CSV file: GET
// /v1/internal/ledger/transfers.
import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { Row } from '../../../db/statement.ts'
import { csvLine } from '../../../kit/csv.ts'
import { type Currency, currencies, formatAmount } from '../../../kit/money.ts'
import { amount, dateTime, nullable, oneOf, wordOf } from '../../../kit/schema.ts'
import { byNumber } from '../../../lists/cursor.ts'
import { pagesOf } from '../../../lists/paging.ts'
import { Download } from '../../../replies/download.ts'
import { type Days, dayField, isComplete, readDays } from '../days.ts'
import { ownAccounts, transferBounds, transfersAfter } from './ledger-reports.sql.ts'

const phases = ['single', 'pending', 'post', 'void'] as const
const codes = ['purchase', 'top_up', 'refund', 'reversal', 'adjustment', 'reserve'] as const
const id = (description: string) => nullable(Type.String({ description }))

const transfer = Type.Object(
  {
    id: Type.Integer(),
    created_at: dateTime('When it was posted.'),
    debit_account: Type.String({ description: 'The code of the account.' }),
    credit_account: Type.String({ description: 'The code of the account.' }),
    customer_id: id(
      "The owner of the customer's account, or null if neither account is a customer's.",
    ),
    currency: oneOf(currencies),
    amount: amount('The amount, which is above zero.'),
    phase: oneOf(phases, {
      description: 'single and post move money; pending holds it, and post or void ends the hold.',
    }),
    code: oneOf(codes, { description: 'The kind of movement.' }),
    pending_id: nullable(
      Type.Integer({ description: 'The pending transfer that a post or a void ends.' }),
    ),
    description: Type.String(),
    domain: id('The domain that was bought.'),
    operation_id: id('The order.'),
    checkout_id: id('The checkout of a top-up.'),
    invoice_id: nullable(Type.Integer({ description: 'The invoice or credit note.' })),
    payment_id: id('The payment.'),
    reversal_id: id('The reversal of a payment.'),
    adjustment_id: id('The adjustment, or the refund of an order.'),
  },
  { title: 'LedgerTransfer' },
)
const columns = [
  ...(['id', 'created_at', 'debit_account', 'credit_account', 'customer_id', 'currency'] as const),
  ...(['amount', 'phase', 'code', 'pending_id', 'description', 'domain', 'operation_id'] as const),
  ...(['checkout_id', 'invoice_id', 'payment_id', 'reversal_id', 'adjustment_id'] as const),
]

const pages = pagesOf('list_ledger_transfers', byNumber, {
  default: 100,
  description: 'The most entries on a page of JSON.',
})

export const listTransfers = operation({
  name: 'list_ledger_transfers',
  does: 'List the transfers of some days, oldest first.',
  more:
    'With format=csv, or with Accept: text/csv, the response is one CSV file with all of them, ' +
    'without "limit". The sums by accounts of the phases single and post are the change of the ' +
    'trial balance.',
  at: 'GET /v1/internal/ledger/transfers',
  area: 'Billing',
  who: operatorOnly(),
  takes: Type.Object({
    from: dayField('First day, in UTC.'),
    to: dayField('Last day, in UTC; it is included.'),
    currency: Type.Optional(oneOf(currencies, { description: 'Only this currency.' })),
    format: Type.Optional(
      oneOf(['json', 'csv'], { description: 'The format takes precedence over Accept.' }),
    ),
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      transfers: Type.Array(transfer),
      ...pages.gives,
      complete: Type.Boolean({
        description: 'False if further transfers of these days may still be committed.',
      }),
    },
    { title: 'ListLedgerTransfersResponse' },
  ),
  downloads: 'text/csv',
  fails: [],
  effect: 'none',
  async run({ from, to, currency, format, limit, cursor }, call, app) {
    const days = readDays({ from, to })
    const transfersRead = transfersOf(call.sql, {
      days,
      currency,
      cursor: pages.placeOf(cursor) ?? 0n,
    })
    if (format === undefined ? call.wants_csv : format === 'csv') {
      const name = `transfers-${from}-to-${to}.csv`
      return new Download({ type: 'text/csv', name, content: csvOf(transfersRead) })
    }
    const found: Transfer[] = []
    for await (const page of transfersRead) {
      found.push(...page)
      if (found.length > limit) break
    }
    const { rows: transfers, next_cursor } = pages.cut(found, limit, ({ id }) => BigInt(id))
    return {
      transfers,
      next_cursor,
      complete: isComplete(days.to, app.clock.now()),
    }
  },
})

const at_once = 1_000
type Transfer = ReturnType<typeof transferOf>
type Wanted = { days: Days; currency: Currency | undefined; cursor: bigint }

/**
 * The transfers are read by ids, between those of the days, since an index by time would not order
 * them. Ids and times may be in different orders, so transfers of other times are passed over.
 */
async function* transfersOf(sql: Sql, { days, currency, cursor }: Wanted) {
  const own = new Map((await sql.run(ownAccounts)).map(({ id, code }) => [id, code]))
  const { first_id, last_id } = await sql.one(transferBounds, days)
  for (let after = first_id > cursor ? first_id - 1n : cursor; ; ) {
    const range = { after, up_to: last_id, limit: BigInt(at_once) }
    const rows = await sql.run(transfersAfter, range)
    yield rows
      .filter(({ created_at }) => created_at >= days.from && created_at < days.to)
      .filter((row) => currency === undefined || row.currency === currency)
      .map((row) => transferOf(row, own))
    const last = rows.at(-1)
    if (!last || rows.length < at_once) return
    after = last.id
  }
}

/** An account that is not one of our own is the customer's. */
function transferOf(row: Row<'bookkeeping_transfers_after'>, own: Map<bigint, string>) {
  return {
    ...row,
    id: Number(row.id),
    created_at: row.created_at.toISOString(),
    debit_account: own.get(row.debit_account) ?? 'customer',
    credit_account: own.get(row.credit_account) ?? 'customer',
    currency: wordOf(currencies, row.currency),
    amount: formatAmount(row.amount),
    phase: wordOf(phases, row.phase),
    code: wordOf(codes, row.code),
    pending_id: row.pending_id === null ? null : Number(row.pending_id),
    invoice_id: row.invoice_id === null ? null : Number(row.invoice_id),
  }
}

async function* csvOf(pages: AsyncIterable<readonly Transfer[]>): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const page of pages)
    yield page.map((one) => csvLine(columns.map((column) => one[column]))).join('')
}
