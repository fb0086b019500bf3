// The inbox of approvals in a real Chromium: a request that costs nothing says what changes, the
// limits of the moment are known before they refuse, and several are answered at once.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { scopes } from '../../../src/app.ts'
import { skipChromium } from '../../support/chromium.ts'
import { startService } from '../../support/service.ts'
import { givePassword, ownersPassword, recentSessionOf } from '../../support/sign-in.ts'
import { assertViews } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { shot } from '../support/shots.ts'

const registrar = await startService()
const { openAs } = await openDashboard(registrar)

async function person() {
  const customer = await registrar.customer({ funds_cents: 100_000, scopes: [...scopes] })
  const owner = { ...customer, password: ownersPassword }
  await givePassword(registrar, owner)
  return { owner, session: await recentSessionOf(registrar, owner) }
}
type Person = Awaited<ReturnType<typeof person>>

async function agentOf({ owner }: Person, limits: object): Promise<string> {
  const made = await registrar.request('POST', `/v1/customers/${owner.id}/api-keys`, {
    token: owner.key,
    body: { name: 'Shopping agent', scopes: [...scopes], ...limits },
  })
  assert.equal(made.status, 201, made.text)
  return String(made.body.api_key)
}

async function asks(token: string, at: string, body: object = {}): Promise<string> {
  const [method = '', path = ''] = at.split(' ')
  const refused = await registrar.request(method, path, { token, body })
  assert.equal(refused.body.code, 'approval_required', refused.text)
  return String(refused.body.approval.id)
}
const buys = (token: string, domain: string) => asks(token, 'POST /v1/domains', { domain })

async function holds({ owner, session }: Person, domain: string): Promise<void> {
  const bought = await registrar.request('POST', '/v1/domains', {
    token: owner.key,
    body: { domain },
  })
  assert.equal(bought.status, 200, bought.text)
  for (const act of ['lock', 'protect']) {
    const done = await registrar.request('POST', `/v1/domains/${domain}/${act}`, { token: session })
    assert.equal(done.status, 200, done.text)
  }
}

let one: Person
before(async () => {
  one = await person()
})

describe('a request that costs nothing', { skip: skipChromium }, () => {
  it('says in large type which fact changes, from and to, with a warning', async () => {
    await holds(one, 'changed-here.com')
    const token = await agentOf(one, {})
    const nameservers = ['ns1.elsewhere.example', 'ns2.elsewhere.example']
    await asks(token, 'PATCH /v1/domains/changed-here.com', { nameservers })
    await asks(token, 'POST /v1/domains/changed-here.com/unlock')
    const page = await openAs(one.owner, { path: '/approvals', heading: 'Approvals' })
    const own = registrar.service.settings.default_nameservers
    const change = page.getByRole('listitem').filter({ hasText: 'Name servers' }).first()
    for (const name of [...own, ...nameservers]) await change.getByText(name).first().waitFor()
    await change.getByText('decides where the website and the email').waitFor()
    const lock = page.getByRole('listitem').filter({ hasText: 'Transfer lock' }).first()
    assert.match(await lock.locator('dd').innerText(), /^On\s[\s\S]*Off$/)
    await lock.getByText('anybody with the transfer code can move this domain').waitFor()
    assert.equal(await page.getByText('It costs nothing.', { exact: true }).count(), 0)
    await shot(page, 'changes')
    await assertViews(page)
  })
})

describe('a change of DNS records', { skip: skipChromium }, () => {
  it('says in large type what each record becomes, and how many are not shown', async () => {
    const owning = await person()
    const token = await agentOf(owning, {})
    const domain = 'records-here.com'
    await registrar.request('POST', '/v1/domains', { token: owning.owner.key, body: { domain } })
    const path = `/v1/domains/${domain}/records`
    const first = { sets: [{ host: 'www', type: 'TXT', values: ['old words'] }] }
    const set = await registrar.request('PATCH', path, { token: owning.owner.key, body: first })
    assert.equal(set.status, 200, set.text)
    await registrar.request('POST', `/v1/domains/${domain}/protect`, { token: owning.session })
    const more = Array.from({ length: 22 }, (_, at) => ({
      ...{ host: `new-${at}`, type: 'A', values: ['192.0.2.1'] },
    }))
    const sets = [{ host: 'www', type: 'TXT', values: ['new words'] }, ...more]
    await asks(token, `PATCH ${path}`, { sets })
    const page = await openAs(owning.owner, { path: '/approvals', heading: 'Approvals' })
    const item = page.getByRole('listitem').filter({ hasText: domain })
    await item.getByText('change the DNS records of').waitFor()
    const change = item.locator('dl > div').first()
    assert.match(await change.innerText(), /^www TXT\s+old words\s[\s\S]*new words$/)
    await item.getByText('and 3 more that are not shown').waitFor()
    assert.equal(await item.getByText('DNS records decide where the website').count(), 1)
    await shot(page, 'dns-approval')
    await assertViews(page)
  })
})

