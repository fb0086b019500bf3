// Limits of API keys and connected apps in a real Chromium: set, refused by the service, shown with
// what is spent, changed after a fresh log-in, and removed.
// The owner's approvals are tested in the same process.
import './approvals.fixture.ts'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { skipChromium } from '../../support/chromium.ts'
import { newOwner, type Owner } from '../../support/owner.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { startService } from '../../support/service.ts'
import { connectedClient } from '../support/connected-client.ts'
import { assertViews, settled } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { assertRefused, press, rowOf } from '../support/limit-dialogs.ts'
import { shot } from '../support/shots.ts'

const registrar = await startService()
const rows = rowsIn(registrar)
const { openAs } = await openDashboard(registrar)

const scopes = ['domains:read', 'domains:purchase', 'keys:read', 'keys:write']
const newMaker = () => newOwner(registrar, { scopes })
const keysPath = ({ id }: Owner) => `/v1/customers/${id}/api-keys`
const none = {
  ...{ spend_limit: null, max_price: null },
  ...{ allowed_tlds: null, allowed_domains: null, allowed_ips: null },
}

async function listed(owner: Owner, path: string): Promise<Record<string, unknown>[]> {
  const { status, body } = await registrar.request('GET', path, { token: owner.key })
  assert.equal(status, 200)
  const list: unknown = path.endsWith('oauth-grants') ? body.oauth_grants : body
  assert.ok(Array.isArray(list))
  return list
}

/** The limits of the key or app with this name, as the API has them. */
async function limitsOf(owner: Owner, path: string, name: string) {
  const found = (await listed(owner, path)).find((one) =>
    [one.name, one.client_name].includes(name),
  )
  assert.ok(found, name)
  const { spend_limit, max_price, allowed_tlds, allowed_domains, allowed_ips, expires_at } = found
  const limits = { spend_limit, max_price, allowed_tlds, allowed_domains, allowed_ips }
  return { limits, expires_at, spend: Object(spend_limit) }
}

async function makeKey(owner: Owner, token: string, body: object): Promise<string> {
  const made = await registrar.request('POST', keysPath(owner), { token, body })
  assert.equal(made.status, 201, made.text)
  return made.body.api_key
}

const amountsOf = async (dialog: Locator) => [
  await dialog.getByLabel('Spending limit', { exact: true }).inputValue(),
  await dialog.getByLabel('Highest price of one purchase').inputValue(),
]

describe('the limits of a new API key', { skip: skipChromium }, () => {
  it('are refused at their fields, keep what was typed, and are stored', async () => {
    const owner = await newOwner(registrar)
    const page = await openAs(owner, {
      ...{ path: '/api-keys', heading: 'API keys' },
      view: { width: 360, theme: 'light' },
    })
    await press(page, 'Create API key')
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog.getByLabel('Name', { exact: true }).fill('shop bot')
    await dialog.getByRole('radio', { name: /^Buy/ }).check()
    await dialog.getByText('up to your full account balance').waitFor()
    const amount = dialog.getByLabel('Spending limit', { exact: true })
    assert.equal(await amount.isVisible(), false)
    await dialog.getByText('Limits and expiry').click()
    await dialog.getByText('US$50.00', { exact: true }).click()
    assert.equal(await amount.inputValue(), '50.00')
    await dialog.getByText('can spend up to US$50.00 a month').waitFor()
    await dialog.getByLabel('Highest price of one purchase').fill('15,5')
    await dialog.getByLabel('TLDs').fill('com, not_a_tld, net')
    await page.evaluate(settled)
    await assertViews(page)
    await shot(page, 'create')
    await dialog.getByText('Limits and expiry').click()
    await press(page, 'Create')
    await assertRefused(dialog, 'TLDs', /^not_a_tld: This has U\+005F LOW LINE/)
    await page.evaluate(settled)
    await assertViews(page)
    await shot(page, 'refused')
    assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'shop bot')
    assert.deepEqual(await amountsOf(dialog), ['50.00', '15,5'])

    await dialog.getByLabel('TLDs').fill('com .net')
    await dialog.getByLabel('Expires').selectOption('On a day…')
    await dialog.getByLabel('Last day').fill('2020-01-01')
    await press(page, 'Create')
    await assertRefused(dialog, 'Last day', /in the future/)
    await dialog.getByLabel('Expires').selectOption('In 30 days')
    await press(page, 'Create')
    await press(page, 'I have stored it')
    const { limits, expires_at, spend } = await limitsOf(owner, keysPath(owner), 'shop bot')
    const { until, ...budget } = spend
    assert.deepEqual(budget, {
      ...{ amount: '50.00', currency: 'USD', window: 'month' },
      ...{ spent: '0.00', left: '50.00' },
    })
    assert.ok(Date.parse(until) > Date.now())
    assert.deepEqual(limits, {
      ...{ ...none, spend_limit: spend, max_price: { amount: '15.50', currency: 'USD' } },
      allowed_tlds: ['com', 'net'],
    })
    const days = (Date.parse(String(expires_at)) - Date.now()) / 86_400_000
    assert.ok(days > 29.9 && days <= 30, String(expires_at))
    const row = rowOf(page, 'shop bot')
    await row.getByText('US$0.00 of US$50.00 spent, US$50.00 left this month').waitFor()
    await row.getByText('At most US$15.50 for one purchase').waitFor()
    await row.getByText('Buys only under .com, .net').waitFor()
  })
})

