// The journey of a new owner in a real Chromium, from the sign-up to an agent that is connected and
// then disconnected: all by the pages, with nothing but the service.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  Client,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { buildIfStale } from '../../dashboard/build.ts'
import { callback, newProvider } from '../journeys/connect.ts'
import { openChromium, skipChromium } from '../support/chromium.ts'
import { startService } from '../support/service.ts'
import { browserOf, newPage, openPath } from './support/dashboard.ts'

await buildIfStale()
const registrar = await startService()
const chromium = await openChromium()
const site = `http://localhost:${new URL(registrar.url).port}/dashboard`
const email = 'ada@example.org'
const password = 'correct horse and two staples'

async function signUp(page: Page): Promise<void> {
  await page.goto(`${new URL(site).origin}/`)
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
  await page.getByRole('link', { name: /^Create (one|an account)/ }).click()
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('link', { name: 'Open the mailbox' }).click()
  await page.getByRole('link', { name: /^Verify your email address/ }).click()
  await page.getByRole('link', { name: 'Verify your email address', exact: true }).click()
  await page.getByRole('button', { name: 'Create my account' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}

async function topUp(page: Page): Promise<void> {
  await openPath(page, `${site}/balance`, 'Balance')
  await page.getByRole('radio', { name: /50\.00$/ }).check({ force: true })
  await page.getByRole('button', { name: /^Add .*50\.00$/ }).click()
  await page.getByRole('row', { name: /Simulated top-up/ }).waitFor()
}

async function buy(page: Page, domain: string): Promise<void> {
  await openPath(page, `${site}/buy?q=${domain}`, 'Buy a domain')
  await page.getByRole('button', { name: `Buy ${domain}` }).click()
  await page.getByRole('heading', { name: 'A registrant is missing' }).waitFor()
  await page.getByLabel('Country', { exact: true }).selectOption({ label: 'Netherlands' })
  for (const [label, value] of [
    ['Street and number', 'Keizersgracht 1'],
    ['Postal code', '1015 CN'],
    ['City', 'Amsterdam'],
    ['State or province', 'Noord-Holland'],
    ['Telephone number', '201234567'],
  ] as const)
    await page.getByLabel(label).fill(value)
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await page.getByRole('button', { name: /^Buy for .*10\.85$/ }).click()
  await page.getByText(`${domain} is yours`).waitFor()
}

async function newKey(page: Page): Promise<string> {
  await openPath(page, `${site}/api-keys`, 'API keys')
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('deploy bot')
  await page.getByRole('radio', { name: 'Read only' }).check()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Store your API key' })
  const key = await dialog.locator('code').first().innerText()
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  return key
}

/** An MCP client that has only the URL, and asks its user to log in. */
async function newAgent() {
  const { wallet, provider } = newProvider<
    StoredOAuthClientInformation,
    StoredOAuthTokens,
    OAuthDiscoveryState
  >('Pocket agent')
  const client = new Client({ name: 'pocket', version: '1' })
  const url = new URL(`${registrar.service.settings.mcp_url}/mcp`)
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider })
  await client.connect(transport)
  after(() => client.close())
  const use = (name: string, args = {}) => client.callTool({ name, arguments: args })
  await assert.rejects(use('get_account'), 'the first call has no token')
  assert.ok(wallet.asked)
  return { use, asked: wallet.asked, finish: (url: URL) => transport.finishAuth(url.searchParams) }
}

/** Opens the client's authorization URL, and allows what it asks for. */
async function consent(page: Page, asked: URL): Promise<URL> {
  await page.goto(asked.href)
  await page.getByRole('button', { name: /^Continue as/ }).click()
  await page.getByText('Pocket agent').first().waitFor()
  await page.getByRole('radio', { name: /^Buy/ }).check()
  // No server listens there.
  const redirect = page.waitForRequest((request) => request.url().startsWith(callback))
  await page.getByRole('button', { name: 'Allow' }).click()
  return new URL((await redirect).url())
}

describe('a new owner', { skip: skipChromium }, () => {
  it('signs up, buys, makes a key, connects an agent, sees what it did, and revokes it', async () => {
    assert.ok(chromium)
    const context = await chromium.person(browserOf({ width: 1440, theme: 'light' }))
    after(() => context.close())
    const page = await newPage(context)
    await signUp(page)
    await topUp(page)
    await buy(page, 'journey-of-ada.com')

    const token = await newKey(page)
    const { body: list } = await registrar.request('GET', '/v1/domains', { token })
    assert.deepEqual(
      list.domains.map(({ domain }: { domain: string }) => domain),
      ['journey-of-ada.com'],
    )

    const agent = await newAgent()
    await agent.finish(await consent(page, agent.asked))
    const bought = await agent.use('register_domain', { domain: 'bought-by-the-agent.com' })
    assert.ok(!bought.isError, JSON.stringify(bought.content))

    await openPath(page, `${site}/audit-log`, 'Audit log')
    await page
      .getByText(/bought bought-by-the-agent\.com/)
      .first()
      .waitFor()
    await openPath(page, `${site}/domains`, 'Domains')
    await page.getByRole('link', { name: 'bought-by-the-agent.com' }).waitFor()

    await openPath(page, `${site}/connected-apps`, 'Connected apps')
    await page.getByRole('button', { name: 'Disconnect Pocket agent' }).click()
    await page.getByLabel('Type Pocket agent to confirm').fill('Pocket agent')
    await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await page.getByText('Pocket agent was disconnected').waitFor()
    await assert.rejects(agent.use('register_domain', { domain: 'too-late.com' }))

    await openPath(page, `${site}/api-keys`, 'API keys')
    await page.getByRole('button', { name: 'Revoke deploy bot' }).click()
    await page.getByLabel('Type deploy bot to confirm').fill('deploy bot')
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('deploy bot was revoked').waitFor()
    const { status } = await registrar.request('GET', '/v1/domains', { token })
    assert.equal(status, 401)
  })
})
