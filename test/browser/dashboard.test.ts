// The dashboard in a real Chromium: log-in by the session cookie, the list of domains with
// keyboard, filters and an undo, the navigation and the command palette.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skipChromium } from '../support/chromium.ts'
import { newOwner } from '../support/owner.ts'
import { startService } from '../support/service.ts'
import { assertAccessible, assertViews, openPath } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService()
const owner = await newOwner(registrar)
const { site, newVisitor, openAs } = await openDashboard(registrar)
const names = ['alder.com', 'birch.com', 'cedar.com']

async function logIn(page: Page, password = owner.password): Promise<void> {
  await page.getByLabel('Email address').fill(owner.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

before(async () => {
  for (const domain of names) {
    const bought = await registrar.request('POST', '/v1/domains', {
      token: owner.key,
      body: { domain },
    })
    assert.equal(bought.status, 200, bought.text)
  }
})

describe('the command of an empty list', { skip: skipChromium }, () => {
  it('has the MCP endpoint of the settings, not the origin of the page', async () => {
    const page = await openAs(owner, { path: '/connected-apps', heading: 'Connected apps' })
    assert.notEqual(new URL(page.url()).origin, registrar.url)
    await page.getByText(`--transport http registrar ${registrar.url}/mcp`).waitFor()
  })
})

describe('the log-in', { skip: skipChromium }, () => {
  it('leads to the page that was asked for, and leaves no token to scripts', async () => {
    const page = await newVisitor()
    await openPath(page, `${site}/domains?status=active`, 'Log in')
    await logIn(page, 'not my password')
    assert.match(await page.getByRole('alert').innerText(), /wrong[\s\S]*Request/)
    await logIn(page)
    await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor()
    assert.equal(page.url(), `${site}/domains?status=active`)
    assert.equal(await page.title(), 'Domains · Agent Registrar')
    const kept = await page.evaluate<string>('document.cookie + JSON.stringify({...localStorage})')
    assert.doesNotMatch(kept, /ses_|session/)
  })

  it('says what the service is, and begins in its first field', async () => {
    const page = await newVisitor()
    await openPath(page, `${site}/log-in`, 'Log in')
    await page.getByRole('textbox', { name: 'Email address' }).and(page.locator(':focus')).waitFor()
    await page.getByText('Agent Registrar').waitFor()
    await page.getByText('The domain registrar for AI agents and their owners').waitFor()
    await page.getByRole('link', { name: 'Read the documentation' }).click()
    await page.waitForURL(/\/docs$/)
  })

  it('is accessible in both themes and at every width', async () => {
    const page = await newVisitor()
    await openPath(page, `${site}/log-in`, 'Log in')
    await assertViews(page)
  })

  it('is asked for again after the log-out', async () => {
    const page = await newVisitor()
    await openPath(page, `${site}/log-in`, 'Log in')
    await logIn(page)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
    await openPath(page, `${site}/`, 'Log in')
  })
})

describe('the list of domains', { skip: skipChromium }, () => {
  it('has its filters in the URL, and moves the focus by arrow keys', async () => {
    const page = await openAs(owner, { path: '/domains', heading: 'Domains' })
    assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), '4')
    await page.locator('[data-index="0"]').focus()
    await page.keyboard.press('ArrowDown')
    await page.locator('[data-index="1"]:focus').waitFor()
    await page.keyboard.press('End')
    await page.locator('[data-index="2"]:focus').waitFor()
    await page.getByLabel('Filter by name').fill('birch')
    await page.waitForURL(`${site}/domains?q=birch`)
    assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), '2')
    await page.reload()
    await page.getByText('1 of 3 domains').waitFor()
  })

  it('switches automatic renewal at once, and undoes it', async () => {
    const page = await openAs(owner, { path: '/domains', heading: 'Domains' })
    const renewal = page.getByRole('switch', { name: 'Automatic renewal of cedar.com' })
    const stored = async () => {
      const domain = await registrar.request('GET', '/v1/domains/cedar.com', { token: owner.key })
      return domain.body.auto_renew
    }
    const first = await renewal.isChecked()
    await renewal.click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    assert.equal(await renewal.isChecked(), !first)
    assert.equal(await stored(), !first)
    await assertAccessible(page)
    const undone = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal((await undone).status(), 200)
    assert.equal(await stored(), first)
  })
})

