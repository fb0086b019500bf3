// Every page of an app's authorization in both themes and at three widths, and the ways through it:
// sign-up without scripts, a link in another tab, single sign-on, a passkey, and presets.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { buildIfStale } from '../../dashboard/build.ts'
import { newClient } from '../../src/oauth/consent/consent.fixture.ts'
import { openChromium, skipChromium } from '../support/chromium.ts'
import { newOwner } from '../support/owner.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { startService } from '../support/service.ts'
import { openIssuer, someUser, ssoSettings } from '../support/sso/identity-providers.ts'
import { assertViews, browserOf, newPage } from './support/dashboard.ts'
import { pagesOf } from './support/page-pool.ts'

await buildIfStale()
const issuer = await openIssuer()
after(() => issuer.close())
const terms = { TERMS_URL: 'https://terms.example/', TERMS_VERSION: '1' }
const registrar = await startService({
  settings: { ...ssoSettings({ acme: issuer.url }), ...terms },
})
const owner = await newOwner(registrar)
const chromium = await openChromium()
const openPage = pagesOf(chromium)
const client = await newClient(registrar, { client_name: 'Pocket' })
const scope = 'domains:read domains:write domains:purchase billing:read keys:write'
const password = 'four unlikely words here'
let made = 0

async function arrive({ alone = false, url = client.url({ scope }) } = {}): Promise<Page> {
  const page = await openPage({ alone })
  await page.goto(url.href)
  return page
}

async function arriveWithoutScripts(): Promise<Page> {
  assert.ok(chromium)
  const options = browserOf({ width: 1440, theme: 'light' })
  const context = await chromium.person({ ...options, javaScriptEnabled: false })
  after(() => context.close())
  const page = await newPage(context)
  await page.goto(client.url({ scope }).href)
  return page
}
const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).click()
const titled = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

const showsSandbox = (page: Page) =>
  page.getByRole('complementary', { name: 'Sandbox' }).getByText('No real money').waitFor()

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await press(page, 'Log in')
  await titled(page, 'Connect an app to your account?')
}

/** Goes up to the page that asks for the code. */
async function signUp(page: Page): Promise<string> {
  made += 1
  const email = `new-${made}@example.org`
  await press(page, 'Create an account')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await press(page, 'Create account')
  await titled(page, 'Check your email')
  return email
}
const mailTo = async (to: string) =>
  (await registrar.mails({ to, subject: /verify/i })).at(-1)?.text ?? ''

/** Allows access with a preset, and returns the scopes of the token. */
async function granted(page: Page, preset: RegExp): Promise<string[]> {
  await page.getByRole('radio', { name: preset }).check()
  const back = page.waitForRequest(/127\.0\.0\.1:43117\/callback\?/)
  await press(page, 'Allow')
  const code = new URL((await back).url()).searchParams.get('code')
  const { status, body } = await client.redeem(code)
  assert.equal(status, 200, JSON.stringify(body))
  return String(body.scope).split(' ').toSorted()
}

/** A script that logs in to the dashboard, adds a passkey, and logs out. */
const addPasskey = ({ email, password: own }: typeof owner) => `(async () => {
  const send = async (path, body) => {
    const headers = { 'Content-Type': 'application/json', 'X-Session': 'cookie' }
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(path + ': ' + (await answer.text()))
    return answer.status === 204 ? null : answer.json()
  }
  await send('/v1/dashboard/login', ${JSON.stringify({ email, password: own })})
  const { options } = await send('/v1/account/passkeys/options', {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const { id, rawId, type, response } = (await navigator.credentials.create({ publicKey })).toJSON()
  const { clientDataJSON, attestationObject } = response
  const made = { clientDataJSON, attestationObject }
  const credential = { id, rawId, type, clientExtensionResults: {}, response: made }
  await send('/v1/account/passkeys', { credential })
  await send('/v1/dashboard/logout', {})
})()`