describe('the limits of an API key', { skip: skipChromium }, () => {
  const spend_limit = { amount: '20.00', currency: 'USD', window: 'day' }

  it('are shown with what is spent, also for a key that it made', async () => {
    const owner = await newMaker()
    const parent = await makeKey(owner, owner.key, { name: 'parent bot', scopes, spend_limit })
    await makeKey(owner, parent, { name: 'child bot', scopes: ['domains:purchase'] })
    const buy = { token: parent, body: { domain: 'limits-in-a-browser.com' } }
    assert.equal((await registrar.request('POST', '/v1/domains', buy)).status, 200)
    const { spend } = await limitsOf(owner, keysPath(owner), 'parent bot')
    const words = `US$${spend.spent} of US$20.00 spent, US$${spend.left} left today`
    assert.notEqual(spend.spent, '0.00')
    const page = await openAs(owner, { path: '/api-keys', heading: 'API keys' })
    const row = rowOf(page, 'parent bot')
    await row.getByText(words).waitFor()
    const share = Math.floor((Number(spend.spent) / 20) * 100)
    assert.equal(await row.locator(`[style="width: ${share}%;"]`).count(), 1)
    const child = rowOf(page, 'child bot')
    await child.getByText('The limits of parent bot, which created it, apply too:').waitFor()
    await child.getByText(words).waitFor()
    await page.evaluate(settled)
    await assertViews(page)
    await shot(page, 'keys')
  })

  it('are changed after a fresh log-in, and removed', async () => {
    const owner = await newMaker()
    await makeKey(owner, owner.key, {
      name: 'shop bot',
      scopes,
      spend_limit,
      allowed_ips: ['192.0.2.1'],
    })
    const page = await openAs(owner, { path: '/api-keys', heading: 'API keys' })
    const old = `signed_in_at = now() - interval '1 hour'`
    await rows(`update sessions set ${old} where customer_id = $1`, [owner.id])
    registrar.service.app.authentications.invalidate()
    const change = () => press(page, 'Change limits of shop bot')
    const dialog = page.getByRole('dialog', { name: 'Change limits of shop bot' })
    await change()
    assert.equal(await dialog.getByLabel('Spending limit', { exact: true }).inputValue(), '20.00')
    assert.equal(await dialog.getByLabel('Time').inputValue(), 'day')
    await dialog.getByText('US$200.00', { exact: true }).click()
    await dialog.getByLabel('Only these domains').fill('shop-*.com *.*.com')
    await press(page, 'Save limits')
    await assertRefused(dialog, 'Only these domains', /^\*\.\*\.com: Enter a domain/)
    await dialog.getByLabel('Only these domains').fill('shop-*.com')
    await dialog.getByText('Enter a domain').waitFor({ state: 'detached' })
    await page.evaluate(settled)
    await assertViews(page)
    await shot(page, 'change')
    await press(page, 'Save limits')
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.keyboard.press('Enter')
    await page.getByText('The limits of shop bot are saved').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const { limits, spend } = await limitsOf(owner, keysPath(owner), 'shop bot')
    assert.deepEqual([spend.amount, spend.window], ['200.00', 'day'])
    assert.deepEqual(limits, {
      ...{ ...none, spend_limit: spend },
      ...{ allowed_domains: ['shop-*.com'], allowed_ips: ['192.0.2.1/32'] },
    })
    await rowOf(page, 'shop bot').getByText('Sees and buys only shop-*.com').waitFor()

    await change()
    await dialog.getByText('No limit', { exact: true }).click()
    await dialog.getByLabel('Only these domains').fill('')
    await dialog.getByLabel('Addresses and networks').fill(' ')
    await press(page, 'Save limits')
    await rowOf(page, 'shop bot').getByText('No spending limit').waitFor()
    assert.deepEqual((await limitsOf(owner, keysPath(owner), 'shop bot')).limits, none)
  })
})

