// The receipt of a purchase as a PDF: its figures are those of the signed receipt, which is
// attached to it and verified by a JOSE library.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { sellElsewhere, soldCode } from '../../../../../test/support/other-registrar.ts'
import { readPdf } from '../../../../../test/support/payments/read-pdf.ts'
import { sharedMovedService } from '../../../../../test/support/service.ts'
import { sellerOf } from '../../../invoices/index.ts'
import { readReceipt } from './receipt.ts'
import { renderReceipt } from './render-receipt.ts'

const registrar = await sharedMovedService()
const { app } = registrar.service
const buyer = await registrar.customer()
const tag = buyer.id.slice(-8)

async function buy(domain: string, body: object = {}, { id, key: token } = buyer) {
  const answer = await registrar.request('POST', '/v1/domains', {
    token,
    body: { domain, ...body },
  })
  assert.ok(answer.status < 300, answer.text)
  const operation = answer.body.operation.id
  const done = await registrar.request('GET', `/v1/operations/${operation}/wait`, { token })
  assert.equal(done.body.state, 'succeeded', `${id} ${done.text}`)
  return String(operation)
}

async function download(operation: string, token = buyer.key) {
  const url = `${registrar.url}/v1/operations/${operation}/receipt/pdf`
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.status, 200)
  return { response, pdf: await readPdf(new Uint8Array(await response.arrayBuffer())) }
}

const signedOf = async (operation: string) =>
  (await registrar.request('GET', `/v1/operations/${operation}/receipt`, { token: buyer.key })).body

describe('the PDF of a receipt', () => {
  it('has the figures of the signed receipt, and is named for the order', async () => {
    const operation = await buy(`pdf-${tag}.com`, { period_years: 2 })
    const { response, pdf } = await download(operation)
    const signed = await signedOf(operation)
    assert.equal(response.headers.get('content-type'), 'application/pdf')
    assert.equal(
      response.headers.get('content-disposition'),
      `attachment; filename="receipt-${operation}.pdf"`,
    )
    const { text, pages } = pdf
    assert.equal(pages.length, 1)
    assert.match(text, new RegExp(`^Receipt Number ${operation} Date \\d`))
    assert.ok(text.includes(`Registration of ${signed.domain}, 2 years ${signed.amount}`), text)
    assert.ok(text.includes(`Total paid ${signed.amount} ${signed.currency}`), text)
    assert.match(text, /Currency USD .*No tax is charged in addition/)
    assert.ok(text.includes(`Payment reference Transaction ${signed.transfers.capture}`), text)
    for (const figure of [
      signed.request_sha256,
      `${signed.audit.placed.id}: ${signed.audit.placed.row_hash}`,
      `${signed.audit.settled.id}: ${signed.audit.settled.row_hash}`,
      `${signed.placed_at.slice(11, 19)} UTC, transaction ${signed.transfers.hold}`,
      `${signed.paid_at.slice(11, 19)} UTC, transaction ${signed.transfers.capture}`,
      `${registrar.url}/v1/document-keys`,
    ])
      assert.ok(text.includes(figure), `${figure} of ${text}`)
    const listed = await registrar.request(
      'GET',
      `/v1/customers/${buyer.id}/billing/transactions?limit=5`,
      { token: buyer.key },
    )
    const line = listed.body.transactions.find(
      ({ id }: { id: number }) => String(id) === signed.transfers.capture,
    )
    assert.equal(`-${signed.amount}`, line.amount)
  })

  it('has the signed receipt attached, and names its id and digest', async () => {
    const operation = await buy(`signed-pdf-${tag}.com`)
    const { pdf } = await download(operation)
    const jws = pdf.attachments.get('receipt.jwt') ?? ''
    const { body } = await registrar.request('GET', '/v1/document-keys')
    const options = { typ: 'receipt+jwt', issuer: registrar.url, subject: buyer.id }
    const { payload } = await jwtVerify(jws, createLocalJWKSet({ keys: body.keys }), options)
    const { jws: _jws, ...facts } = await signedOf(operation)
    for (const [name, value] of Object.entries(facts)) assert.deepEqual(payload[name], value, name)
    assert.ok(pdf.text.includes(`jti ${payload.jti}`), pdf.text)
    assert.ok(pdf.text.includes(createHash('sha256').update(jws).digest('hex')), pdf.text)
  })

  it('is refused, as the signed one, while the order is not paid', async () => {
    const domain = `moving-${tag}.com`
    await sellElsewhere(registrar, domain)
    const body = { domain, auth_code: soldCode }
    const asked = await registrar.request('POST', '/v1/domains/transfer', {
      ...{ token: buyer.key, body },
    })
    assert.equal(asked.body.operation.state, 'pending', asked.text)
    for (const end of ['receipt', 'receipt/pdf']) {
      const path = `/v1/operations/${asked.body.operation.id}/${end}`
      const refused = await registrar.request('GET', path, { token: buyer.key })
      assert.deepEqual([refused.status, refused.body.code], [409, 'receipt_unavailable'], end)
    }
  })

  it('is not found for another customer, and without the scope', async () => {
    const operation = await buy(`others-${tag}.com`)
    const path = `/v1/operations/${operation}/receipt/pdf`
    const other = await registrar.customer()
    const foreign = await registrar.request('GET', path, { token: other.key })
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'operation_not_found'])
    const narrow = await registrar.customer({ scopes: ['billing:read'] })
    const refused = await registrar.request('GET', path, { token: narrow.key })
    assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope'])
  })
})

describe('the pages of a receipt', () => {
  it('name seller and buyer, and that it is of a sandbox', async () => {
    const { pdf } = await download(await buy(`parties-${tag}.com`))
    const { text } = pdf
    assert.match(text, /Seller Sample Registrar Ltd .* Not a real company Tax id: SAMPLE-/)
    assert.match(text, /SAMPLE from a sandbox: no money was paid, and nothing was sold\./)
    const path = `/v1/customers/${buyer.id}/contacts/${buyer.contact_id}`
    const { body } = await registrar.request('GET', path, { token: buyer.key })
    for (const value of [body.address, body.zip, body.city, body.email, buyer.id])
      assert.ok(text.includes(value), `${value} of ${text}`)
    assert.match(pdf.title, /^Receipt ord_\w+ of Sample Registrar Ltd$/)
  })

  it('show a name in Unicode where the fonts have its characters', async () => {
    const shown = await download(await buy(`bücher-${tag}.com`))
    assert.match(shown.pdf.text, new RegExp(`Registration of bücher-${tag}\\.com \\(xn--`))
  })

  it('have no mark of a sandbox in production, and say that no seller is set', async () => {
    const operation = await buy(`production-${tag}.com`)
    const of = { customer_id: buyer.id, caller: { kind: 'anonymous' } } as const
    const receipt = await readReceipt(app, of, operation)
    const bytes = await renderReceipt(receipt, {
      seller: sellerOf({
        invoice_seller_name: null,
        invoice_seller_address: null,
        invoice_seller_tax_id: null,
      }),
      buyer: { name: '王', company_name: null, email: 'a@b.example', address: null, country: null },
      environment: 'production',
      base_url: 'https://registrar.example',
    })
    const { text } = await readPdf(bytes)
    assert.match(text, /Seller The details of the seller are not set\. Buyer Wang a@b\.example/)
    assert.match(text, /https:\/\/registrar\.example\/v1\/document-keys/)
    assert.doesNotMatch(text, /SAMPLE|sandbox|null|undefined/)
  })
})