describe('every page', { skip: skipChromium }, () => {
  it('of the log-in and the consent is accessible', async () => {
    const page = await arrive()
    await showsSandbox(page)
    await assertViews(page)
    await page.getByLabel('Email address').fill(owner.email)
    await page.getByLabel('Password').fill('not my password')
    await press(page, 'Log in')
    await page.getByRole('alert').first().waitFor()
    await assertViews(page)
    await logIn(page)
    await showsSandbox(page)
    await assertViews(page)
    await page.getByRole('radio', { name: /^Custom/ }).check()
    for (const group of await page.locator('summary').all()) await group.click()
    await assertViews(page)
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
    await press(page, 'Allow')
    await page.getByText('Nothing is selected').waitFor()
    await rowsIn(registrar)(
      `update oauth_models
          set payload = jsonb_set(payload, '{lastSubmission,account,signed_in_at}',
                                  to_jsonb('2020-01-01T00:00:00.000Z'::text))
        where model = 'Interaction' and payload #> '{lastSubmission,account}' <> 'null'`,
    )
    await page.reload()
    await titled(page, 'Confirm that it is you')
    await assertViews(page)
  })

  it('of the sign-up is accessible', async () => {
    const page = await arrive()
    await press(page, 'Create an account')
    await titled(page, 'Create an account')
    await assertViews(page)
    await page.getByLabel('Email address').fill('ada@example.org')
    await page.getByLabel('Password').fill('password')
    await page.getByLabel('Name', { exact: true }).fill('Ada')
    await press(page, 'Create account')
    await page.getByText('Please check the marked fields').waitFor()
    await assertViews(page)
    await press(page, 'Log in')
    const email = await signUp(page)
    await assertViews(page)
    await page.getByLabel('6-digit code').fill(/\d{6}/.exec(await mailTo(email))?.[0] ?? '')
    await press(page, 'Verify')
    await titled(page, 'Connect an app to your account?')
    await page.goto(client.url({ scope }).href)
    await press(page, `Continue as ${email}`)
    await titled(page, 'Connect an app to your account?')
    await page.goto(client.url({ scope }).href)
    await assertViews(page)
  })

  it('of an error, and of passwords, is accessible', async () => {
    const page = await arrive()
    for (const path of [
      '/oauth/authorize?interaction=x',
      '/oauth/authorize?client_id=x',
      '/password?token=x',
      '/password/done',
      '/password/forgotten',
    ]) {
      await page.goto(registrar.url + path)
      await assertViews(page)
    }
    await page.getByLabel('Email address of your account').fill(owner.email)
    await press(page, 'Send reset link')
    await titled(page, 'Check your email')
    await assertViews(page)
    const mails = await registrar.mails({ to: owner.email, subject: /^Reset your password/ })
    const token = /\/password\?token=(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1]
    await page.goto(`${registrar.url}/password?token=${token}`)
    await titled(page, 'Set a new password')
    await showsSandbox(page)
    await assertViews(page)
  })
})

describe('an owner without an account', { skip: skipChromium }, () => {
  it('signs up by code without scripts, and connects the app', async () => {
    const page = await arriveWithoutScripts()
    const email = await signUp(page)
    await mailTo(email)
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'the API lists the emails' }).click()
    const list = await opened
    const [mail] = JSON.parse(await list.locator('body').innerText()).mails
    assert.equal(mail.to, email)
    await list.goto(`${list.url()}/${mail.mail_id}`)
    const { text } = JSON.parse(await list.locator('body').innerText())
    const code = /^\s*(\d{6})\s*$/m.exec(text)?.[1] ?? ''
    await list.goto(new URL('/dashboard/mailbox', list.url()).href)
    await titled(list, 'The dashboard needs JavaScript')
    await page.getByLabel('6-digit code').fill(code)
    await press(page, 'Verify')
    await page.getByText(`Logged in as ${email}.`).waitFor()
    assert.deepEqual(await granted(page, /^Read only/), ['billing:read', 'domains:read'])
  })

  it('opens the mailed link in another tab, and goes on in the first', async () => {
    const page = await arrive()
    const email = await signUp(page)
    const link = /\S+\/sign-up\/verify#token=\S+/.exec(await mailTo(email))?.[0] ?? ''
    const tab = await newPage(page.context())
    await tab.goto(link)
    await press(tab, 'Create my account')
    await titled(tab, 'Your account is ready')
    await press(page, 'I have confirmed: continue')
    await page.getByText(`Logged in as ${email}.`).waitFor()
    const scopes = ['billing:read', 'domains:read', 'domains:write']
    assert.deepEqual(await granted(page, /^Manage/), scopes)
  })

  it('signs up through an identity provider, and returns to the same consent', async () => {
    issuer.user = someUser()
    const page = await arriveWithoutScripts()
    await press(page, 'Continue with acme')
    await page.getByText(`Logged in as ${issuer.user.email}.`).waitFor()
    const scopes = ['billing:read', 'domains:purchase', 'domains:read', 'domains:write']
    assert.deepEqual(await granted(page, /^Buy/), scopes)
  })
})

describe('an owner with an account', { skip: skipChromium }, () => {
  it('links an identity provider with a mailed code', async () => {
    issuer.user = someUser({ email: owner.email })
    const page = await arrive()
    await press(page, 'Continue with acme')
    await titled(page, 'You already have an account')
    await assertViews(page)
    await press(page, 'Send a code by email')
    await page.getByLabel('6-digit code').waitFor()
    await assertViews(page)
    const mails = await registrar.mails({ to: owner.email, subject: /code|link/i })
    const code = /^\s*(\d{6})\s*$/m.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
    await page.getByLabel('6-digit code').fill(code)
    await press(page, 'Confirm')
    await page.getByText(`Logged in as ${owner.email}.`).waitFor()
  })

  it('sees where no passkey was used, and logs in with one', async () => {
    const page = await arrive({ alone: true })
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const authenticator = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
    } as const
    const verifying = { hasUserVerification: true, isUserVerified: true }
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...authenticator, ...verifying, automaticPresenceSimulation: true },
    })
    await press(page, 'Continue with a passkey')
    await page.getByText('No passkey was used').waitFor()
    await page.evaluate(addPasskey(owner))
    await press(page, 'Continue with a passkey')
    await page.getByText(`Logged in as ${owner.email}.`).waitFor()
  })
})
