// The list of domains in a real Chromium: filters with counts in the URL, sorting, changes of
// several domains with a result for each, CSV, and 10,000 rows without a long task.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skipChromium } from '../support/chromium.ts'
import { copyHolding } from '../support/owner-sql.ts'
import { startService, type TestCustomer } from '../support/service.ts'
import { givePassword, ownersPassword } from '../support/sign-in.ts'
import { assertAccessible, assertViews } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService({ worker: false })
const [owner, collector] = await Promise.all([registrar.customer(), registrar.customer()])
const { site, openAs } = await openDashboard(registrar)
const names = ['alder.com', 'birch.com', 'cedar.com']

const pageOf = (who: TestCustomer, { alone = false } = {}) =>
  openAs({ ...who, password: ownersPassword }, { path: '/domains', heading: 'Domains', alone })

async function buy(who: TestCustomer, domain: string): Promise<void> {
  const bought = await registrar.request('POST', '/v1/domains', {
    token: who.key,
    body: { domain },
  })
  assert.equal(bought.status, 200, bought.text)
}

const read = async (domain: string) =>
  (await registrar.request('GET', `/v1/domains/${domain}`, { token: owner.key })).body

before(async () => {
  await Promise.all([owner, collector].map((who) => givePassword(registrar, who)))
  for (const domain of names) await buy(owner, domain)
  const locked = await registrar.request('POST', '/v1/domains/cedar.com/lock', {
    token: owner.key,
  })
  assert.equal(locked.status, 200, locked.text)
})

async function select(page: Page, ...domains: string[]): Promise<void> {
  for (const domain of domains) await page.getByLabel(`Select ${domain}`).check()
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const rowOf = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('row').filter({ hasText: name })

describe('filters', { skip: skipChromium }, () => {
  it('count each status, are in the URL, and combine', async () => {
    const page = await pageOf(owner)
    await button(page, /^Active\s*3$/).waitFor()
    await page.getByLabel('Transfer lock').selectOption('Locked')
    await page.waitForURL(`${site}/domains?lock=on`)
    await button(page, /^All\s*1$/).waitFor()
    await page.getByText('1 of 3 domains').waitFor()
    await page.getByLabel('Filter by name').fill('no-such')
    await page.getByText('No domain matches').waitFor()
    await button(page, 'Clear filters').click()
    await page.waitForURL(`${site}/domains`)
    assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), '4')
  })

  it('sort by a click on a header, which says so', async () => {
    const page = await pageOf(owner)
    const header = page.getByRole('columnheader', { name: 'Domain' })
    assert.equal(await header.getAttribute('aria-sort'), 'ascending')
    await header.getByRole('button').click()
    await page.waitForURL(`${site}/domains?sort=-domain`)
    assert.equal(await header.getAttribute('aria-sort'), 'descending')
    assert.match(await page.locator('[data-index="0"]').innerText(), /cedar\.com/)
  })
})

describe('a change of several domains', { skip: skipChromium }, () => {
  it('renews at the total that was confirmed, with a result for each', async () => {
    const page = await pageOf(owner)
    await select(page, 'alder.com', 'birch.com')
    const before = await read('alder.com')
    await page.getByRole('button', { name: 'Renew', exact: true }).click()
    await button(page, 'Check prices').click()
    await button(page, 'Renew 2 domains for US$21.70').click()
    await rowOf(page, 'birch.com').getByText('Renewed until').waitFor()
    await page.getByText('2 domains changed').waitFor()
    await assertAccessible(page)
    const renewed = await read('alder.com')
    assert.equal(
      new Date(renewed.expiry).getUTCFullYear(),
      new Date(before.expiry).getUTCFullYear() + 1,
    )
    await button(page, 'Done').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('shows which failed and why, and retries only those', async () => {
    const page = await pageOf(owner)
    await select(page, ...names)
    const blocked = '**/v1/domains/birch.com'
    await page.route(blocked, (route) => route.abort())
    await button(page, 'Name servers').click()
    await page.getByLabel('Name servers, one per line').fill('ns1.example.net')
    await button(page, 'Replace').click()
    await page.getByText('Enter 2 to 13 host names').waitFor()
    await page.getByLabel('Name servers, one per line').fill('ns1.example.net\nns2.example.net')
    await button(page, 'Replace').click()
    await page.getByText('2 domains changed, 1 failed').waitFor()
    await rowOf(page, 'birch.com').getByText('cannot be reached').waitFor()
    await assertAccessible(page)
    await page.unroute(blocked)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(new URL(request.url()).pathname)
    })
    await button(page, 'Retry 1 domain').click()
    await page.getByText('3 domains changed').waitFor()
    assert.deepEqual(sent, ['/v1/domains/birch.com'])
    for (const name of names)
      assert.deepEqual((await read(name)).nameservers, ['ns1.example.net', 'ns2.example.net'])
  })

  it('locks, unlocks and sets the renewal of all that are selected', async () => {
    const page = await pageOf(owner)
    await page.getByLabel('Select all rows').check()
    for (const [label, confirm, field, value] of [
      ['Lock', 'Lock', 'locked', true],
      ['Turn on auto-renew', 'Turn on', 'auto_renew', true],
      ['Turn off auto-renew', 'Turn off', 'auto_renew', false],
      ['Unlock', 'Unlock', 'locked', false],
    ] as const) {
      await page
        .getByLabel('Selected domains')
        .getByRole('button', { name: label, exact: true })
        .click()
      await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click()
      await page.getByText('3 domains changed').waitFor()
      if (label === 'Lock') await rowOf(page, 'cedar.com').getByText('Already locked').waitFor()
      await button(page, 'Done').click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      for (const name of names) assert.equal((await read(name))[field], value, `${label} ${name}`)
    }
  })
})