describe('a page', { skip: skipChromium }, () => {
  it('that is opened by a link begins at its top, with its title and the focus', async () => {
    const page = await openAs(owner, { path: '/buy?q=alder', heading: 'Buy a domain' })
    await page.getByRole('link', { name: 'Manage' }).waitFor()
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    assert.ok((await page.evaluate<number>('scrollY')) > 0)
    await page.evaluate(`document.querySelector('main a[href$="/domains/alder.com"]').click()`)
    await page.locator('h1:focus').filter({ hasText: 'alder.com' }).waitFor()
    assert.equal(await page.evaluate('scrollY'), 0)
    assert.equal(await page.title(), 'alder.com · Agent Registrar')
  })

  it('that cannot be shown has the cause, the next step and the request id', async () => {
    const page = await openAs(owner, { path: '/domains/not-mine.com', heading: 'not-mine.com' })
    const words = await page.getByRole('alert').innerText()
    assert.match(words, /You hold no such domain\.\s+Check its spelling/)
    assert.match(words, /Request\s+[0-9a-f-]{36}/)
  })
})

describe('the navigation', { skip: skipChromium }, () => {
  it("leads to the sandbox's mailbox, and to it on a phone", async () => {
    const wide = await openAs(owner, { path: '/', heading: 'Home' })
    await wide.getByRole('link', { name: 'Mailbox' }).click()
    await wide.getByRole('heading', { level: 1, name: 'Mailbox' }).waitFor()
    assert.equal(await wide.getByRole('main').count(), 1)
    assert.equal(await wide.getByRole('link', { name: 'Sign up' }).count(), 0)
    const phone = await openAs(owner, {
      path: '/',
      heading: 'Home',
      view: { width: 360, theme: 'dark' },
    })
    await phone.getByRole('button', { name: 'More' }).click()
    await phone.getByRole('link', { name: 'Mailbox' }).click()
    await phone.getByRole('heading', { level: 1, name: 'Mailbox' }).waitFor()
  })
})

describe('the command palette', { skip: skipChromium }, () => {
  const choose = async (page: Page, typed: string, name: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(typed)
    await page.getByRole('option', { name }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor({ state: 'detached' })
  }
  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name }).waitFor()

  it('has actions: search a name, top up, create a key, connect, switch the theme', async () => {
    const page = await openAs(owner, { path: '/', heading: 'Home' })
    await choose(page, 'Quiet Harbor', 'Search for “Quiet Harbor” to buy it')
    await page.waitForURL(`${site}/buy?q=Quiet%20Harbor`)
    await page.getByText('Results for Quiet Harbor').waitFor()
    await choose(page, 'buy silent harbor', 'Search for “silent harbor” to buy it')
    await page.getByText('Results for silent harbor').waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'silent harbor')
    await choose(page, 'top up', 'Top up the balance')
    const topUp = page.getByRole('dialog', { name: 'Add simulated money' })
    await topUp.waitFor()
    await assertViews(page)
    await topUp.getByRole('button', { name: /^Add .*100/ }).click()
    await page.getByText('US$100.00 added').waitFor()
    await topUp.waitFor({ state: 'detached' })
    await page.getByText('Results for silent harbor').waitFor()
    await choose(page, 'connect an', 'Connect an agent')
    await heading(page, 'Connect an agent')
    await choose(page, 'mailb', 'Mailbox')
    await heading(page, 'Mailbox')
    await choose(page, 'dark', 'Switch to the dark theme')
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark', checked: true }).waitFor()
    await page.keyboard.press('Escape')
    await choose(page, "system's", "Use the system's theme")
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitemradio', { name: 'System', checked: true }).waitFor()
    await page.keyboard.press('Escape')
    await choose(page, 'create api', 'Create API key')
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(page.url(), `${site}/api-keys`)
  })

  it('shows the option that arrow keys have reached', async () => {
    const view = { width: 360, theme: 'light' } as const
    const page = await openAs(owner, { path: '/', heading: 'Home', view })
    await page.setViewportSize({ width: 360, height: 420 })
    await page.getByRole('button', { name: 'Search or jump to' }).click()
    await page.getByRole('option', { name: 'Home' }).waitFor()
    await page.getByRole('combobox').press('ArrowUp')
    const last = page.getByRole('option', { name: 'Log out', selected: true })
    await last.waitFor()
    const box = await last.boundingBox()
    assert.ok(box && box.y + box.height <= 420, JSON.stringify(box))
  })

  it('finds a domain by its name, and closes', async () => {
    const page = await openAs(owner, { path: '/', heading: 'Home' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('alde')
    await page.getByRole('option', { name: 'alder.com' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site}/domains?q=alder.com`)
    await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.locator('h1:focus').waitFor()
  })
})
