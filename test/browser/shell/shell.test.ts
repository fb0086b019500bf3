// The frame of every page in a real Chromium: the band of a sandbox, the groups of the navigation,
// and the first steps of a new account.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skipChromium } from '../../support/chromium.ts'
import { newOwner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import { assertViews, openPath } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { shot } from '../support/shots.ts'

const registrar = await startService()
const { site, openAs, newVisitor } = await openDashboard(registrar)

describe('a page of a sandbox', { skip: skipChromium }, () => {
  it('says so at its top, before the log-in, after it, and for operators', async () => {
    const owner = await newOwner(registrar)
    const visitor = await newVisitor()
    const band = (page: typeof visitor) => page.getByRole('complementary', { name: 'Sandbox' })
    for (const [path, heading] of [
      ['/log-in', 'Log in'],
      ['/sign-up', 'Create an account'],
      ['/operator', 'Log in as an operator'],
    ] as const) {
      await openPath(visitor, `${site}${path}`, heading)
      await band(visitor).getByText('No real money, no real domains').waitFor()
    }
    await assertViews(visitor)
    const page = await openAs(owner, { path: '/domains', heading: 'Domains' })
    await band(page).waitFor()
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    const box = await band(page).boundingBox()
    assert.equal(box?.y, 0)
    assert.equal(await page.evaluate('document.body.scrollHeight <= innerHeight'), true)
  })
})

describe('the first visit', { skip: skipChromium }, () => {
  for (const [path, heading] of [
    ['/', 'Log in'],
    ['/log-in', 'Log in'],
    ['/sign-up', 'Create an account'],
    ['/password/forgotten', 'Reset your password'],
    ['/operator', 'Log in as an operator'],
  ] as const)
    it(`of ${path} writes no error into the console, and asks for no account`, async () => {
      const page = await newVisitor()
      const errors: string[] = []
      page.on('console', (one) => one.type() === 'error' && errors.push(one.text()))
      page.on(
        'response',
        (one) => one.status() >= 400 && errors.push(`${one.status()} ${one.url()}`),
      )
      await openPath(page, `${site}${path}`, heading)
      await page.waitForLoadState('networkidle')
      assert.deepEqual(errors, [])
    })

  it('after a log-out is one of a visitor again', async () => {
    const page = await openAs(await newOwner(registrar), {
      path: '/',
      heading: 'Home',
      alone: true,
    })
    assert.equal(await page.evaluate('localStorage.getItem("logged_in")'), 'true')
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
    assert.equal(await page.evaluate('localStorage.getItem("logged_in")'), null)
  })
})

describe('the navigation', { skip: skipChromium }, () => {
  it('has groups, also behind "More" on a phone', async () => {
    const owner = await newOwner(registrar)
    const page = await openAs(owner, { path: '/', heading: 'Home' })
    const wide = page.getByRole('navigation', { name: 'Main' }).first()
    const groups = ['Domains', 'Money', 'Agents', 'Account']
    for (const group of groups) await wide.getByRole('list', { name: group }).waitFor()
    const agents = wide.getByRole('list', { name: 'Agents' })
    assert.deepEqual(await agents.getByRole('link').allInnerTexts(), [
      ...['Approvals', 'Connect an agent', 'Connected apps', 'API keys', 'Webhooks'],
    ])
    await page.setViewportSize({ width: 390, height: 740 })
    const bar = page.getByRole('navigation', { name: 'Main' }).last()
    for (const name of ['Home', 'Domains', 'Buy', 'Balance'])
      await bar.getByRole('link', { name, exact: true }).waitFor()
    await bar.getByRole('button', { name: 'More' }).click()
    await bar.getByRole('list', { name: 'Money' }).getByRole('link', { name: 'Invoices' }).waitFor()
    await shot(page, 'more')
    await assertViews(page)
  })
})

describe('the first steps', { skip: skipChromium }, () => {
  it('are ticked off as they are done, and lead to their pages', async () => {
    const owner = await newOwner(registrar, { contact: false, funds_cents: 0 })
    const page = await openAs(owner, { path: '/', heading: 'Home' })
    const steps = page.getByRole('listitem').filter({ hasText: /^[1-4]?(Add|Connect|Buy)/ })
    const done = () => steps.filter({ hasText: '(done)' }).allInnerTexts()
    await steps.nth(3).waitFor()
    assert.match(await page.locator('[aria-current=step]').innerText(), /Add money/)
    // The key of the account was used to make it.
    const before = (await done()).length
    await page.getByRole('link', { name: /Add money to the balance/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Balance' }).waitFor()
    await page.getByRole('button', { name: /^Add .*\.00$/ }).click()
    await page.getByRole('row', { name: /Simulated top-up/ }).waitFor()
    await page.getByRole('link', { name: 'Home' }).first().click()
    await steps.filter({ hasText: '(done)' }).filter({ hasText: 'Add money' }).waitFor()
    assert.equal((await done()).length, before + 1)
    assert.match(await page.locator('[aria-current=step]').innerText(), /Add a contact/)
    await shot(page, 'get-started')
    await assertViews(page)
    await page.getByRole('link', { name: /Buy your first domain/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Buy a domain' }).waitFor()
  })
})
