// The PDF of an invoice: only of a paid one, with its own fonts, and the same bytes each time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../../../test/support/service.ts'
import type { Invoice } from '../invoice.ts'
import { readInvoice } from '../read-invoices.ts'
import { renderInvoice } from './render-invoice.ts'

const registrar = await sharedService({ worker: false })
const { id, key: token } = await registrar.customer({ scopes: ['billing:read', 'billing:write'] })
const path = `/v1/customers/${id}/billing/invoices`

const pagesIn = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length

async function paidInvoice(lines: number): Promise<Invoice> {
  const description = 'Zażółć gęślą jaźń, Ελληνικά, Кириллица. '.repeat(7)
  const items = Array.from({ length: lines }, () => ({ description, unit_amount: '1.00' }))
  const { body } = await registrar.request('POST', path, { token, body: { items } })
  const options = { token: registrar.operatorKey, body: {} }
  const marked = await registrar.request('POST', `${path}/${body.id}/mark-paid`, options)
  assert.equal(marked.status, 200)
  return readInvoice(registrar.service.app.db, { customer_id: id, id: BigInt(body.id) })
}

test('is refused for an open invoice, and not found for another customer', async () => {
  const items = [{ description: 'x', unit_amount: '1.00' }]
  const { body } = await registrar.request('POST', path, { token, body: { items } })
  const open = await registrar.request('GET', `${path}/${body.id}/pdf`, { token })
  assert.deepEqual([open.status, open.body.code], [409, 'invoice_not_paid'])
  const other = await registrar.customer({ scopes: ['billing:read'] })
  const own = `/v1/customers/${other.id}/billing/invoices/${body.id}/pdf`
  const foreign = await registrar.request('GET', own, { token: other.key })
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'invoice_not_found'])
  const theirs = await registrar.request('GET', `${path}/${body.id}/pdf`, { token: other.key })
  assert.equal(theirs.status, 404)
})

test('is downloaded under the number of the invoice', async () => {
  const invoice = await paidInvoice(1)
  const url = `${registrar.url}${path}/${invoice.id}/pdf`
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.headers.get('content-type'), 'application/pdf')
  assert.equal(
    response.headers.get('content-disposition'),
    `attachment; filename="invoice-${invoice.invoice_number}.pdf"`,
  )
  const pdf = Buffer.from(await response.arrayBuffer())
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
  assert.equal(pagesIn(pdf), 1)
  assert.equal(pdf.toString('latin1').match(/\/FontFile2/g)?.length, 2)
  assert.deepEqual(await renderInvoice(invoice, null), pdf)
})

test('continues on further pages', async () => {
  const pdf = await renderInvoice(await paidInvoice(100), '2026-000001')
  const pages = pagesIn(pdf)
  assert.ok(pages !== undefined && pages >= 5 && pages <= 14, String(pages))
})
