// The page of the account's data in a real Chromium: the export, and closing the account.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { skipChromium } from '../../support/chromium.ts'
import { newOwner } from '../../support/owner.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { startService } from '../../support/service.ts'
import { assertViews } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { shot } from '../support/shots.ts'

const registrar = await startService()
const { openAs } = await openDashboard(registrar)
const sql = rowsIn(registrar)
const place = { path: '/account/data', heading: 'Your data' }

describe('your data', { skip: skipChromium }, () => {
  it('is exported as a file after a fresh log-in, and the page shows why the account stays open', async () => {
    const owner = await newOwner(registrar, { funds_cents: 2_000 })
    const domain = `your-data-${process.pid}.com`
    const bought = await registrar.request('POST', '/v1/domains', {
      ...{ token: owner.key, body: { domain } },
    })
    assert.equal(bought.status, 200, bought.text)
    const page = await openAs(owner, place)
    await page.getByRole('link', { name: '1 domain' }).waitFor()
    await page.getByRole('link', { name: '$9.15 on your balance' }).waitFor()
    assert.ok(await page.getByRole('button', { name: 'Close the account' }).isDisabled())
    await shot(page, 'your-data')
    await assertViews(page)
    await sql(
      `update sessions set signed_in_at = now() - interval '1 hour' where customer_id = $1`,
      [owner.id],
    )
    registrar.service.app.authentications.invalidate()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: 'Confirm' }).click()
    const download = await saved
    assert.match(download.suggestedFilename(), /^agent-registrar-\d{4}-\d\d-\d\d\.json$/)
    const data = JSON.parse(readFileSync(await download.path(), 'utf8'))
    assert.equal(data.account.id, owner.id)
    assert.deepEqual(
      data.domains.map(({ name }: { name: string }) => name),
      [domain],
    )
  })

  it('ends with the account: after the address is typed, nothing of it works', async () => {
    const owner = await newOwner(registrar, { funds_cents: 0 })
    const page = await openAs(owner, place)
    await page.getByRole('button', { name: 'Close the account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Close this account?' })
    const submit = dialog.getByRole('button', { name: 'Close the account' })
    assert.ok(await submit.isDisabled())
    await dialog.getByRole('textbox').fill(owner.email)
    await shot(page, 'close-account')
    await assertViews(page)
    await sql(
      `insert into checkouts (id, customer_id, gateway, amount, currency, status, expires_at)
       values ('chk_' || repeat('1', 26), $1, 'btcpay', 100, 'USD', 'created', now())`,
      [owner.id],
    )
    await submit.click()
    await page.getByRole('link', { name: '1 top-up in progress' }).waitFor()
    await sql('delete from checkouts where customer_id = $1', [owner.id])
    await page.getByRole('button', { name: 'Close the account' }).click()
    await dialog.getByRole('textbox').fill(owner.email)
    await submit.click()
    await page.getByRole('heading', { level: 1, name: 'Your account is closed' }).waitFor()
    await shot(page, 'account-closed')
    await assertViews(page)
    const { status } = await registrar.request('GET', '/v1/account', { token: owner.key })
    assert.equal(status, 401)
  })
})
