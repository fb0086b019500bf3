// A top-up by card in a real Chromium: an agent opens a checkout, its owner pays on the page of the
// simulated Stripe, comes back, and buys a domain with the money.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { skipChromium } from '../support/chromium.ts'
import { newOwner } from '../support/owner.ts'
import { startService } from '../support/service.ts'
import { openPath } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService()
const { site, openAs } = await openDashboard(registrar)

it('a person pays by card and comes back credited', { skip: skipChromium }, async () => {
  const scopes = ['billing:read', 'billing:write', 'domains:purchase']
  const owner = await newOwner(registrar, { funds_cents: 0, scopes })
  const { id, key: token } = owner
  const path = `/v1/customers/${id}/billing/processor/checkouts`
  const body = { amount_cents: 2_500, currency: 'USD' }
  const { body: checkout } = await registrar.request('POST', path, { token, body })

  const page = await openAs(owner, { path: '/balance', heading: 'Balance' })
  await page.goto(checkout.url)
  await page.getByRole('heading', { name: '25.00 USD' }).waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL(`${site}/billing/top-up?checkout=${checkout.id}`)

  const read = () => registrar.request('GET', `${path}/${checkout.id}`, { token })
  while ((await read()).body.status !== 'paid')
    await new Promise((resolve) => setTimeout(resolve, 250))
  await openPath(page, `${site}/balance`, 'Balance')
  await page.getByText('$25.00').first().waitFor()
  await page.getByText('Card top-up').first().waitFor()
  const bought = await registrar.request('POST', '/v1/domains', {
    token,
    body: { domain: 'paid-by-card.com' },
  })
  assert.equal(bought.status, 200, bought.text)
  await openPath(page, `${site}/invoices`, 'Invoices')
  const row = page.getByRole('row').filter({ hasText: 'Paid' })
  assert.match(await row.innerText(), /Card top-up[\s\S]*\$25\.00/)
})
