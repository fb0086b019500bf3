// The operators' pages of customers and of the database, in a real Chromium.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skipChromium } from '../../support/chromium.ts'
import { parkedOrderIn } from '../../support/parked-order.ts'
import { startService } from '../../support/service.ts'
import { assertViews, openPath } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { shot } from '../support/shots.ts'

const registrar = await startService({ worker: false })
const { site, newVisitor } = await openDashboard(registrar)

/** A page of an operator who is logged in. */
async function openAs(path: string, heading: string): Promise<Page> {
  const page = await newVisitor()
  await openPath(page, `${site}${path}`, 'Log in as an operator')
  await page.getByLabel('Operator key').fill(registrar.operatorKey)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
  return page
}

describe("the operators' pages of customers and tables", { skip: skipChromium }, () => {
  it('search a customer, and show the profile', async () => {
    const { id, key, email } = await registrar.customer({ funds_cents: 12_345 })
    const bought = { domain: 'customers-page.com' }
    await registrar.request('POST', '/v1/domains', { token: key, body: bought })
    const parked = await parkedOrderIn(registrar, { key, fault: 'drop_after' })
    const page = await openAs('/operator/customers', 'Customers')
    await shot(page, 'customers')
    await assertViews(page)
    await page.getByLabel('Id, email, name or company').fill('no such customer')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('No customer found').waitFor()
    await page.getByLabel('Id, email, name or company').fill(email.toUpperCase())
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('main').getByText(email).waitFor()
    assert.equal(await page.getByRole('main').getByRole('listitem').count(), 1)
    await page.getByRole('main').getByRole('listitem').getByRole('link').click()
    await page.getByText('1 open order').waitFor()
    await page.getByText(parked.domain).first().waitFor()
    await page.getByText('1 domain', { exact: true }).waitFor()
    await shot(page, 'profile')
    await assertViews(page)
    assert.ok(!(await page.content()).includes(key))
    const logs = `/v1/customers/${id}/audit-logs?action=read_customer_profile`
    const { body } = await registrar.request('GET', logs, { token: key })
    assert.equal(body.audit_logs[0].actor_label, 'environment')
  })

  it('list tables, and read one in pages and in an order', async () => {
    for (let i = 0; i < 60; i += 1) await registrar.customer({ funds_cents: 0, contact: false })
    const page = await openAs('/operator/database', 'Database')
    await shot(page, 'tables')
    await assertViews(page)
    await page.getByLabel('Find a table').fill('customers')
    await page.getByRole('link', { name: 'customers', exact: true }).click()
    const grid = page.getByRole('region', { name: 'Rows of customers' })
    await grid.waitFor()
    await page.getByText('Rows 1 to 50').waitFor()
    await shot(page, 'rows')
    await assertViews(page)
    const first = async () =>
      await grid.getByRole('row').nth(1).getByRole('cell').first().innerText()
    const oldest = await first()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Rows 51 to').waitFor()
    await grid.getByRole('button', { name: 'id', exact: true }).click()
    await page.getByText('Rows 1 to 50').waitFor()
    assert.equal(await first(), oldest)
    await grid.getByRole('button', { name: 'id', exact: true }).click()
    await grid.locator('th[aria-sort=descending]').waitFor()
    // The page's policy forbids the polling of waitForFunction.
    const cell = grid.getByRole('row').nth(1).getByRole('cell').first()
    await cell.filter({ hasNotText: oldest }).waitFor()
    await page.getByRole('tab', { name: /Columns/ }).click()
    await page.getByText('Primary key').waitFor()
    await page.getByRole('tab', { name: /Indexes/ }).click()
    await page.getByText('customers_pkey').waitFor()
    await assertViews(page)
  })

  it('name hidden columns, and a table that is not there', async () => {
    const page = await openAs('/operator/database/public/passwords?tab=columns', 'passwords')
    await page.getByText('Secret: not readable').waitFor()
    await shot(page, 'columns')
    await assertViews(page)
    await page.goto(`${site}/operator/database/public/nothing`)
    await page.getByText('There is no such table').waitFor()
  })
})
