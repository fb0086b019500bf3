// Money on the dashboard in a real Chromium: the balance that pays, prices that change between
// quote and order, and the statement by type.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { scopes } from '../../src/app.ts'
import { movePaidUntil } from '../../src/capabilities/domains/orders/order-batcher.fixture.ts'
import { skipChromium } from '../support/chromium.ts'
import { sellElsewhere, soldCode } from '../support/other-registrar.ts'
import { newOwner, type Owner } from '../support/owner.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { startService } from '../support/service.ts'
import { assertViews, openPath } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService()
const { site, openAs } = await openDashboard(registrar)
const rows = rowsIn(registrar)

const opened = (owner: Owner, path: string, heading: string) => openAs(owner, { path, heading })

async function post(owner: Owner, path: string, body: object) {
  const answer = await registrar.request('POST', path, { token: owner.key, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const addMoney = (owner: Owner, amount_cents: number, currency: string) =>
  post(owner, '/v1/sandbox/top-ups', { amount_cents, currency })
const buy = (owner: Owner, domain: string, currency = 'USD') =>
  post(owner, '/v1/domains', { domain, currency })
const ownerWith = (funds_cents: number) => newOwner(registrar, { funds_cents, scopes: [...scopes] })

/**
 * Moves the price of .com in USD by that much, and returns once quotes have it, because nodes keep
 * prices for two seconds.
 */
async function movePrice(owner: Owner, action: 'register' | 'renew', cents: number): Promise<void> {
  const probe = { domain: 'price-probe.com', dry_run: true }
  const quoted = async () => {
    const { price } = await post(owner, '/v1/domains', probe)
    return action === 'register' ? price.amount : price.renewal_amount
  }
  const before = await quoted()
  await rows(
    `update tld_prices set price = price + $2
      where tld = 'com' and currency = 'USD' and action = $1`,
    [action, cents],
  )
  while ((await quoted()) === before) await new Promise((resolve) => setTimeout(resolve, 200))
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })

describe('a reversed payment that was spent', { skip: skipChromium }, () => {
  it('is owed on the balance and named before a purchase, with the way to pay it', async () => {
    const owner = await ownerWith(0)
    const session = `cs_owed_${owner.id}`
    const operator = { token: registrar.operatorKey }
    await registrar.request('POST', '/v1/internal/billing/processor/top-ups', {
      ...operator,
      body: {
        customer_id: owner.id,
        amount_cents: 1_500,
        currency: 'USD',
        processor_checkout_session_id: session,
      },
    })
    await buy(owner, `owed-${owner.id.slice(-6)}.com`)
    const reversed = await registrar.request('POST', '/v1/internal/billing/reversals', {
      ...operator,
      body: {
        payment_id: `processor/${session}`,
        reversal_id: session,
        kind: 'dispute',
        amount_cents: 1_500,
        reason: 'Disputed',
      },
    })
    assert.equal(reversed.status, 200, reversed.text)
    const page = await opened(owner, '/balance', 'Balance')
    await page.getByText(/You owe .*10\.85/).waitFor()
    await assertViews(page)
    const link = page.getByRole('region', { name: /You owe/ }).getByRole('link')
    assert.match((await link.getAttribute('href')) ?? '', /currency=USD&shortfall=10\.85$/)
    await openPath(page, `${site}/buy?q=not-yet.com`, 'Buy a domain')
    await button(page, 'Buy not-yet.com').click()
    await page.getByText(/reversed after .*10\.85 of it had been spent/).waitFor()
  })
})

describe('the balance that pays', { skip: skipChromium }, () => {
  it('is the one in euros of an account that has no other', async () => {
    const owner = await ownerWith(0)
    await addMoney(owner, 10_000, 'EUR')
    const bought = await buy(owner, 'paid-in-euros.com', 'EUR')
    const page = await opened(owner, '/', 'Home')
    const balance = page
      .getByRole('region')
      .or(page.locator('section'))
      .filter({
        has: page.getByRole('heading', { name: /^Balance/ }),
      })
    await balance.getByText(/^€\d/).first().waitFor()
    assert.doesNotMatch(await balance.first().innerText(), /\$/)
    await openPath(page, `${site}/domains/paid-in-euros.com`, 'paid-in-euros.com')
    await button(page, 'Renew').click()
    const sent = page.waitForRequest(
      (request) => request.postData()?.includes('max_price') ?? false,
    )
    await button(page, /^Renew for €/).click()
    const { currency, max_price, expected_expiry } = (await sent).postDataJSON()
    assert.deepEqual([currency, expected_expiry], ['EUR', bought.expiry])
    assert.match(max_price, /^\d+\.\d\d$/)
    await page.getByText(/paid-in-euros\.com is renewed until/).waitFor()
    await openPath(page, `${site}/buy`, 'Buy a domain')
    assert.equal(await page.getByLabel('Currency').inputValue(), 'EUR')
  })

  it('is chosen by an account that has several, and home shows each', async () => {
    const owner = await ownerWith(20_000)
    await addMoney(owner, 10_000, 'EUR')
    await sellElsewhere(registrar, 'paid-in-both.com')
    const page = await opened(owner, '/', 'Home')
    await page.getByText('US$200.00').waitFor()
    await page.getByText('€100.00').first().waitFor()
    await openPath(page, `${site}/domains/transfer`, 'Transfer a domain in')
    await page.getByLabel('Domain', { exact: true }).fill('paid-in-both.com')
    await page.getByLabel('Transfer code').fill(soldCode)
    await button(page, 'Check price').click()
    await button(page, 'Transfer for US$10.85').waitFor()
    await page.getByLabel('Pay from').selectOption('Balance €100.00')
    await button(page, /^Transfer for €/).waitFor()
    await assertViews(page)
    const sent = page.waitForRequest(
      (request) => request.postData()?.includes('max_price') ?? false,
    )
    await button(page, /^Transfer for €/).click()
    assert.equal((await sent).postDataJSON().currency, 'EUR')
    await page.getByRole('heading', { level: 1, name: 'paid-in-both.com' }).waitFor()
  })

  it('shows on the home page what to add for the renewals that it pays', async () => {
    const owner = await ownerWith(1_100)
    await addMoney(owner, 2_000, 'EUR')
    for (const [domain, currency] of [
      ['renews-in-euros.com', 'EUR'],
      ['renews-in-dollars.com', 'USD'],
    ] as const) {
      await buy(owner, domain, currency)
      await movePaidUntil(rows, domain, `now() + interval '20 days'`)
    }
    await rows(`update domains set auto_renew = true where name like 'renews-in-%'`)
    const page = await openAs(owner, { path: '/', heading: 'Home', alone: true })
    const need = page.getByRole('listitem').filter({ hasText: 'for upcoming renewals' })
    await need.filter({ hasText: 'US$10.70' }).waitFor()
    assert.match(await need.filter({ hasText: '$' }).innerText(), /1 domain renews/)
    await need.getByRole('link', { name: /^Add money: .*US\$/ }).click()
    await page.waitForURL(`${site}/balance?currency=USD`)
  })
})

describe('a price that changed after it was shown', { skip: skipChromium }, () => {
  it('is shown and confirmed again by a renewal', async () => {
    const owner = await ownerWith(10_000)
    await buy(owner, 'pricier-now.com')
    const page = await opened(owner, '/domains/pricier-now.com', 'pricier-now.com')
    await button(page, 'Renew').click()
    await button(page, 'Renew for US$10.85').waitFor()
    await movePrice(owner, 'renew', 200)
    await button(page, 'Renew for US$10.85').click()
    await page.getByText('The price is now US$12.85. It was US$10.85.').waitFor()
    await button(page, 'Renew for US$12.85').waitFor()
    await assertViews(page)
    await button(page, 'Renew for US$12.85').click()
    await page.getByText(/pricier-now\.com is renewed until/).waitFor()
    await movePrice(owner, 'renew', -200)
  })

  it('is shown and confirmed again by a purchase', async () => {
    const owner = await ownerWith(10_000)
    const page = await opened(owner, '/buy?q=pricier-purchase.com', 'Buy a domain')
    await button(page, 'Buy pricier-purchase.com').click()
    await button(page, 'Buy for US$10.85').waitFor()
    await movePrice(owner, 'register', 300)
    await button(page, 'Buy for US$10.85').click()
    await page.getByText('The price is now US$13.85. It was US$10.85.').waitFor()
    await button(page, 'Buy for US$13.85').click()
    await page.getByText('pricier-purchase.com is yours').waitFor()
    await movePrice(owner, 'register', -300)
    await page.getByRole('link', { name: 'Manage the domain' }).click()
    await page.getByRole('heading', { level: 1, name: 'pricier-purchase.com' }).waitFor()
  })

  it('is shown and confirmed again by a renewal of several domains', async () => {
    const owner = await ownerWith(10_000)
    for (const domain of ['pricier-one.com', 'pricier-two.com']) await buy(owner, domain)
    const page = await opened(owner, '/domains', 'Domains')
    for (const domain of ['pricier-one.com', 'pricier-two.com'])
      await page.getByLabel(`Select ${domain}`).check()
    await button(page, 'Renew').click()
    await button(page, 'Check prices').click()
    await button(page, 'Renew 2 domains for US$21.70').waitFor()
    await movePrice(owner, 'renew', 100)
    await button(page, 'Renew 2 domains for US$21.70').click()
    await button(page, 'Retry 2 domains').click()
    await button(page, 'Renew 2 domains for US$23.70').click()
    await page.getByText('2 domains changed').waitFor()
    await movePrice(owner, 'renew', -100)
  })
})

describe('the statement', { skip: skipChromium }, () => {
  it('shows the lines of one type, wherever they are', async () => {
    const owner = await ownerWith(100_000)
    for (let at = 0; at < 27; at += 1) await buy(owner, `statement-${at}.com`)
    const page = await opened(owner, '/balance', 'Balance')
    await page.getByText('50 lines').waitFor()
    await page.getByLabel('Type').selectOption('Top-up')
    await page.getByText('1 of the latest 55 lines').waitFor()
    await page.getByRole('row').filter({ hasText: 'Top-up' }).waitFor()
    await page.getByLabel('Type').selectOption('Reversal')
    await page.getByText('All 55 lines have another type.').waitFor()
    await assertViews(page)
    await button(page, 'Show all types').click()
    await page.getByText('50 lines').waitFor()
  })
})
