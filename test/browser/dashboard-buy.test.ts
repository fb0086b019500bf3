// The purchase of a domain in a real Chromium: from an account without money and contacts, and with
// a registry that does not answer.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { skipChromium } from '../support/chromium.ts'
import { newOwner, type Owner } from '../support/owner.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { startService } from '../support/service.ts'
import { assertAccessible, assertViews, openPath, settled } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'
import { shot } from './support/shots.ts'

const registrar = await startService()
const { site, openAs } = await openDashboard(registrar)

const openLoggedIn = (owner: Owner, path: string, heading: string) =>
  openAs(owner, { path, heading })

async function balanceOf({ id, key }: Owner): Promise<string> {
  const path = `/v1/customers/${id}/billing/balance`
  const { body } = await registrar.request('GET', path, { token: key })
  return `${body.available} ${body.held}`
}

/** While it runs, no new row of the audit log is sealed: a transaction that writes is open. */
async function holdingSeals<T>(work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: registrar.service.settings.database_url ?? '' })
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return work().finally(() => client.end())
}

async function search(page: Page, words: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Name or words to search for' }).fill(words)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('heading', { level: 2, name: `Results for ${words}` }).waitFor()
}

async function fillContact(page: Page): Promise<void> {
  await page.getByLabel('Country', { exact: true }).selectOption({ label: 'Netherlands' })
  const fields = {
    'Street and number': 'Keizersgracht 1',
    'Postal code': '1015 CN',
    City: 'Amsterdam',
    'State or province': 'Noord-Holland',
    'Telephone number': '201234567',
  }
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value)
}

/** The fields of a contact as a form for a new one takes them, without defaults. */
function contactFields(contact: Readonly<Record<string, unknown>>) {
  const names = [
    ...['email', 'company_name', 'address', 'address_line_2', 'city', 'state', 'country', 'zip'],
    ...['phone_country_code', 'phone_number'],
  ]
  return Object.fromEntries(names.map((name) => [name, contact[name]]))
}

describe('the search', { skip: skipChromium }, () => {
  it('begins in its box, where the focus stays, and the back button has the earlier names', async () => {
    const page = await openLoggedIn(await newOwner(registrar), '/buy', 'Buy a domain')
    const box = page.getByRole('searchbox').and(page.locator(':focus'))
    await box.fill('by-the-enter-key')
    await box.press('Enter')
    await page.getByRole('heading', { name: 'Results for by-the-enter-key' }).waitFor()
    await box.waitFor()
    await search(page, 'by-the-button')
    await page.goBack()
    await page.getByRole('heading', { name: 'Results for by-the-enter-key' }).waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'by-the-enter-key')
  })
})

