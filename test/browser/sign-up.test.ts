// Sign-up in a real Chromium: the form, the mailed code and link, and the key that is shown once.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { isInPreset, scopeFacts } from '../../shared/scopes.ts'
import { skipChromium } from '../support/chromium.ts'
import { startService } from '../support/service.ts'
import { assertViews, openPath } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService()
const { site, newVisitor } = await openDashboard(registrar)
const password = 'correct horse and two staples'
let made = 0

/** The account's form, filled in and sent, after an attempt that was refused. */
async function signUp(page: Page, path = '/sign-up'): Promise<string> {
  made += 1
  const email = `ada-${made}@example.org`
  await openPath(page, site + path, 'Create an account')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { level: 1, name: 'Check your email' }).waitFor()
  return email
}

async function mailTo(email: string): Promise<string> {
  const [mail] = await registrar.mails({ to: email, subject: /verify/i })
  return mail?.text ?? ''
}

async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.getByRole('textbox', { name: '6-digit code' }).focus()
  await page.keyboard.press('Control+v')
}

describe('the form of a sign-up', { skip: skipChromium }, () => {
  it('shows what is wrong beside its field', async () => {
    const page = await newVisitor()
    await openPath(page, `${site}/sign-up`, 'Create an account')
    await page.getByLabel('Email address').fill('not an address')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create account' }).click()
    const field = page.getByLabel('Password', { exact: true })
    await page.locator('[aria-invalid=true]').first().waitFor()
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    await page.getByText('Enter an email address, such as').waitFor()
    await assertViews(page)
    await field.fill('a longer one')
    await page.getByText('Enter an email address, such as').waitFor()
    assert.equal(await field.getAttribute('aria-invalid'), null)
    await page.getByRole('button', { name: 'Show password' }).click()
    assert.equal(await field.getAttribute('type'), 'text')
  })
})

describe('the sign-up', { skip: skipChromium }, () => {
  it('creates the account with a pasted code, and shows the key until it is stored', async () => {
    const page = await newVisitor()
    const email = await signUp(page, '/sign-up?next=%2Fdomains')
    const code = /^\s*(\d{6})\s*$/m.exec(await mailTo(email))?.[1] ?? ''
    await page.getByRole('button', { name: /Send another code in \d+ s/ }).waitFor()
    await page.getByRole('textbox', { name: '6-digit code' }).and(page.locator(':focus')).waitFor()
    await paste(page, code === '111111' ? '222222' : '111 111')
    assert.match(await page.getByRole('alert').innerText(), /wrong[\s\S]*another code/)
    await assertViews(page)
    await page.reload()
    await page.getByRole('textbox', { name: '6-digit code' }).waitFor()
    await paste(page, `${code.slice(0, 3)} ${code.slice(3)}`)
    await page.getByRole('heading', { level: 1, name: 'Your account is ready' }).waitFor()
    await assertViews(page)
    const key = await page.locator('code').innerText()
    const account = await registrar.request('GET', '/v1/account', { token: key })
    assert.equal(account.body.email, email)
    await page.getByText('It has the permissions of “Buy”').waitFor()
    const path = `/v1/customers/${account.body.id}/api-keys`
    const { body: keys } = await registrar.request('GET', path, { token: key })
    // domains:write includes dns:write, which is not listed beside it.
    const scopes = Object.entries(scopeFacts).filter(
      ([scope, facts]) => scope !== 'dns:write' && isInPreset(facts, 'buy'),
    )
    assert.deepEqual(
      keys[0].scopes.toSorted(),
      scopes.map(([scope]) => scope).toSorted(),
      'what the page says of the key',
    )
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor()
    assert.doesNotMatch(await page.content(), new RegExp(key))
  })

  it('creates the account with the mailed link in another browser, after a click', async () => {
    const email = await signUp(await newVisitor())
    const link = /\S+\/sign-up\/verify#token=\S+/.exec(await mailTo(email))?.[0] ?? ''
    const page = await newVisitor()
    await openPath(page, site + new URL(link).hash.replace('#', '/sign-up/verify#'), 'Verify your')
    assert.equal(page.url(), `${site}/sign-up/verify`, 'the token is not in the address')
    await page.getByText(email, { exact: true }).waitFor()
    await page.getByText('Chrome on Linux, 127.0.0.1').waitFor()
    await assertViews(page)
    await page.getByRole('button', { name: 'Create my account' }).click()
    await page.getByRole('button', { name: 'Continue without it' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })

  it('creates no account from a link that its reader did not ask for', async () => {
    const email = await signUp(await newVisitor())
    const link = /\S+\/sign-up\/verify(#token=\S+)/.exec(await mailTo(email))?.[1] ?? ''
    const page = await newVisitor()
    await openPath(page, `${site}/sign-up/verify${link}`, 'Verify your')
    await page.getByRole('button', { name: 'This was not me' }).click()
    await page.getByRole('heading', { level: 1, name: 'No account was created' }).waitFor()
    await assertViews(page)
    const body = { email, password }
    assert.equal((await registrar.request('POST', '/v1/dashboard/login', { body })).status, 401)
    await openPath(page, `${site}/log-in`, 'Log in')
    await page.goto(`${site}/sign-up/verify#token=sgt_${'a'.repeat(40)}`)
    assert.match(await page.getByRole('alert').innerText(), /wrong, or has expired/)
    assert.equal(await page.getByRole('button', { name: 'Create my account' }).count(), 0)
    await assertViews(page)
  })

  it('leads from the log-in, and there from an address without a sign-up', async () => {
    const page = await newVisitor()
    await openPath(page, `${site}/domains`, 'Log in')
    await page.getByRole('link', { name: 'Create one' }).click()
    await page.getByRole('heading', { level: 1, name: 'Create an account' }).waitFor()
    assert.equal(page.url(), `${site}/sign-up?next=%2Fdomains`)
    await openPath(page, `${site}/sign-up/verify`, 'There is no open sign-up in this browser')
    await assertViews(page)
  })
})

describe('the page of a mailed link', { skip: skipChromium }, () => {
  it('shows no text that a program sent as its name', async () => {
    const email = 'reader@example.org'
    const body = { email, password, name: 'Ada' }
    const headers = { 'x-agent-id': 'Your bank asks you to continue', 'user-agent': 'Trust me/1' }
    await registrar.request('POST', '/v1/dashboard/register', { body, headers })
    const token = /\/sign-up\/verify#token=(\S+)/.exec(await mailTo(email))?.[1] ?? ''
    const read = await registrar.request('POST', '/v1/dashboard/register/link', { body: { token } })
    assert.equal(read.body.agent, 'Trust me/1', 'of the User-Agent alone')
    const page = await newVisitor()
    await openPath(page, `${site}/sign-up/verify#token=${token}`, 'Verify your')
    await page.getByText('a program, 127.0.0.1').waitFor()
    assert.doesNotMatch(await page.locator('body').innerText(), /bank|Trust me/)
  })
})

describe('the log-in page', { skip: skipChromium }, () => {
  it('offers no sign-up where operators create the accounts', async () => {
    const invited = await startService({ settings: { SIGN_UP: 'invite' } })
    const page = await newVisitor()
    const logIn = `http://localhost:${new URL(invited.url).port}/dashboard/log-in`
    await openPath(page, logIn, 'Log in')
    await page.getByRole('link', { name: 'Forgot password?' }).waitFor()
    assert.equal(await page.getByText('No account yet?').count(), 0)
  })
})
