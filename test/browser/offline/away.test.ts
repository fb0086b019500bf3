// A service that is away for seconds, as in a restart, in a real Chromium: what needs it says so in
// its place and comes by itself afterwards. The page around it stays, with its toasts and dialogs.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skipChromium } from '../../support/chromium.ts'
import { newOwner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import { assertViews } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { shot } from '../support/shots.ts'

const registrar = await startService()
const owner = await newOwner(registrar)
const { site, openAs } = await openDashboard(registrar)
const domain = 'stays-here.com'

before(async () => {
  const bought = await registrar.request('POST', '/v1/domains', {
    token: owner.key,
    body: { domain },
  })
  assert.equal(bought.status, 200, bought.text)
})

/** The parts that come with the shell are there. */
const hasPart = (page: Page, name: string) =>
  page.evaluate(`new Promise((done, fail) => {
    const look = () => {
      if (performance.getEntriesByType('resource').some((one) => one.name.includes('${name}')))
        done()
    }
    setTimeout(() => fail(new Error('${name} did not come with the shell')), 5_000)
    new PerformanceObserver(look).observe({ type: 'resource' })
    look()
  })`)

/** Every request fails, as if the service had been stopped. */
async function away(page: Page): Promise<() => Promise<void>> {
  await page.route(`${new URL(site).origin}/**`, (route) => route.abort())
  return () => page.unrouteAll({ behavior: 'ignoreErrors' })
}

describe('while the service is away', { skip: skipChromium }, () => {
  it('a toast and dialogs come over the page, which stays', async () => {
    const page = await openAs(owner, { path: '/domains', heading: 'Domains', alone: true })
    for (const part of ['toast-list', 'command-palette', 'account-menu']) await hasPart(page, part)
    await away(page)
    await page.getByRole('switch', { name: `Automatic renewal of ${domain}` }).click()
    await page.getByText(`${domain} was not changed`).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
  })

  it('a page that cannot be loaded says so in its place, and comes by itself', async () => {
    const page = await openAs(owner, { path: '/', heading: 'Home', alone: true })
    const back = await away(page)
    await page.getByRole('link', { name: 'Contacts' }).click()
    const missing = page.getByRole('alert').filter({ hasText: 'could not be loaded' })
    await missing.waitFor()
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
    await shot(page, 'missing-part')
    await assertViews(page)
    await back()
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    assert.equal(await missing.count(), 0)
  })

  it('a list that could not be read says so in its place, and is read again by itself', async () => {
    const page = await openAs(owner, { path: '/', heading: 'Home', alone: true })
    await page.route('**/v1/customers/*/contacts', (route) => route.abort())
    await page.getByRole('link', { name: 'Contacts' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'We keep trying automatically.' })
    await notice.waitFor()
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByRole('button', { name: /^Edit / }).waitFor()
    assert.equal(await notice.count(), 0)
  })

  it('the first page waits for the session, and opens by itself', async () => {
    const page = await openAs(owner, { path: '/', heading: 'Home', alone: true })
    await page.route('**/v1/account', (route) => route.abort())
    await page.reload()
    await page.getByText('The service cannot be reached.').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })
})
