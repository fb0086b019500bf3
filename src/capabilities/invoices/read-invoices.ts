// Reads one invoice with its items, or lists those of a customer, newest first.

import Type from 'typebox'
import { operation, ownerOf } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import type { CustomerId } from '../../kit/random.ts'
import { byNumber } from '../../lists/cursor.ts'
import { pagesOf } from '../../lists/paging.ts'
import { invoiceNotFound } from './faults.ts'
import { customerId, type Invoice, invoiceId, invoiceOf, invoiceResponse } from './invoice.ts'
import {
  type InvoiceRow,
  invoiceOfId,
  invoicesOfCustomer,
  itemsOfInvoices,
} from './invoices.sql.ts'

const hints = {
  group: 'account',
  destructive: false,
  idempotent: true,
  open_world: false,
} as const

const pages = pagesOf('list_invoices', byNumber)

export const listInvoices = operation({
  name: 'list_invoices',
  does: 'List the invoices and credit notes, newest first.',
  at: 'GET /v1/customers/{customer_id}/billing/invoices',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({
    customer_id: customerId,
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      invoices: Type.Array(invoiceResponse),
      ...pages.gives,
    },
    { title: 'ListBillingInvoicesResponse' },
  ),
  fails: [],
  effect: 'none',
  tools: [{ ...hints, title: 'List invoices', examples: [{ limit: 5 }] }],
  async run(asked, { sql, customer_id }) {
    const { rows, next_cursor } = await pages.read(
      asked,
      ({ after: before, most }) =>
        sql.run(invoicesOfCustomer, { customer_id, before, limit: BigInt(most) }),
      ({ id }) => id,
    )
    return { invoices: await withItems(sql, rows), next_cursor }
  },
})

export const getInvoice = operation({
  name: 'get_invoice',
  does: 'Read an invoice or a credit note.',
  at: 'GET /v1/customers/{customer_id}/billing/invoices/{invoice_id}',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({ customer_id: customerId, invoice_id: invoiceId }),
  gives: invoiceResponse,
  fails: [invoiceNotFound],
  effect: 'none',
  tools: [{ ...hints, title: 'Read an invoice', examples: [{ invoice_id: 7 }] }],
  run: ({ invoice_id }, call) =>
    readInvoice(call.sql, { customer_id: call.customer_id, id: BigInt(invoice_id) }),
})

/** Throws invoiceNotFound, also for another customer's. */
export async function readInvoice(
  sql: Sql,
  key: { customer_id: CustomerId; id: bigint },
): Promise<Invoice> {
  const row = await sql.maybe(invoiceOfId, key)
  if (!row) throw invoiceNotFound()
  return invoiceOf(row, await sql.run(itemsOfInvoices, { ids: [row.id] }))
}

async function withItems(sql: Sql, rows: readonly InvoiceRow[]): Promise<Invoice[]> {
  const items = await sql.run(itemsOfInvoices, { ids: rows.map(({ id }) => id) })
  const byInvoice = Map.groupBy(items, ({ invoice_id }) => invoice_id)
  return rows.map((row) => invoiceOf(row, byInvoice.get(row.id) ?? []))
}
