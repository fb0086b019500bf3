// The device flow in a browser: how many pages its user sees from the link to the end, and that
// each of them is accessible in its views.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { buildIfStale } from '../../../dashboard/build.ts'
import { post, register } from '../../../src/oauth/flow.fixture.ts'
import { deviceGrant } from '../../../src/oauth/shared/endpoints.ts'
import { openChromium, skipChromium } from '../../support/chromium.ts'
import { newOwner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import { assertViews } from '../support/dashboard.ts'
import { pagesOf } from '../support/page-pool.ts'
import { shot } from '../support/shots.ts'

await buildIfStale()
const registrar = await startService()
const openPage = pagesOf(await openChromium())
const owner = await newOwner(registrar)
const grant_types = [deviceGrant, 'refresh_token']
const { client_id } = await register(registrar, {
  grant_types,
  redirect_uris: [],
  client_name: 'Pocket',
})

type Device = { device_code: string; user_code: string; link: string }

async function begin(): Promise<Device> {
  const at = `${registrar.url}/oauth/device_authorization`
  const { status, body, text } = await post(at, { client_id, scope: 'domains:read' })
  assert.equal(status, 200, text)
  const { device_code, user_code, verification_uri_complete: link } = body
  return { device_code, user_code, link }
}

/** Notes the title of each page that stays until its user does something. */
const noteTitles = `addEventListener('DOMContentLoaded', () => {
  if (document.querySelector('meta[http-equiv=refresh]')) return
  const titles = JSON.parse(localStorage.titles ?? '[]')
  localStorage.titles = JSON.stringify([...titles, document.querySelector('h1').textContent])
})`

const titled = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

describe('the device flow', { skip: skipChromium }, () => {
  it('takes three pages from the link to its end for a person who is logged out', async () => {
    const device = await begin()
    const page = await openPage({ alone: true })
    await page.addInitScript(noteTitles)
    await page.goto(device.link)
    await titled(page, 'Is this your device?')
    await page.getByText(device.user_code).waitFor()
    await page.getByLabel('Email address').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await press(page, 'Log in and continue')
    await titled(page, 'Connect an app to your account?')
    await page.getByText(owner.email).waitFor()
    await press(page, 'Allow')
    await titled(page, 'Connected')
    const titles: unknown = await page.evaluate('JSON.parse(localStorage.titles)')
    assert.deepEqual(titles, [
      'Is this your device?',
      'Connect an app to your account?',
      'Connected',
    ])
    const fields = { grant_type: deviceGrant, device_code: device.device_code, client_id }
    const { status, text } = await post(`${registrar.url}/oauth/token`, fields)
    assert.equal(status, 200, text)
  })

  it('has accessible pages in their views', async () => {
    const { link } = await begin()
    const page = await openPage()
    await page.goto(`${registrar.url.replace('127.0.0.1', 'localhost')}/oauth/device`)
    await titled(page, 'Connect a device')
    await assertViews(page)
    await page.goto(link)
    await titled(page, 'Is this your device?')
    await shot(page, 'device')
    await assertViews(page)
    await page.getByLabel('Email address').fill(owner.email)
    await page.getByLabel('Password').fill('not my password')
    await press(page, 'Log in and continue')
    await page.getByRole('alert').getByText('Incorrect email address or password').waitFor()
    await shot(page, 'device-wrong')
    await assertViews(page)
    await press(page, 'Deny')
    await titled(page, 'Access denied')
    await assertViews(page)
  })

  it('goes on to the other ways to log in', async () => {
    const { link } = await begin()
    const page = await openPage()
    await page.goto(link)
    await press(page, 'Continue in another way')
    await titled(page, 'Log in to connect an app')
    await page.getByRole('button', { name: 'Create an account' }).waitFor()
  })
})

describe('a page outside of the dashboard', { skip: skipChromium }, () => {
  it('is accessible where the address is unknown, and leads on', async () => {
    const page = await openPage()
    const origin = registrar.url.replace('127.0.0.1', 'localhost')
    await page.goto(`${origin}/dashbord/${'long-'.repeat(30)}`)
    await titled(page, 'Page not found')
    await shot(page, 'missing')
    await assertViews(page)
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await titled(page, 'Log in')
    await page.goto(`${origin}/login`)
    await titled(page, 'Log in')
    assert.equal(new URL(page.url()).pathname, '/dashboard/log-in')
  })

  it('is accessible where it sets a password or explains an endpoint', async () => {
    const page = await openPage()
    const origin = registrar.url.replace('127.0.0.1', 'localhost')
    const places: [string, string][] = [
      ['/password/forgotten', 'Reset your password'],
      ['/password/forgotten/asked', 'Check your email'],
      ['/password/done', 'Your password is set'],
      ['/password?token=x', 'This link is no longer valid'],
      ['/v1', 'The REST API'],
      ['/mcp', 'The MCP endpoint'],
    ]
    for (const [path, title] of places) {
      await page.goto(origin + path)
      await titled(page, title)
      await assertViews(page)
    }
  })
})
