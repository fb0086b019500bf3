// The scope and the limits of DNS records in a real Chromium: in the dialogs of keys and apps, and
// on the consent page.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newClient } from '../../../src/oauth/consent/consent.fixture.ts'
import { openChromium, skipChromium } from '../../support/chromium.ts'
import { newOwner, type Owner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import { connectedClient } from '../support/connected-client.ts'
import { assertViews, settled } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { assertRefused, press, rowOf } from '../support/limit-dialogs.ts'
import { pagesOf } from '../support/page-pool.ts'
import { shot } from '../support/shots.ts'

const registrar = await startService()
const { openAs } = await openDashboard(registrar)
const openPage = pagesOf(await openChromium())
const keysPath = ({ id }: Owner) => `/v1/customers/${id}/api-keys`
const appsPath = '/v1/account/oauth-grants'

/** The key or the app with this name, as the API has it. */
async function readOne(owner: Owner, path: string, name: string): Promise<Record<string, unknown>> {
  const { body } = await registrar.request('GET', path, { token: owner.key })
  const list: Record<string, unknown>[] = path === appsPath ? body.oauth_grants : body
  return list.find((one) => [one.name, one.client_name].includes(name)) ?? {}
}

describe('the dialog of a key', { skip: skipChromium }, () => {
  it('limits one for certificates: refused at its fields, stored, shown and removed', async () => {
    const owner = await newOwner(registrar)
    const page = await openAs(owner, { path: '/api-keys', heading: 'API keys' })
    await press(page, 'Create API key')
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog.getByLabel('Name', { exact: true }).fill('certbot')
    await dialog.getByRole('radio', { name: /^DNS records only/ }).check()
    await dialog.getByText('Limits and expiry').click()
    const hosts = dialog.getByLabel('DNS records only at these hosts')
    await hosts.fill('_ACME-challenge* a!b')
    await dialog.getByLabel('DNS records only of these types').fill('TXT')
    await press(page, 'Create')
    const message = /^a!b: Enter a host relative to the domain, such as www or @/
    await assertRefused(dialog, 'DNS records only at these hosts', message)
    await page.evaluate(settled)
    await assertViews(page)
    await shot(page, 'dns')
    await hosts.fill('_ACME-challenge*')
    await press(page, 'Create')
    await press(page, 'I have stored it')
    const row = rowOf(page, 'certbot')
    await row.getByText('Changes only TXT records at _acme-challenge*').waitFor()
    await row.getByText('DNS records only · 2 permissions').waitFor()
    const read = () => readOne(owner, keysPath(owner), 'certbot')
    const dns = { hosts: ['_acme-challenge*'], types: ['TXT'] }
    assert.deepEqual((await read()).dns, dns)
    await page.evaluate(settled)
    await shot(page, 'dns-key')

    await press(page, 'Change limits of certbot')
    const change = page.getByRole('dialog', { name: 'Change limits of certbot' })
    await change.getByLabel('DNS records only at these hosts').fill('')
    await change.getByLabel('DNS records only of these types').fill('')
    await press(page, 'Save limits')
    await page.getByText('The limits of certbot are saved').waitFor()
    await row.getByText('Changes only').waitFor({ state: 'detached' })
    assert.equal((await read()).dns, null)
  })

  it('shows a permission as ticked that a wider one includes, and sends the wider one', async () => {
    const owner = await newOwner(registrar)
    const page = await openAs(owner, { path: '/api-keys', heading: 'API keys' })
    await press(page, 'Create API key')
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog.getByText('Domains', { exact: true }).click()
    const records = dialog.getByLabel(/^Change only the DNS records/)
    const domains = dialog.getByLabel(/^Change your domains/)
    await records.check()
    await dialog.getByText('2 of 4', { exact: true }).waitFor()
    await domains.check()
    assert.deepEqual([await records.isChecked(), await records.isDisabled()], [true, true])
    await shot(page, 'picker')
    await domains.uncheck()
    assert.deepEqual([await records.isChecked(), await records.isDisabled()], [false, false])
    await dialog.getByRole('radio', { name: /^Manage/ }).check()
    assert.deepEqual([await records.isChecked(), await records.isDisabled()], [true, true])
    await dialog.getByLabel('Name', { exact: true }).fill('manager')
    await press(page, 'Create')
    await press(page, 'I have stored it')
    const { scopes } = await readOne(owner, keysPath(owner), 'manager')
    assert.deepEqual(
      [scopes].flat().filter((scope) => /:write/.test(String(scope))),
      ['contacts:write', 'domains:write', 'support:write'],
    )
  })
})

describe('the dialog of a connected app', { skip: skipChromium }, () => {
  it('sets the limits of its records', async () => {
    const owner = await newOwner(registrar)
    await connectedClient(registrar, owner, 'Zone Bot')
    const page = await openAs(owner, { path: '/connected-apps', heading: 'Connected apps' })
    await press(page, 'Change limits of Zone Bot')
    const dialog = page.getByRole('dialog', { name: 'Change limits of Zone Bot' })
    await dialog.getByLabel('DNS records only at these hosts').fill('www, @')
    await press(page, 'Save limits')
    await page.getByText('Changes only DNS records at www, @').waitFor()
    const dns = { hosts: ['www', '@'], types: null }
    assert.deepEqual((await readOne(owner, appsPath, 'Zone Bot')).dns, dns)
  })
})

describe('the consent page', { skip: skipChromium }, () => {
  it('gives an app DNS records only, with its limit, which is refused at its field', async () => {
    const owner = await newOwner(registrar)
    const client = await newClient(registrar, { client_name: 'Lego' })
    const page = await openPage()
    await page.goto(client.url({ scope: 'domains:read domains:write dns:write' }).href)
    await page.getByLabel('Email address').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await press(page, 'Log in')
    const hosts = page.getByLabel('Only these hosts')
    assert.equal(await hosts.isVisible(), false)
    await page.getByRole('radio', { name: /^DNS records only/ }).check()
    await page.getByText('Limit the DNS records that it may change').click()
    await hosts.fill('_acme-challenge* a!b')
    await page.getByLabel('Only these types').fill('txt')
    await shot(page, 'consent')
    await press(page, 'Allow')
    await page.getByText('Type hosts relative to the domain').first().waitFor()
    assert.equal(await hosts.inputValue(), '_acme-challenge* a!b')
    assert.equal(await hosts.getAttribute('aria-invalid'), 'true')
    assert.equal(await page.getByRole('radio', { name: /^DNS records only/ }).isChecked(), true)
    await assertViews(page)
    await shot(page, 'consent-refused')
    await hosts.fill('_acme-challenge*')
    const back = page.waitForRequest(/127\.0\.0\.1:43117\/callback\?/)
    await press(page, 'Allow')
    const { body } = await client.redeem(new URL((await back).url()).searchParams.get('code'))
    assert.equal(body.scope, 'domains:read dns:write')
    const { dns } = await readOne(owner, appsPath, 'Lego')
    assert.deepEqual(dns, { hosts: ['_acme-challenge*'], types: ['TXT'] })
  })
})
