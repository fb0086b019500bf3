// The PDF of an invoice: only of a paid one, read back by another library, with its parties, tax
// and payment, in every script, and the same bytes each time.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readPdf } from '../../../../test/support/payments/read-pdf.ts'
import { sharedService } from '../../../../test/support/service.ts'
import type { Invoice } from '../invoice.ts'
import { readInvoice } from '../read-invoices.ts'
import { renderInvoice } from './render-invoice.ts'

const registrar = await sharedService({ worker: false })
const { id, key: token } = await registrar.customer({ scopes: ['billing:read', 'billing:write'] })
const path = `/v1/customers/${id}/billing/invoices`
const production = { environment: 'production', credited: null, payment_id: null } as const

async function made(body: object): Promise<number> {
  const answer = await registrar.request('POST', path, { token, body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

async function paid(body: object): Promise<Invoice> {
  const invoice_id = await made(body)
  const options = { token: registrar.operatorKey, body: { processor_payment_intent_id: 'pi_123' } }
  const marked = await registrar.request('POST', `${path}/${invoice_id}/mark-paid`, options)
  assert.equal(marked.status, 200, marked.text)
  return readInvoice(registrar.service.app.db, { customer_id: id, id: BigInt(invoice_id) })
}

async function download(invoice_id: number, customer = { id, key: token }) {
  const url = `${registrar.url}/v1/customers/${customer.id}/billing/invoices/${invoice_id}/pdf`
  const response = await fetch(url, { headers: { authorization: `Bearer ${customer.key}` } })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const item = { description: 'Consulting', quantity: 3, unit_amount: '1234.50' }

test('is refused for an open invoice, and not found for another customer', async () => {
  const invoice_id = await made({ items: [item] })
  const open = await registrar.request('GET', `${path}/${invoice_id}/pdf`, { token })
  assert.deepEqual([open.status, open.body.code], [409, 'invoice_not_paid'])
  const other = await registrar.customer({ scopes: ['billing:read'] })
  const own = `/v1/customers/${other.id}/billing/invoices/${invoice_id}/pdf`
  const foreign = await registrar.request('GET', own, { token: other.key })
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'invoice_not_found'])
  const theirs = await registrar.request('GET', `${path}/${invoice_id}/pdf`, { token: other.key })
  assert.equal(theirs.status, 404)
})

test('is downloaded under the number of the invoice', async () => {
  const invoice = await paid({ items: [item] })
  const { response, bytes } = await download(invoice.id)
  assert.equal(response.headers.get('content-type'), 'application/pdf')
  assert.equal(
    response.headers.get('content-disposition'),
    `attachment; filename="invoice-${invoice.invoice_number}.pdf"`,
  )
  assert.equal(bytes.toString('latin1').match(/\/FontFile2/g)?.length, 2)
  const again = await renderInvoice(invoice, { ...production, environment: 'sandbox' })
  assert.deepEqual(again, bytes)
})

describe('the pages', () => {
  test('have number, dates, parties, currency, tax and the reference of the payment', async () => {
    const invoice = await paid({ items: [item], tax_amount: '20.79', currency: 'EUR' })
    const { pages, text } = await readPdf(await renderInvoice(invoice, production))
    assert.equal(pages.length, 1)
    const { buyer, invoice_number } = invoice
    assert.match(text, new RegExp(`^Invoice Number ${invoice_number} Date \\d+ \\w+ \\d{4} Paid`))
    assert.match(text, /Payment reference pi_123 Currency EUR/)
    assert.match(text, /Consulting 3 1,234\.50 3,703\.50/)
    assert.match(text, /Subtotal 3,703\.50 EUR Tax 20\.79 EUR Total paid 3,724\.29 EUR/)
    assert.doesNotMatch(text, /No tax|sandbox/)
    assert.ok(buyer.address !== null && buyer.company_name === null)
    const address = buyer.address.replaceAll('\n', ' ')
    assert.ok(text.includes(`Buyer ${buyer.name} ${address}`), text)
    assert.ok(text.includes(`${buyer.email} Customer: ${id}`), text)
  })

  test('say that no tax is charged where none is', async () => {
    const { text } = await readPdf(await renderInvoice(await paid({ items: [item] }), production))
    assert.match(text, /Tax 0\.00 USD Total paid 3,703\.50 USD No tax is charged\./)
  })

  test('name the payment by its id on its rail where no processor has another', async () => {
    const invoice = await paid({ items: [item] })
    const direct = { ...invoice, processor_payment_intent_id: null }
    const payment_id = `eip155:8453/0x${'a1'.repeat(32)}/0x${'b2'.repeat(20)}/0x${'c3'.repeat(20)}`
    const { text } = await readPdf(await renderInvoice(direct, { ...production, payment_id }))
    assert.ok(text.replaceAll(' ', '').includes(`Paymentreference${payment_id}Currency`), text)
  })

  test('of a credit note name the invoice that it corrects', async () => {
    const note = { ...(await paid({ items: [item] })), kind: 'credit_note' } as const
    const options = { ...production, credited: '2026-000042' }
    const { text, title } = await readPdf(await renderInvoice(note, options))
    assert.match(text, /^Credit note Number \S+ Corrects invoice 2026-000042/)
    assert.match(text, /Total credited 3,703\.50 USD/)
    assert.match(title, /^Credit note /)
  })

  test('continue with the head of the table on each, and number them', async () => {
    const description = 'Zażółć gęślą jaźń, Ελληνικά, Кириллица. '.repeat(7)
    const items = Array.from({ length: 100 }, () => ({ description, unit_amount: '1.00' }))
    const notes = 'n\n'.repeat(450)
    const { pages } = await readPdf(await renderInvoice(await paid({ items, notes }), production))
    const table = pages.filter((page) => page.includes('Zażółć'))
    assert.ok(table.length >= 5 && table.length <= 16, String(table.length))
    for (const page of table) assert.match(page, /Description Quantity Price Amount/)
    assert.equal(pages.join(' ').match(/Кириллица/g)?.length, 700)
    assert.equal(pages.join(' ').match(/\bn\b/g)?.length, 450)
    for (const [at, page] of pages.entries())
      assert.ok(page.includes(`Page ${at + 1} of ${pages.length}`), page)
  })
})

describe('the seller', () => {
  test('is a sample in the sandbox, and each page says so', async () => {
    const items = Array.from({ length: 60 }, () => item)
    const { pages, text } = await readPdf((await download((await paid({ items })).id)).bytes)
    assert.match(text, /Seller Sample Registrar Ltd 1 Sample Street 12345 Sampleton Not a real/)
    assert.match(text, /Tax id: SAMPLE-123456789/)
    assert.ok(pages.length > 1)
    for (const page of pages) assert.match(page, /SAMPLE from a sandbox: no money was paid/)
  })

  test('is said to be unknown where it is not set', async () => {
    const seller = { name: null, address: null, tax_id: null }
    const invoice = { ...(await paid({ items: [item] })), seller }
    const { text, title } = await readPdf(await renderInvoice(invoice, production))
    assert.match(text, /Seller The details of the seller are not set\./)
    assert.doesNotMatch(text, /null|undefined|Tax id|SAMPLE/)
    assert.equal(title, `Invoice ${invoice.invoice_number}`)
  })
})

describe('a script', () => {
  async function shown(name: string): Promise<string> {
    const invoice = await paid({ items: [item] })
    const buyer = { ...invoice.buyer, name }
    return (await readPdf(await renderInvoice({ ...invoice, buyer }, production))).text
  }

  for (const name of ['Zażółć gęślą', 'Ελληνικά Ω', 'Кириллица', 'Nguyễn Văn', 'ქართული'])
    test(`that the fonts have is written as it is: ${name}`, async () => {
      const text = await shown(name)
      assert.ok(text.includes(`Buyer ${name} `), text)
      assert.doesNotMatch(text, /Latin letters/)
    })

  for (const [name, latin] of [
    ['王小明', 'Wang Xiao Ming'],
    ['Müller 株式会社', 'Müller Zhu Shi Hui She'],
    ['한국어', 'Han Gug Eo'],
    ['ประเทศไทย', 'praethsaithy'],
  ])
    test(`that the fonts lack is transliterated, and the page says so: ${name}`, async () => {
      const text = await shown(name ?? '')
      assert.ok(text.includes(`Buyer ${latin} `), text)
      assert.match(text, /Characters that the fonts of this file lack are written in Latin letters/)
    })

  test('from right to left keeps its words apart and in the order in which they are seen', async () => {
    const text = await shown('שלום עולם')
    assert.ok(text.includes('עולם') && text.includes('שלום'), text)
    assert.ok(!text.includes('שלוםעולם') && !text.includes('עולםשלום'), text)
  })
})