describe('the purchase', { skip: skipChromium }, () => {
  it('begins without a registrant and money, asks for both, and ends with the domain', async () => {
    const owner = await newOwner(registrar, { contact: false, funds_cents: 0 })
    const page = await openLoggedIn(owner, '/buy', 'Buy a domain')
    await search(page, 'first-purchase')
    await page.getByRole('button', { name: 'Buy first-purchase.com' }).click()
    await page.getByRole('heading', { name: 'A registrant is missing' }).waitFor()
    await assertViews(page)
    await page.getByRole('button', { name: 'Save and continue' }).click()
    await page.getByLabel('Street and number').and(page.locator('[aria-invalid]')).waitFor()
    await fillContact(page)
    await page.getByRole('button', { name: 'Save and continue' }).click()
    await page.getByRole('heading', { name: 'The balance is too low' }).waitFor()
    await page.evaluate(settled)
    await assertAccessible(page)
    await page.getByRole('button', { name: /^Add .*100/ }).click()
    await page.getByRole('button', { name: /^Buy for .*10\.85$/ }).waitFor()
    await assertViews(page)
    const order = page.waitForRequest(
      (request) => request.postData()?.includes('max_price') ?? false,
    )
    await page.getByRole('button', { name: /^Buy for/ }).click()
    const { max_price, dry_run } = JSON.parse((await order).postData() ?? '')
    assert.deepEqual([max_price, dry_run], ['10.85', undefined])
    assert.match((await (await order).allHeaders())['idempotency-key'] ?? '', /^[0-9a-f-]{36}$/)
    await page.getByText('first-purchase.com is yours').waitFor()
    await page.evaluate(settled)
    await assertAccessible(page)
    const held = await registrar.request('GET', '/v1/domains/first-purchase.com', {
      token: owner.key,
    })
    assert.equal(held.body.status, 'active')
    assert.equal(await balanceOf(owner), '89.15 0.00')
    await page.getByRole('switch', { name: 'Lock against transfers' }).click()
    await page.getByRole('button', { name: 'Search for another' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'first-purchase.com' })
    await row.getByText('Yours').waitFor()
    await row.getByRole('link', { name: 'Manage' }).waitFor()
    assert.doesNotMatch(await row.innerText(), /Available|Buy/)
  })

  it('waits for a silent registry, and shows the end of the order', async () => {
    const owner = await newOwner(registrar)
    const domain = 'silent-purchase.com'
    const fault = { name: 'drop_before', command: 'domain:create', domain, times: null } as const
    registrar.sandbox.setFault(fault)
    const page = await openLoggedIn(owner, '/buy?q=silent-purchase', 'Buy a domain')
    await page.getByRole('button', { name: `Buy ${domain}` }).click()
    await page.getByRole('button', { name: /^Buy for/ }).click()
    await page.getByText('The registry has not answered yet').waitFor()
    await page.getByText(/10\.85 is held for this order/).waitFor()
    await assertViews(page)
    registrar.sandbox.clearFaults()
    // The longer the registry was silent about it, the longer it waits.
    await rowsIn(registrar)('update orders set run_at = clock_timestamp() where closed_at is null')
    await page.getByText(`${domain} is yours`).waitFor()
  })

  it('shows an unanswered check as unknown, without a price', async () => {
    const owner = await newOwner(registrar)
    const domain = 'unknown-name.com'
    registrar.sandbox.setFault({ name: 'drop_before', command: 'domain:check', times: null })
    const page = await openLoggedIn(owner, '/buy', 'Buy a domain')
    await search(page, `${domain} unknown-name.shop`)
    const row = page.getByRole('listitem').filter({ hasText: domain })
    await row.getByText('No answer').waitFor()
    assert.doesNotMatch(await row.innerText(), /\$|Available/)
    await page.evaluate(settled)
    await assertAccessible(page)
    registrar.sandbox.clearFaults()
    await row.getByRole('button', { name: 'Ask again' }).click()
    await row.getByRole('button', { name: `Buy ${domain}` }).waitFor()
  })
})

describe('a purchase in flight', { skip: skipChromium }, () => {
  it('says that closing does not cancel it, before and after that', async () => {
    const owner = await newOwner(registrar)
    const page = await openLoggedIn(owner, '/buy?q=closed-too-early', 'Buy a domain')
    await page.getByRole('button', { name: 'Buy closed-too-early.com' }).click()
    const buy = page.getByRole('button', { name: /^Buy for/ })
    // The dialog asks for its price by a POST to the same path, which must not be held.
    await buy.waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/domains', async (route) => {
      if (route.request().method() === 'POST') await held.promise
      await route.continue()
    })
    await buy.click()
    const dialog = page.getByRole('dialog', { name: /closed-too-early/ })
    await dialog.getByText('Closing this does not cancel it').waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Cancel' }).count(), 0)
    await shot(page, 'in-flight')
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByText('The order was sent and may still be carried out').waitFor()
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    held.resolve()
    assert.equal((await answered).status(), 200)
    assert.equal(await balanceOf(owner), '989.15 0.00')
  })
})

describe('the checkout', { skip: skipChromium }, () => {
  it('names another contact as the registrant, and leads to a domain that is held', async () => {
    const owner = await newOwner(registrar)
    const path = `/v1/customers/${owner.id}/contacts`
    const { body: listed } = await registrar.request('GET', path, { token: owner.key })
    const [first] = Object.values(listed)
    const second = await registrar.request('POST', path, {
      token: owner.key,
      body: { ...contactFields(first), name: 'Second Registrant' },
    })
    assert.equal(second.status, 201, second.text)
    const page = await openLoggedIn(owner, '/buy?q=second-registrant', 'Buy a domain')
    await page.getByRole('button', { name: 'Buy second-registrant.com' }).click()
    const { name, handle, id } = second.body
    const registrant = page.getByRole('combobox', { name: 'Registrant' })
    assert.equal(await registrant.inputValue(), String(first.id))
    await registrant.selectOption(`${name} (${handle})`)
    await page.getByText('Automatic renewal and the transfer lock are off at first').waitFor()
    await assertViews(page)
    await page.getByRole('button', { name: /^Buy for/ }).click()
    await page.getByText('second-registrant.com is yours').waitFor()
    const held = await registrar.request('GET', '/v1/domains/second-registrant.com', {
      token: owner.key,
    })
    assert.equal(held.body.contacts.registrant, id)

    await page.getByRole('button', { name: 'Search for another' }).click()
    const bought = await registrar.request('POST', '/v1/domains', {
      token: owner.key,
      body: { domain: 'second-registrant.net' },
    })
    assert.equal(bought.status, 200, bought.text)
    await page.getByRole('button', { name: 'Buy second-registrant.net' }).click()
    await page.getByText('You already hold this domain').waitFor()
    await page.getByRole('link', { name: 'Manage the domain' }).click()
    await page.getByRole('heading', { level: 1, name: 'second-registrant.net' }).waitFor()
  })
})