describe('a purchase', { skip: skipChromium }, () => {
  it('above what is left of a limit says so, and can be approved once that is raised', async () => {
    const two = await person()
    const token = await agentOf(two, {
      spend_limit: { amount: '20.00', window: 'total' },
      approval_above: { amount: '5.00' },
    })
    const first = await buys(token, 'first-one.com')
    await buys(token, 'second-one.com')
    const page = await openAs(two.owner, { path: `/approvals/${first}`, heading: 'Approvals' })
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.getByText('Done', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'All requests' }).click()
    const item = page.getByRole('listitem').filter({ hasText: 'second-one.com' })
    await item.getByText(/^The key “Shopping agent” has .*\$9\.15 left$/).waitFor()
    const approve = page.getByRole('button', { name: 'Approve: register second-one.com' })
    assert.equal(await approve.isDisabled(), true)
    await shot(page, 'limit')
    await assertViews(page)
    await item.getByRole('link', { name: 'Change the limits' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change limits of Shopping agent' })
    await dialog.getByLabel('Spending limit', { exact: true }).fill('40')
    await dialog.getByRole('button', { name: 'Save limits' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goBack()
    await page
      .getByRole('link', { name: /^Approvals/ })
      .first()
      .click()
    await approve.click()
    await item.getByText('Done', { exact: true }).waitFor()
  })

  it('that was approved and failed says why, with the way on', async () => {
    const three = await person()
    const token = await agentOf(three, { approval_above: { amount: '5.00' } })
    const id = await buys(token, 'taken-meanwhile.com')
    const other = await registrar.customer()
    const bought = await registrar.request('POST', '/v1/domains', {
      token: other.key,
      body: { domain: 'taken-meanwhile.com' },
    })
    assert.equal(bought.status, 200, bought.text)
    const page = await openAs(three.owner, { path: `/approvals/${id}`, heading: 'Approvals' })
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.getByText('Failed', { exact: true }).waitFor()
    await page.getByText('Somebody else has it now. Nothing was paid.').waitFor()
    await shot(page, 'failed')
    await assertViews(page)
  })
})

describe('several requests', { skip: skipChromium }, () => {
  it('are approved with their sum in view, and only declined where one is a change', async () => {
    const four = await person()
    await holds(four, 'kept-safe.com')
    const token = await agentOf(four, { approval_above: { amount: '5.00' } })
    for (const domain of ['sum-one.com', 'sum-two.com']) await buys(token, domain)
    await asks(token, 'POST /v1/domains/kept-safe.com/unlock')
    const page = await openAs(four.owner, { path: '/approvals', heading: 'Approvals' })
    for (const domain of ['sum-one.com', 'sum-two.com'])
      await page.getByRole('checkbox', { name: `Select: register ${domain}` }).check()
    const bar = page.getByRole('region', { name: 'Several at once' })
    await bar.getByText(/^2 purchases, together at most .*\$21\.70$/).waitFor()
    await shot(page, 'several')
    await assertViews(page)
    await page.getByRole('checkbox', { name: 'Select: unlock kept-safe.com' }).check()
    await bar.getByText('3 requests').waitFor()
    assert.equal(await bar.getByRole('button', { name: /^Approve/ }).count(), 0)
    await page.getByRole('checkbox', { name: 'Select: unlock kept-safe.com' }).uncheck()
    await bar.getByRole('button', { name: /^Approve all for .*\$21\.70$/ }).click()
    await page.getByText('2 were approved').waitFor()
    await page.getByRole('combobox', { name: 'State' }).selectOption('Waiting for you')
    await page.getByText('sum-one.com').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: /^Decline: / }).count(), 1)
    await page.getByRole('checkbox', { name: 'Select: unlock kept-safe.com' }).check()
    await bar.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('No request matches').waitFor()
    await page.getByRole('combobox', { name: 'State' }).selectOption('Answered')
    await page.getByText('Done', { exact: true }).nth(1).waitFor()
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Changes')
    await page.getByText('Declined', { exact: true }).waitFor()
    assert.equal(await page.getByText('sum-one.com').count(), 0)
    const { body } = await registrar.request('GET', '/v1/approvals?state=all', { token })
    const states = body.approvals.map(({ state }: { state: string }) => state)
    assert.deepEqual(states.toSorted(), ['declined', 'executed', 'executed'])
  })
})
