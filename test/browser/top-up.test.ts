// Top-ups on the dashboard in a real Chromium: in a stablecoin on the simulated gateway's own
// page, in part, too late; and by card on the simulated processor's page.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skipChromium } from '../support/chromium.ts'
import { newOwner, type Owner } from '../support/owner.ts'
import { startService } from '../support/service.ts'
import { assertAccessible, assertViews, openPath } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'
import { shot } from './support/shots.ts'

const registrar = await startService({ settings: { CHECKOUT_WATCH_SECONDS: '5' } })
const { site, openAs } = await openDashboard(registrar)
const place = { path: '/billing/top-up', heading: 'Add money' }

const newcomer = () => newOwner(registrar, { funds_cents: 0 })

async function choose(page: Page, amount: string, method: RegExp): Promise<void> {
  await page.getByLabel('Another amount').fill(amount)
  await page.getByRole('radio', { name: method }).check({ force: true })
}

async function press(page: Page, label: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: label }).click()
}

/** Opens the gateway's page in another tab, as its link does. */
async function paymentPage(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: "Open the gateway's payment page" }).click()
  return opened
}

async function balanceOf({ id, key }: Owner): Promise<string> {
  const { body } = await registrar.request('GET', `/v1/customers/${id}/billing/balance`, {
    token: key,
  })
  return body.available
}

describe('a top-up in a stablecoin', { skip: skipChromium }, () => {
  it('shows the payment details, survives a reload, and shows the confirmations until it is credited', async () => {
    const owner = await newcomer()
    const page = await openAs(owner, place)
    await assertViews(page)
    await choose(page, '25', /^USDC on Base/)
    await press(page, /^Pay .*25\.00 in USDC$/)
    await page.getByRole('heading', { level: 1, name: /^Top-up of .*25\.00$/ }).waitFor()
    await page.getByText('Send only USDC on the Base network').waitFor()
    await page.getByRole('img', { name: 'QR code of the payment in USDC on Base' }).waitFor()
    assert.match(await page.getByRole('timer').innerText(), /^\d+:\d\d left$/)
    await assertViews(page)
    await page.reload()
    const pay = await paymentPage(page)
    await press(pay, 'Pay exactly')
    await page.getByText(/[01] of \d+ confirmations/).waitFor()
    await page.getByRole('progressbar', { name: 'Confirming' }).waitFor()
    await shot(page, 'confirming')
    await assertAccessible(page)
    await press(pay, 'Confirm now')
    await page.getByText(/25\.00 added to the balance/).waitFor()
    await assertViews(page)
    assert.equal(await balanceOf(owner), '25.00')
    await page.getByRole('link', { name: 'Open the invoices' }).click()
    await page
      .getByRole('row')
      .filter({ hasText: /25\.00/ })
      .waitFor()
  })

  it('credits a part, says so, and is found again among the open ones', async () => {
    const owner = await newcomer()
    const page = await openAs(owner, {
      ...place,
      path: `${place.path}?currency=EUR&shortfall=12.50`,
    })
    assert.equal(await page.getByLabel('Another amount').inputValue(), '12.50')
    await page.getByRole('radio', { name: /^USDC on Base/ }).check({ force: true })
    await press(page, /^Pay .*12\.50 in USDC$/)
    const pay = await paymentPage(page)
    await press(pay, 'Pay less')
    await press(pay, 'Confirm now')
    await page.getByText('Part of the amount was paid').waitFor()
    await openPath(page, `${site}${place.path}`, 'Add money')
    await page.getByRole('link', { name: /^Open the top-up of .*12\.50$/ }).click()
    await page.getByText(/6\.\d\d of .*12\.50 is on the balance/).waitFor()
    await assertViews(page)
  })

  it('takes the id of a transaction as a hint, and no amount that it cannot pay', async () => {
    const owner = await newcomer()
    const page = await openAs(owner, place)
    await choose(page, '0.001', /^USDC on Base/)
    await page.getByText('Enter an amount such as 25 or 25.50.').waitFor()
    await choose(page, '40,5', /^USDC on Base/)
    await press(page, /^Pay .*40\.50 in USDC$/)
    await page.getByLabel('Transaction id').fill('0xabc')
    await press(page, 'Check now')
    await page.getByText('Checked.').waitFor()
    assert.equal(await balanceOf(owner), '0.00')
  })
})