describe('the balance', { skip: skipChromium }, () => {
  it('grows by a simulated top-up, and is saved as CSV', async () => {
    const owner = await newOwner(registrar, { funds_cents: 0 })
    const page = await openLoggedIn(owner, '/balance', 'Balance')
    await page.getByText('No transactions yet').waitFor()
    await page.getByRole('radio', { name: /50\.00$/ }).check({ force: true })
    await page.getByRole('button', { name: /^Add .*50\.00$/ }).click()
    await page.getByRole('row', { name: /Simulated top-up/ }).waitFor()
    assert.equal(await balanceOf(owner), '50.00 0.00')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const file = await (await saved).createReadStream()
    const text = (await file.toArray()).join('')
    assert.match(
      text,
      /^created_at,type,.*\r\n.*,top_up,Simulated top-up,,,50\.00,0\.00,50\.00,USD,50\.00,0\.00,/,
    )
    await page.evaluate(settled)
    await assertAccessible(page)
  })
})

describe('an internationalized domain name', { skip: skipChromium }, () => {
  it('is bought and listed in Unicode, with its A-label beside it', async () => {
    const owner = await newOwner(registrar)
    const a_label = 'xn--80ajpngj0i.xn--p1ai'
    const page = await openLoggedIn(owner, '/buy', 'Buy a domain')
    await page.getByRole('rowheader', { name: '.рф (.xn--p1ai)' }).waitFor()
    await search(page, 'пекарня.рф')
    await page.getByRole('button', { name: 'Buy пекарня.рф' }).click()
    await page.getByRole('dialog').getByText(a_label).waitFor()
    await page.getByRole('button', { name: /^Buy for/ }).click()
    await page.getByText('пекарня.рф is yours').waitFor()
    await page.getByRole('dialog').getByText(a_label).waitFor()
    await assertViews(page)
    await openPath(page, `${site}/balance`, 'Balance')
    const line = page.getByRole('row').filter({ hasText: 'Registration of пекарня.рф' }).first()
    assert.match(await line.innerText(), new RegExp(a_label))
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const text = (await (await (await saved).createReadStream()).toArray()).join('')
    assert.match(text, new RegExp(`,${a_label},пекарня\\.рф,`))
    await openPath(page, `${site}/audit-log`, 'Audit log')
    await page.getByText('You bought пекарня.рф').waitFor()
  })
})

describe('the audit log', { skip: skipChromium }, () => {
  it('shows a purchase of an agent as a sentence, and verifies its proof once it is sealed', async () => {
    const owner = await newOwner(registrar)
    const domain = 'bought-by-an-agent.com'
    const headers = { 'x-agent-id': 'Claude Code/2.1' }
    const { page, entry } = await holdingSeals(async () => {
      const bought = await registrar.request('POST', '/v1/domains', {
        token: owner.key,
        body: { domain },
        headers,
      })
      assert.equal(bought.status, 200, bought.text)
      const page = await openLoggedIn(owner, '/audit-log', 'Audit log')
      const entry = page.getByRole('listitem').filter({ hasText: `Claude Code bought ${domain}` })
      await entry.getByRole('button', { name: 'Details' }).click()
      const early = page.waitForResponse(/\/proof$/)
      await entry.getByRole('button', { name: 'Check the proof' }).click()
      assert.equal((await early).status(), 409)
      return { page, entry }
    })
    await entry.getByText('The entry is unchanged').waitFor()
    assert.match(await entry.innerText(), /"action": "register_domain"[\s\S]*signature is that/)
    await page.evaluate(settled)
    await assertAccessible(page)
    await openPath(page, `${site}/`, 'Home')
    await page.getByText(`Claude Code bought ${domain}`).waitFor()
  })
})