describe('the limits of a connected app', { skip: skipChromium }, () => {
  it('are set, hold, are refused at their fields, and are removed', async () => {
    const owner = await newOwner(registrar)
    const path = '/v1/account/oauth-grants'
    const { token } = await connectedClient(registrar, owner, 'Budget Bot')
    const codeOf = async () =>
      (await registrar.request('GET', '/v1/domains', { token })).body.code ?? null
    const page = await openAs(owner, { path: '/connected-apps', heading: 'Connected apps' })
    const change = () => press(page, 'Change limits of Budget Bot')
    const dialog = page.getByRole('dialog', { name: 'Change limits of Budget Bot' })
    await change()
    assert.equal(await dialog.getByLabel('Expires').count(), 0)
    await dialog.getByLabel('Spending limit', { exact: true }).fill('30')
    await dialog.getByLabel('Time').selectOption('in total')
    await dialog.getByLabel('Highest price of one purchase').fill('ten')
    await dialog.getByLabel('Addresses and networks').fill('203.0.113.0/24')
    await press(page, 'Save limits')
    await assertRefused(dialog, 'Highest price of one purchase', /Enter an amount, such as 25\.00/)
    assert.deepEqual(await amountsOf(dialog), ['30', 'ten'])
    assert.equal(await codeOf(), null)
    await dialog.getByLabel('Highest price of one purchase').fill('10')
    await press(page, 'Save limits')
    await page.getByText('US$0.00 of US$30.00 spent, US$30.00 left in total').waitFor()
    await page.getByText('Only from 203.0.113.0/24').waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await codeOf(), 'address_not_allowed')
    const { limits, spend } = await limitsOf(owner, path, 'Budget Bot')
    assert.deepEqual([spend.amount, spend.window, spend.until], ['30.00', 'total', null])
    assert.deepEqual(limits, {
      ...{ ...none, spend_limit: spend, max_price: { amount: '10.00', currency: 'USD' } },
      allowed_ips: ['203.0.113.0/24'],
    })
    await page.evaluate(settled)
    await assertViews(page)
    await shot(page, 'app')

    await change()
    await dialog.getByText('No limit', { exact: true }).click()
    await dialog.getByLabel('Highest price of one purchase').fill('')
    await dialog.getByLabel('Addresses and networks').fill('')
    await press(page, 'Save limits')
    await page.getByText('Only from 203.0.113.0/24').waitFor({ state: 'detached' })
    assert.deepEqual((await limitsOf(owner, path, 'Budget Bot')).limits, none)
    assert.equal(await codeOf(), null)
  })
})
