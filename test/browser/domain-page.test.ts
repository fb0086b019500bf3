// The page of one domain in a real Chromium: renewal, lock, name servers, transfer
// code, transfers in both directions, restore and history.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { scopes } from '../../src/app.ts'
import { skipChromium } from '../support/chromium.ts'
import { askAway, deleteBehind, sellElsewhere, soldCode } from '../support/other-registrar.ts'
import { startService } from '../support/service.ts'
import { givePassword, ownersPassword } from '../support/sign-in.ts'
import { assertAccessible, settled, type View } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService({ worker: false })
const owner = await registrar.customer({ scopes: [...scopes] })
const { openAs } = await openDashboard(registrar)
const phone: View = { width: 360, theme: 'dark' }

const opened = (path: string, heading: string, view?: View) =>
  openAs({ ...owner, password: ownersPassword }, { path, heading, ...(view && { view }) })

async function ask(method: string, path: string, body?: object) {
  const answer = await registrar.request(method, `/v1/domains${path}`, {
    token: owner.key,
    ...(body && { body }),
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const read = (domain: string) => ask('GET', `/${domain}`)
const buy = (domain: string) => ask('POST', '', { domain })

before(() => givePassword(registrar, owner))

describe('a domain', { skip: skipChromium }, () => {
  it('is renewed at the price that was shown', async () => {
    const { expiry } = await buy('renewed-here.com')
    const page = await opened('/domains/renewed-here.com', 'renewed-here.com')
    await page.getByText('Renew it before then to keep it.').waitFor()
    await page.getByRole('button', { name: 'Renew', exact: true }).click()
    await page.getByLabel('Years to add').selectOption('2 years')
    const pay = page.getByRole('button', { name: 'Renew for US$21.70' })
    await pay.waitFor()
    await assertAccessible(page)
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await pay.click()
    const request = await sent
    assert.deepEqual(request.postDataJSON(), {
      period_years: 2,
      expected_expiry: expiry,
      max_price: '21.70',
      currency: 'USD',
    })
    assert.match(request.headers()['idempotency-key'] ?? '', /^[0-9a-f-]{36}$/)
    await page.getByText(/renewed-here\.com is renewed until/).waitFor()
    const years = new Date((await read('renewed-here.com')).expiry).getUTCFullYear()
    assert.equal(years, new Date(expiry).getUTCFullYear() + 2)
  })

  it('is locked at once, and unlocked by the undo', async () => {
    await buy('locked-here.com')
    const page = await opened('/domains/locked-here.com', 'locked-here.com')
    const lock = page.getByRole('switch', { name: 'Transfer lock' })
    const first = await lock.isChecked()
    await lock.click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    assert.equal((await read('locked-here.com')).locked, !first)
    await page.getByText('clientTransferProhibited').waitFor()
    const undone = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal((await undone).status(), 200)
    assert.equal((await read('locked-here.com')).locked, first)
    await page.getByText('clientTransferProhibited').waitFor({ state: 'detached' })
  })
})

describe('the settings of its owner alone', { skip: skipChromium }, () => {
  it('keep money for renewals, let the domain draw on it, and protect it', async () => {
    await buy('kept-here.com')
    const balance = await opened('/balance', 'Balance', phone)
    const amount = balance.getByLabel('Amount in USD')
    assert.equal(await amount.inputValue(), '0.00')
    await amount.fill('some')
    await balance.getByRole('button', { name: 'Keep this amount' }).click()
    await balance.locator('[aria-invalid=true]').waitFor()
    await amount.fill('25')
    await balance.getByRole('button', { name: 'Keep this amount' }).click()
    await balance.getByText('US$25.00 is kept for renewals').waitFor()
    await balance.getByText('Including US$25.00 kept for renewals').waitFor()
    await assertAccessible(balance)
    const page = await opened('/domains/kept-here.com', 'kept-here.com')
    for (const [name, toast, field] of [
      ['Renew from the reserve', 'Renewals of kept-here.com draw on', 'from_reserve'],
      ['Protection', 'kept-here.com is protected', 'protected'],
    ] as const) {
      const control = page.getByRole('switch', { name })
      assert.equal(await control.isChecked(), false)
      await control.click()
      await page.getByText(toast).waitFor()
      assert.equal((await read('kept-here.com'))[field], true)
    }
    await assertAccessible(page)
    await page.getByRole('switch', { name: 'Protection' }).click()
    await page.getByText('kept-here.com is no longer protected').waitFor()
    assert.equal((await read('kept-here.com')).protected, false)
  })
})

describe('the parts of a domain', { skip: skipChromium }, () => {
  it('set name servers with glue, and lead to the DNS records', async () => {
    await buy('served-here.com')
    const page = await opened('/domains/served-here.com?tab=nameservers', 'served-here.com')
    await page.getByText('0 entries', { exact: true }).waitFor()
    await ask('POST', '/served-here.com/dns-record', { host: '@', record_value: '192.0.2.8' })
    await page
      .getByLabel('Host names, one per line')
      .fill('ns1.served-here.com\nns2.served-here.com')
    await page.getByLabel('IP addresses of ns1.served-here.com').fill('192.0.2.1')
    await page.getByLabel('IP addresses of ns2.served-here.com').fill('192.0.2.2, 2001:db8::2')
    const save = page.getByRole('button', { name: 'Save name servers' })
    await save.click()
    await page.getByText('The Internet cannot reach this address').waitFor()
    await assertAccessible(page)
    await page.getByLabel('IP addresses of ns2.served-here.com').fill('192.0.2.2')
    await save.click()
    const dialog = page.getByRole('dialog', { name: 'Before you change them' })
    await dialog.getByText('ns1.served-here.com could not be asked').waitFor()
    await dialog.getByText('Its address is not public').first().waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await save.click()
    await dialog.getByRole('button', { name: 'Change anyway' }).click()
    await page.getByText('The name servers of served-here.com are changed').waitFor()
    const { nameservers } = await read('served-here.com')
    assert.deepEqual(nameservers, ['ns1.served-here.com', 'ns2.served-here.com'])
    await page.getByText('1 entry', { exact: true }).waitFor()
    await page.getByText('kept here, and not served').waitFor()
    await page.evaluate(settled)
    await page.getByRole('button', { name: 'Use this service’s name servers' }).click()
    await dialog.getByText('present name servers do not answer').waitFor()
    const changed = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await dialog.getByRole('button', { name: 'Change anyway' }).click()
    assert.equal((await changed).status(), 200)
    const own = [...registrar.service.settings.default_nameservers]
    assert.deepEqual((await read('served-here.com')).nameservers, own)
    await page.getByText('on this service’s name servers: websites, mail').waitFor()
    await page.getByRole('link', { name: 'Open DNS records' }).click()
    await page.getByRole('heading', { level: 1, name: 'DNS of served-here.com' }).waitFor()
    await page.getByRole('button', { name: 'Edit @ A' }).waitFor()
    await page.getByRole('link', { name: 'served-here.com' }).first().click()
    await page.getByRole('tab', { name: 'History' }).click()
    const changes = page.getByRole('listitem').filter({ hasText: 'the name servers of' })
    const done = changes.filter({ hasText: 'You changed the name servers of' })
    await done.nth(1).waitFor()
    assert.equal(await done.count(), 2)
    // The refused check is an entry of its own.
    const refused = changes.filter({ hasText: 'You asked for a preview, to change' })
    await refused.getByText('Not possible').waitFor()
    await refused.getByRole('button', { name: 'Details' }).click()
    await refused.getByText('"action": "update_').waitFor()
    await assertAccessible(page)
  })

  it('show the transfer code only when it is asked for', async () => {
    await buy('coded-here.com')
    const page = await opened('/domains/coded-here.com?tab=transfer', 'coded-here.com')
    const audited = await registrar.request('GET', '/v1/domain-audit-logs?domain=coded-here.com', {
      token: owner.key,
    })
    assert.doesNotMatch(audited.text, /get_transfer_auth_code/)
    const answered = page.waitForResponse(/transfer-auth-code$/)
    await page.getByRole('button', { name: 'Show transfer code' }).click()
    const { auth_code } = await (await answered).json()
    await page.getByText(auth_code, { exact: true }).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByText(auth_code, { exact: true }).waitFor({ state: 'detached' })
  })
})

describe('a transfer', { skip: skipChromium }, () => {
  it('away is rejected with a click, and approved by typing the name', async () => {
    await buy('wanted-elsewhere.com')
    await registrar.advance('P7D')
    const { auth_code } = await ask('GET', '/wanted-elsewhere.com/transfer-auth-code')
    const wanted = { domain: 'wanted-elsewhere.com', auth_info: auth_code }
    await askAway(registrar, wanted)
    await registrar.advance('PT2M')
    const page = await opened('/domains/wanted-elsewhere.com', 'wanted-elsewhere.com')
    await page.getByRole('listitem').filter({ hasText: 'You answer' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('The transfer of wanted-elsewhere.com was rejected').waitFor()
    assert.equal((await read('wanted-elsewhere.com')).status, 'active')
    await askAway(registrar, wanted)
    await registrar.advance('PT2M')
    await page.reload()
    await page.getByRole('button', { name: 'Approve' }).click()
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Approve' })
    assert.equal(await confirm.isDisabled(), true)
    await page.getByRole('dialog').locator('input:focus').waitFor()
    await assertAccessible(page)
    await page.getByLabel('Type wanted-elsewhere.com to confirm').fill('wanted-elsewhere.com')
    await confirm.click()
    await page.getByText('wanted-elsewhere.com was transferred away').waitFor()
    assert.equal((await read('wanted-elsewhere.com')).status, 'transferred_away')
  })

  it('to this account is ordered at its price, shows its steps, and is canceled', async () => {
    await sellElsewhere(registrar, 'coming-here.com')
    const page = await opened('/domains/transfer', 'Transfer a domain in', phone)
    await page.getByLabel('Domain', { exact: true }).fill('coming-here.com')
    await page.getByRole('button', { name: 'Check price' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    await page.getByLabel('Transfer code').fill(soldCode)
    await page.getByRole('button', { name: 'Check price' }).click()
    await page.getByRole('button', { name: 'Transfer for US$10.85' }).click()
    await page.getByRole('heading', { level: 1, name: 'coming-here.com' }).waitFor()
    await page.locator('[aria-current=step]').filter({ hasText: 'current registrar' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Cancel transfer' }).click()
    await page.getByLabel('Type coming-here.com to confirm').fill('coming-here.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel transfer' }).click()
    await page.getByText('The transfer of coming-here.com is canceled').waitFor()
    const { operation } = await read('coming-here.com')
    assert.equal(operation.error.code, 'transfer_cancelled')
  })
})

describe('a domain in redemption', { skip: skipChromium }, () => {
  it('is restored at the price that was shown', async () => {
    await buy('lost-here.com')
    await registrar.advance('P7D')
    await deleteBehind(registrar, 'lost-here.com')
    const page = await opened('/domains/lost-here.com', 'lost-here.com', phone)
    await page.getByText('It can be restored, usually for 30 days.').waitFor()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByRole('button', { name: /^Restore for / }).click()
    await page.getByText('lost-here.com is restored').waitFor()
    assert.equal((await read('lost-here.com')).status, 'active')
  })
})