describe('a renewal of several domains', { skip: skipChromium }, () => {
  it('is not renewed for more than the balance, and goes on after a top-up', async () => {
    const poor = await registrar.customer({ funds_cents: 2_500 })
    await givePassword(registrar, poor)
    await buy(poor, 'costly-one.com')
    await buy(poor, 'costly-two.com')
    const page = await pageOf(poor)
    await select(page, 'costly-one.com', 'costly-two.com')
    await page.getByRole('button', { name: 'Renew', exact: true }).click()
    await button(page, 'Check prices').click()
    await page.getByRole('heading', { name: 'The balance is too low' }).waitFor()
    await page.getByText('The price is US$21.70, and US$3.30 is available').waitFor()
    assert.equal(await button(page, /^Renew 2 domains for/).count(), 0)
    await assertViews(page)
    await button(page, /^Add .*100/).click()
    await button(page, 'Renew 2 domains for US$21.70').click()
    await page.getByText('2 domains changed').waitFor()
  })
})

describe('the selected domains', { skip: skipChromium }, () => {
  it('are exported as CSV', async () => {
    const page = await pageOf(owner)
    await select(page, 'birch.com')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Export CSV').click(),
    ])
    assert.equal(download.suggestedFilename(), 'domains.csv')
    const text = await readFile(await download.path(), 'utf8')
    const [header, row] = text.split('\r\n')
    assert.equal(header, 'domain,domain_unicode,status,expires_at,auto_renew,locked,nameservers')
    assert.match(row ?? '', /^birch\.com,birch\.com,active,20\d\d-\S+,false,false,ns1\S+ ns2\S+$/)
  })

  it('have an accessible bar and dialog in both themes and at every width', async () => {
    const page = await pageOf(owner)
    await select(page, 'alder.com')
    await assertViews(page)
    await button(page, 'Name servers').click()
    await page.getByLabel('Name servers, one per line').waitFor()
    await assertViews(page)
  })
})

/** CPU time of each task of the page's main thread, in ms: a busy machine makes none longer. */
async function tasksOf(page: Page, work: () => Promise<void>): Promise<number[]> {
  const browser = page.context().browser()
  assert.ok(browser)
  await browser.startTracing(page, {
    categories: ['toplevel', 'disabled-by-default-devtools.timeline'],
  })
  await work()
  const trace = JSON.parse((await browser.stopTracing()).toString())
  const events: TraceEvent[] = trace.traceEvents
  const mains = events.filter(({ args }) => args?.name === 'CrRendererMain').map(({ tid }) => tid)
  return events
    .filter(({ name, tid }) => /RunTask$/.test(name) && mains.includes(tid))
    .map(({ tdur = 0 }) => tdur / 1_000)
}
type TraceEvent = { name: string; tid: number; tdur?: number; args?: { name?: string } }

describe('10,000 domains', { skip: skipChromium }, () => {
  const count = 10_000

  it('are filtered, sorted and scrolled without a task of more than 50 ms', async (context) => {
    await buy(collector, 'first-of-many.com')
    const others = Array.from({ length: count - 1 }, (_, at) => `n${(at * 7_919) % 99_991}-x.com`)
    await copyHolding(registrar, 'first-of-many.com', others)
    const page = await pageOf(collector, { alone: true })
    await page.getByText('10,000 domains').first().waitFor()
    await page.locator('[data-index="20"]').waitFor()
    await page.waitForTimeout(1_000)
    const tasks = await tasksOf(page, async () => {
      const field = page.getByLabel('Filter by name')
      await field.pressSequentially('n77', { delay: 60 })
      await field.fill('')
      await button(page, /^Active/).click()
      await page.getByRole('columnheader', { name: 'Domain' }).getByRole('button').click()
      const region = page.getByRole('region', { name: 'Domains' })
      await region.hover()
      for (let turn = 0; turn < 40; turn += 1) {
        await page.mouse.wheel(0, 400)
        await page.waitForTimeout(16)
      }
      const first = await page.locator('[data-index]').first().getAttribute('data-index')
      assert.ok(Number(first) > 200, `scrolled to row ${first}`)
      await region.press('End')
      await page.locator(`[data-index="${count - 1}"]`).waitFor()
    })
    const [longest = 0] = tasks.toSorted((a, b) => b - a)
    context.diagnostic(`${tasks.length} tasks, the longest of ${longest} ms`)
    assert.ok(tasks.length > 100 && longest < 50, `${longest} ms`)
  })
})
