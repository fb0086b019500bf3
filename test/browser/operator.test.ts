// The operators' pages in a real Chromium: log-in with a key, parked orders, operator keys,
// log-out.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skipChromium } from '../support/chromium.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { parkedOrderIn, stateOf } from '../support/parked-order.ts'
import { startService } from '../support/service.ts'
import { assertViews, openPath } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'
import { shot } from './support/shots.ts'

const registrar = await startService({ worker: false })
const { site, newVisitor } = await openDashboard(registrar)
const sql = rowsIn(registrar)

async function logIn(page: Page, path: string, key = registrar.operatorKey): Promise<void> {
  await openPath(page, `${site}${path}`, 'Log in as an operator')
  await page.getByLabel('Operator key').fill(key)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** A page of an operator who is logged in. */
async function openAs(path: string, heading: string): Promise<Page> {
  const page = await newVisitor()
  await logIn(page, path)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
  return page
}

describe("the operators' pages", { skip: skipChromium }, () => {
  it('log in with a key that is not kept, and out', async () => {
    const page = await newVisitor()
    await openPath(page, `${site}/operator`, 'Log in as an operator')
    await shot(page, 'log-in')
    await assertViews(page)
    await logIn(page, '/operator', `op_${'w'.repeat(40)}`)
    await page.getByRole('alert').getByText('unknown or revoked').waitFor()
    await logIn(page, '/operator')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const kept = await page.evaluate<string>(
      'JSON.stringify([localStorage, sessionStorage, document.cookie])',
    )
    assert.ok(!/op_|ops_/.test(kept), kept)
    await page.reload()
    await page.getByText('Logged in as environment').waitFor()
    await page.getByRole('button', { name: 'Session menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Log in as an operator' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Log in as an operator' }).waitFor()
  })

  it('settle and release parked orders', async () => {
    const { key } = await registrar.customer()
    const done = await parkedOrderIn(registrar, { key, fault: 'drop_after' })
    const undone = await parkedOrderIn(registrar, { key, fault: 'drop_before' })
    const page = await openAs('/operator/orders', 'Parked orders')
    await shot(page, 'orders')
    await assertViews(page)
    const card = (domain: string) => page.getByRole('listitem').filter({ hasText: domain })
    await card(done.domain).getByText('As ordered').waitFor()
    await card(undone.domain).getByText('Not registered').waitFor()
    await card(done.domain).getByRole('button', { name: 'Settle' }).click()
    await shot(page, 'settle')
    await page.getByRole('dialog').getByRole('button', { name: 'Settle' }).click()
    await card(done.domain).waitFor({ state: 'detached' })
    await card(undone.domain).getByRole('button', { name: 'Release' }).click()
    await page.getByLabel('Reason').fill('It was never sent.')
    await assertViews(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click()
    await page.getByText('No parked orders').waitFor()
    assert.equal((await stateOf(registrar, done.id)).state, 'succeeded')
    assert.equal((await stateOf(registrar, undone.id)).state, 'failed')
  })
})

describe('the overview', { skip: skipChromium }, () => {
  it('leads to all that waits: holds, mails and dead letters', async () => {
    const { key } = await registrar.customer()
    const { id, domain } = await parkedOrderIn(registrar, { key, fault: 'drop_after' })
    const mail = `mail_${'9'.padStart(26, '0')}`
    await sql(
      `with key as (insert into mail_dedupe_keys (dedupe_key, mail_id) values ($1, $1)),
            task as (
              insert into tasks (kind, key, payload, attempts, last_error, dead_at)
              values ('send_mail', $1, '{}', 130, '550 No such mailbox', now()),
                     ('sync_zone', 'example.com', '{}', 9, 'The server is away', now()))
       insert into mails (id, kind, dedupe_key, recipient, subject, body, state, ended_at)
       values ($1, 'expiry_notice', $1, 'ada@example.net', 'example.com expires in 30 days', 'Text',
               'failed', now())`,
      [mail],
    )
    const page = await openAs('/operator', 'Overview')
    await shot(page, 'overview')
    await assertViews(page)
    await page.getByRole('link', { name: 'Open holds' }).last().click()
    await page.getByText(domain).waitFor()
    await shot(page, 'holds')
    await assertViews(page)
    await page.getByRole('link', { name: 'Failed emails' }).click()
    await page.getByText('550 No such mailbox').waitFor()
    await shot(page, 'mails')
    await assertViews(page)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.getByText('No failed emails').waitFor()
    await page.getByRole('link', { name: 'Dead letters' }).click()
    await page.getByText('The server is away').waitFor()
    await assertViews(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No dead letters').waitFor()
    await page.getByRole('link', { name: 'Parked payments' }).click()
    await page.getByText('No parked payments').waitFor()
    await assertViews(page)
    const settle = `/v1/internal/parked-orders/${id}/settle`
    const token = registrar.operatorKey
    assert.equal((await registrar.request('POST', settle, { token, body: {} })).status, 200)
  })
})

describe('the page of a customer', { skip: skipChromium }, () => {
  it('suspends, resumes and closes the account', async () => {
    const one = await registrar.customer({ funds_cents: 0, contact: false })
    const statusNow = async () => {
      const path = `/v1/customers/${one.id}`
      const { body } = await registrar.request('GET', path, { token: registrar.operatorKey })
      return body.status
    }
    const page = await openAs('/operator/customers', 'Customers')
    await page.getByLabel('Id, email, name or company').fill(one.id)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('main').getByRole('listitem').getByRole('link').click()
    await page.getByRole('button', { name: 'Suspend' }).waitFor()
    await shot(page, 'account')
    await assertViews(page)
    const decide = async (name: string, reason: string | null) => {
      await page.getByRole('main').getByRole('button', { name }).click()
      const dialog = page.getByRole('dialog', { name: new RegExp(`^${name} .*\\?$`) })
      if (reason !== null) await dialog.getByLabel('Reason').fill(reason)
      if (reason !== null) await assertViews(page)
      // The first that is named "Close" is that of the dialog itself.
      await dialog.getByRole('button', { name }).last().click()
      await dialog.waitFor({ state: 'detached' })
    }
    await decide('Suspend', 'Payments with a stolen card.')
    await page.getByText('Suspended', { exact: true }).waitFor()
    assert.equal(await statusNow(), 'suspended')
    await decide('Resume', null)
    await page.getByText('Active', { exact: true }).waitFor()
    await decide('Close', 'The owner asked for it.')
    await page.getByText('Closed', { exact: true }).waitFor()
    assert.equal(await statusNow(), 'closed')
    await page.getByRole('link', { name: '← Customers' }).click()
    await page.getByLabel('Id, email, name or company').fill(one.id)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('main').getByRole('listitem').getByText('Closed').waitFor()
  })

  it('is where the earlier address of the account leads', async () => {
    const { id, email } = await registrar.customer({ funds_cents: 0, contact: false })
    const page = await openAs('/operator/accounts', 'Customers')
    assert.equal(await page.getByRole('link', { name: 'Accounts' }).count(), 0)
    await page.goto(`${site}/operator/accounts?id=${id}`)
    await page.getByRole('main').getByText(email).first().waitFor()
    assert.equal(new URL(page.url()).pathname, `/dashboard/operator/customers/${id}`)
    await page.getByRole('button', { name: 'Suspend' }).waitFor()
  })
})

describe('operator keys', { skip: skipChromium }, () => {
  it('are created, rotated and revoked', async () => {
    const page = await openAs('/operator/keys', 'Operator keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace Hopper')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const secret = async () => {
      const dialog = page.getByRole('dialog', { name: 'Copy the operator key' })
      await dialog.waitFor()
      await shot(page, 'secret')
      const value = await dialog.locator('code').first().innerText()
      await dialog.getByRole('button', { name: 'I have stored it' }).click()
      return value
    }
    const statusOf = async (token: string) =>
      (await registrar.request('GET', '/v1/internal/parked-orders', { token })).status
    const first = await secret()
    await shot(page, 'keys')
    await assertViews(page)
    await page.getByRole('button', { name: 'Rotate the key of Grace Hopper?' }).click()
    await page.getByLabel('Type Grace Hopper to confirm').fill('Grace Hopper')
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    const second = await secret()
    assert.deepEqual([await statusOf(first), await statusOf(second)], [401, 200])
    await page.getByRole('button', { name: 'Revoke the key of Grace Hopper?' }).click()
    await page.getByLabel('Type Grace Hopper to confirm').fill('Grace Hopper')
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('The key of Grace Hopper is revoked').waitFor()
    assert.equal(await statusOf(second), 401)
  })
})
