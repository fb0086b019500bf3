// A top-up by card in a real Chromium: an owner pays on the page of the simulated Stripe, comes
// back to the dashboard, and buys a domain with the money.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { skipChromium } from '../support/chromium.ts'
import { newOwner } from '../support/owner.ts'
import { startService } from '../support/service.ts'
import { assertAccessible, openPath } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService()
const { site, openAs } = await openDashboard(registrar)

it('a person pays by card and comes back credited', { skip: skipChromium }, async () => {
  const scopes = ['billing:read', 'billing:write', 'domains:purchase']
  const owner = await newOwner(registrar, { funds_cents: 0, scopes })
  const { key: token } = owner
  const page = await openAs(owner, { path: '/billing/top-up', heading: 'Add money' })
  await page.getByRole('radio', { name: /^Card/ }).check({ force: true })
  await page.getByRole('button', { name: /^Pay .*25\.00 by card$/ }).click()
  await page.getByRole('heading', { name: '25.00 USD' }).waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL(/\/dashboard\/billing\/top-up\?checkout=ctp_/)
  await page.getByText(/25\.00 added to the balance/).waitFor()
  await assertAccessible(page)
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
