// Every page of the dashboard in a real Chromium, in both themes and at every width.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { skipChromium } from '../support/chromium.ts'
import { newOwner } from '../support/owner.ts'
import { startService } from '../support/service.ts'
import { assertViews } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService()
const owner = await newOwner(registrar)
const { openAs } = await openDashboard(registrar)
const names = ['alder.com', 'birch.com', 'cedar.com']

/** Each page of the application needs a line here, with its path and its heading. */
const pages: readonly [path: string, heading: string][] = [
  ['/', 'Home'],
  ['/domains', 'Domains'],
  ['/domains?q=nothing-like-this', 'Domains'],
  ['/domains/alder.com', 'alder.com'],
  ['/domains/alder.com?tab=nameservers', 'alder.com'],
  ['/domains/alder.com/dns', 'DNS of alder.com'],
  ['/domains/alder.com/dns?tab=history', 'DNS of alder.com'],
  ['/domains/alder.com?tab=transfer', 'alder.com'],
  ['/domains/alder.com?tab=contacts', 'alder.com'],
  ['/domains/alder.com?tab=history', 'alder.com'],
  ['/domains/transfer', 'Transfer a domain in'],
  ['/contacts', 'Contacts'],
  ['/domains/not-mine.com', 'not-mine.com'],
  ['/buy', 'Buy a domain'],
  ['/buy?q=alder', 'Buy a domain'],
  ['/audit-log', 'Audit log'],
  ['/audit-log?entry_point=webhook', 'Audit log'],
  ['/balance', 'Balance'],
  ['/balance?currency=EUR', 'Balance'],
  ['/invoices', 'Invoices'],
  ['/mailbox', 'Mailbox'],
  ['/support', 'Support'],
  ['/approvals', 'Approvals'],
  ['/approvals/settings', 'Approval settings'],
  ['/webhooks', 'Webhooks'],
  ['/no-such-page', 'Page not found'],
]

before(async () => {
  for (const domain of names) {
    const bought = await registrar.request('POST', '/v1/domains', {
      token: owner.key,
      body: { domain },
    })
    assert.equal(bought.status, 200, bought.text)
  }
})

describe('every page', { skip: skipChromium }, () => {
  for (const [path, heading] of pages)
    it(`is accessible and blocks nothing in both themes and at every width: ${path}`, async () => {
      await assertViews(await openAs(owner, { path, heading }))
    })

  it('has accessible popups in both themes and at every width', async () => {
    const page = await openAs(owner, { path: '/', heading: 'Home' })
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await assertViews(page)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Home' }).waitFor()
    await assertViews(page)
  })
})
