// The page of invoices in a real Chromium: its list, a PDF, and an account without any.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skipChromium } from '../support/chromium.ts'
import { newOwner } from '../support/owner.ts'
import { readPdf } from '../support/payments/read-pdf.ts'
import { startService } from '../support/service.ts'
import { assertViews } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService()
const { openAs } = await openDashboard(registrar)
const place = { path: '/invoices', heading: 'Invoices' }

describe('the page of invoices', { skip: skipChromium }, () => {
  it('has a document for each payment, which is downloaded as a PDF', async () => {
    const owner = await newOwner(registrar, { funds_cents: 2_500 })
    const page = await openAs(owner, place)
    const row = page.getByRole('row').filter({ hasText: 'Paid' })
    assert.match(await row.innerText(), /\$25\.00/)
    const number = /\d{4}-\d{6}/.exec(await row.innerText())?.[0]
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: `Download ${number} as PDF` }).click()
    const file = await saved
    assert.equal(file.suggestedFilename(), `invoice-${number}.pdf`)
    const bytes = Buffer.concat(await (await file.createReadStream()).toArray())
    assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
    await assertViews(page)
  })

  it('leads to the statement, where each purchase has a receipt as a PDF', async () => {
    const owner = await newOwner(registrar, { funds_cents: 2_500 })
    const domain = `receipt-${owner.id.slice(-8)}.com`
    const options = { token: owner.key, body: { domain } }
    const bought = await registrar.request('POST', '/v1/domains', options)
    assert.equal(bought.status, 200, bought.text)
    const page = await openAs(owner, place)
    await page.getByRole('link', { name: 'the statement of the balance' }).click()
    await page.getByRole('heading', { level: 1, name: 'Balance' }).waitFor()
    const buttons = page.getByRole('button', { name: /^Download the receipt/ })
    await buttons.first().waitFor()
    assert.equal(await buttons.count(), 1, 'the top-up has none')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: `Download the receipt of ${domain} as PDF` }).click()
    const file = await saved
    assert.equal(file.suggestedFilename(), `receipt-${bought.body.operation.id}.pdf`)
    const bytes = Buffer.concat(await (await file.createReadStream()).toArray())
    const { text } = await readPdf(bytes)
    assert.ok(text.includes(`Registration of ${domain}, 1 year ${bought.body.price.amount}`), text)
    await assertViews(page)
  })

  it('shows open ones without a file, and more on demand', async () => {
    const owner = await newOwner(registrar, { funds_cents: 0 })
    const path = `/v1/customers/${owner.id}/billing/invoices`
    const items = [
      { description: 'Consulting, '.repeat(20), unit_amount: '1234567.89' },
      { description: 'Travel', unit_amount: '10.00' },
    ]
    for (let made = 0; made < 51; made += 1) {
      const body = { items, due_at: '2030-01-31T12:00:00Z', currency: 'EUR' }
      const options = { token: registrar.operatorKey, body }
      assert.equal((await registrar.request('POST', path, options)).status, 201)
    }
    const page = await openAs(owner, place)
    const open = page.getByRole('row').filter({ hasText: 'Open' })
    assert.match(await open.first().innerText(), /Due .*2030[\s\S]*and 1 more line[\s\S]*Once paid/)
    assert.equal(await open.count(), 50)
    await page.getByRole('button', { name: 'Show older invoices' }).click()
    await page.getByText('51 documents').waitFor()
    await assertViews(page)
  })

  it('leads an account without any to its balance', async () => {
    const owner = await newOwner(registrar, { funds_cents: 0 })
    const page = await openAs(owner, place)
    await page.getByText('No invoices yet').waitFor()
    await assertViews(page)
    await page.getByRole('link', { name: 'Open the balance' }).click()
    await page.getByRole('heading', { level: 1, name: 'Balance' }).waitFor()
  })
})
