// API keys, connected apps and "Connect an agent" in a real Chromium.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skipChromium } from '../support/chromium.ts'
import { newOwner } from '../support/owner.ts'
import { startService } from '../support/service.ts'
import { connectedClient } from './support/connected-client.ts'
import { assertViews } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService()
const owner = await newOwner(registrar)
const { site, openAs } = await openDashboard(registrar)
const openPage = (path: string, heading: string) => openAs(owner, { path, heading })

const statusOf = async (key: string) =>
  (await registrar.request('GET', '/v1/domains', { token: key })).status

/** The secret that the dialog shows, which only its button closes. */
async function storedKey(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Store your API key' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  const key = await dialog.locator('code').first().innerText()
  const curl = await dialog.getByRole('region', { name: 'curl' }).innerText()
  assert.match(curl, new RegExp(`/v1/account[^]*Authorization: Bearer ${key}`))
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await dialog.waitFor({ state: 'detached' })
  return key
}

describe('API keys', { skip: skipChromium }, () => {
  it('are created with a preset, rotated, and revoked by typing the name', async () => {
    const page = await openPage('/api-keys', 'API keys')
    await assertViews(page)
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('deploy bot')
    await page.getByRole('radio', { name: 'Manage' }).check()
    await page.getByRole('dialog').getByText('Domains', { exact: true }).click()
    await assertViews(page)
    await page.getByRole('checkbox', { name: /^Transfer your domains/ }).check()
    assert.equal(await page.getByRole('radio', { name: 'Manage' }).isChecked(), false)
    await page.getByRole('checkbox', { name: /^Transfer your domains/ }).uncheck()
    assert.equal(await page.getByRole('radio', { name: 'Manage' }).isChecked(), true)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('dialog', { name: 'Store your API key' }).waitFor()
    await assertViews(page)
    const key = await storedKey(page)
    assert.equal(await statusOf(key), 200)
    const buy = { token: key, body: { domain: 'not-bought.com' } }
    assert.equal((await registrar.request('POST', '/v1/domains', buy)).status, 403)

    await page.getByRole('button', { name: 'Rotate deploy bot' }).click()
    await page.getByLabel('Type deploy bot to confirm').fill('deploy bot')
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    const next = await storedKey(page)
    assert.deepEqual([await statusOf(key), await statusOf(next)], [401, 200])

    await page.getByRole('button', { name: 'Revoke deploy bot' }).click()
    const revoke = page.getByRole('button', { name: 'Revoke', exact: true })
    await page.getByLabel('Type deploy bot to confirm').fill('deploy')
    assert.equal(await revoke.isDisabled(), true)
    await page.getByLabel('Type deploy bot to confirm').fill('deploy bot')
    await assertViews(page)
    await revoke.click()
    await page.getByText('deploy bot was revoked').waitFor()
    assert.equal(await statusOf(next), 401)
    await page.getByRole('button', { name: 'Show 1 revoked or expired' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await assertViews(page)
  })
})

describe('connected apps', { skip: skipChromium }, () => {
  it('show the unverified name and scopes in words, and end when their name is typed', async () => {
    const page = await openPage('/connected-apps', 'Connected apps')
    await page.getByText('No app is connected').waitFor()
    await assertViews(page)
    const client = await connectedClient(registrar, owner, 'Friendly Bot')
    assert.equal(await statusOf(client.token), 200)
    const refused = { token: client.token, body: { domain: 'not-for-the-bot.com' } }
    assert.equal((await registrar.request('POST', '/v1/domains', refused)).status, 403)
    await page.reload()
    await page.getByText('Unverified name').waitFor()
    const app = page.getByRole('listitem').filter({ hasText: 'Last action' })
    await app.getByText('Friendly Bot could not buy').waitFor()
    await app
      .getByText(/this minute|minutes? ago/)
      .first()
      .waitFor()
    await page.getByText('This app may').click()
    await page.getByText('See your domains and their activity').waitFor()
    await assertViews(page)
    await page.getByRole('button', { name: 'Disconnect Friendly Bot' }).click()
    await page.getByLabel('Type Friendly Bot to confirm').fill('Friendly Bot')
    await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await page.getByText('Friendly Bot was disconnected').waitFor()
    assert.equal(await statusOf(client.token), 401)
  })
})

describe('the last action of a connected app', { skip: skipChromium }, () => {
  it('is its own, and not of another app with its name', async () => {
    const both = await newOwner(registrar)
    const one = await connectedClient(registrar, both, 'Same Bot')
    const other = await connectedClient(registrar, both, 'Same Bot')
    assert.deepEqual([await statusOf(one.token), await statusOf(other.token)], [200, 200])
    const refused = { token: one.token, body: { domain: 'not-for-one-bot.com' } }
    assert.equal((await registrar.request('POST', '/v1/domains', refused)).status, 403)
    const page = await openAs(both, { path: '/connected-apps', heading: 'Connected apps' })
    await page.getByText('Same Bot could not buy').waitFor()
    assert.equal(await page.getByText('Same Bot could not buy').count(), 1)
    await assertViews(page)
  })
})

describe('"Connect an agent"', { skip: skipChromium }, () => {
  it('has the set-up of each client with the endpoint of this service', async () => {
    const page = await openPage('/connect', 'Connect an agent')
    await assertViews(page)
    const endpoint = `${registrar.service.settings.mcp_url}/mcp`
    for (const client of await page.getByRole('tab').allInnerTexts()) {
      await page.getByRole('tab', { name: client, exact: true }).click()
      const panel = page.getByRole('tabpanel', { name: client, exact: true })
      const shown = await panel.innerText()
      assert.ok(shown.includes(endpoint), client)
    }
    await page.getByRole('tab', { name: 'Cursor' }).click()
    assert.equal(page.url(), `${site}/connect?client=cursor`)
    const cursor = page.getByRole('tabpanel', { name: 'Cursor', exact: true })
    await cursor.getByText('With an API key instead').click()
    // The previous panel stays in the page until its transition has ended.
    await page.getByRole('tabpanel', { name: 'Other', exact: true }).waitFor({ state: 'detached' })
    await assertViews(page)
  })

  it('replaces the key for MCP clients', async () => {
    const page = await openPage('/connect', 'Connect an agent')
    await page.getByRole('button', { name: 'Create the key' }).click()
    const first = await storedKey(page)
    await page.getByRole('button', { name: 'Replace the key' }).click()
    await page.getByLabel(/^Type ar_test_/).fill(first.slice(0, 14))
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the key' }).click()
    const second = await storedKey(page)
    assert.deepEqual([await statusOf(first), await statusOf(second)], [401, 200])
  })

  it('is behind "More" on phones, with the other pages', async () => {
    const page = await openPage('/', 'Home')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('link', { name: 'API keys' }).waitFor()
    await page.getByRole('link', { name: 'Connected apps' }).click()
    await page.getByRole('heading', { level: 1, name: 'Connected apps' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'API keys' }).isVisible(), false)
  })
})
