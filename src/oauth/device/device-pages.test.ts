// The pages for the user of the device flow (RFC 8628): the code that is typed or comes with a
// link, guessed codes, and the log-in beside the code.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decideAt } from '../../../test/support/browser.ts'
import { newOwner } from '../../../test/support/owner.ts'
import { startService } from '../../../test/support/service.ts'
import { callTool, post } from '../flow.fixture.ts'
import { type Browser, enter, formAt, newBrowser, openDevices } from './device.fixture.ts'

// Guessed codes are counted by address, and each browser here has one of its own.
const registrar = await startService({ settings: { TRUSTED_PROXIES: '127.0.0.1' } })
const { query, owner, begin, poll, decide, errorOf } = await openDevices(registrar)

describe('the page for the code', () => {
  it('fills in the code of the link, and sends nothing without a click', async () => {
    const device = await begin()
    const browser = newBrowser(registrar)
    const { form, page } = formAt(await browser.open(device.verification_uri_complete))
    const field = form.inputs.find(({ name }) => name === 'user_code')
    assert.equal(field?.value, device.user_code)
    assert.doesNotMatch(page.text, /<script/)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /script-src/)
  })

  it('shows which program asked, and from where', async () => {
    const device = await begin()
    const { text } = formAt(await enter(registrar, newBrowser(registrar), device.user_code))
    for (const fact of ['Is this your device?', device.user_code, 'App name (not verified)', 'UTC'])
      assert.ok(text.includes(fact), fact)
  })

  it('says what is wrong with a code', async () => {
    const browser = newBrowser(registrar)
    assert.match(
      formAt(await enter(registrar, browser, 'BBBB-BBBB')).text,
      /No program is waiting with this code/,
    )
    assert.match(formAt(await enter(registrar, browser, '')).text, /Enter the code/)
    const device = await begin()
    await decide(device.user_code, 'allow')
    assert.match(formAt(await enter(registrar, browser, device.user_code)).text, /was already used/)
  })

  it('refuses a form of another site, and one without its token', async () => {
    const at = `${registrar.url}/oauth/device`
    const { user_code } = await begin()
    const fields = { user_code, confirm: 'yes' }
    const body = new URLSearchParams(fields)
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await fetch(at, { method: 'POST', body, headers })).status, 403)
    const without = await post(at, fields)
    assert.match(without.text, /This page has expired/)
  })

  it('stops a browser that guesses', async () => {
    const at = new URL('/oauth/device', registrar.url)
    const forwarded = { 'x-forwarded-for': '198.51.100.77' }
    const statuses = new Set<number>()
    for (let guess = 0; guess < 40; guess += 1) {
      const body = new URLSearchParams({ user_code: 'BBBBBBBB' })
      statuses.add((await fetch(at, { method: 'POST', body, headers: forwarded })).status)
    }
    assert.ok(statuses.has(429))
  })
})

describe('a link with a code', () => {
  it('shows the program of the link, and takes no code by being opened', async () => {
    const device = await begin()
    for (const _ of [1, 2, 3]) {
      const { text } = formAt(await newBrowser(registrar).open(device.verification_uri_complete))
      assert.match(text, /Is this your device\?/)
      assert.ok(text.includes(device.user_code))
    }
    assert.equal(await errorOf(device.device_code), 'authorization_pending')
    assert.match((await decide(device.user_code, 'allow')).text, /<h1>Connected<\/h1>/)
  })

  it('says what is wrong with the code of a link', async () => {
    const open = async (code: string) => {
      const at = `${registrar.url}/oauth/device?user_code=${encodeURIComponent(code)}`
      return formAt(await newBrowser(registrar).open(at)).text
    }
    assert.match(await open('BBBB-BBBB'), /No program is waiting with this code/)
    assert.match(await open('"><script>'), /No program is waiting with this code/)
    const used = await begin()
    await decide(used.user_code, 'allow')
    assert.match(await open(used.user_code), /was already used/)
    const late = await begin()
    const past = `'${String(Math.floor(Date.now() / 1000) - 1)}'`
    await query(
      `update oauth_models set payload = jsonb_set(payload, '{exp}', ${past})
        where model = 'DeviceCode' and not payload ? 'accountId'`,
    )
    assert.match(await open(late.user_code), /This code has expired/)
  })

  it('counts the links that are opened with a code as guesses', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.78' }
    const statuses = new Set<number>()
    for (let guess = 0; guess < 40; guess += 1) {
      const at = `${registrar.url}/oauth/device?user_code=BBBBBBBB`
      statuses.add((await fetch(at, { headers })).status)
    }
    assert.ok(statuses.has(429))
    const empty = await fetch(`${registrar.url}/oauth/device`, { headers })
    assert.equal(empty.status, 200)
  })
})

describe('the log-in beside the code', () => {
  type Given = { email?: string; password?: string }
  const logIn = async (
    browser: Browser,
    { form, fields }: ReturnType<typeof formAt>,
    given: Given,
  ) =>
    formAt(
      await browser.submit(form, [
        ...fields,
        ['email', given.email ?? owner.email],
        ['password', given.password ?? owner.password],
        ['confirm', 'log_in'],
      ]),
    )

  it('leads to the consent, which is given in that log-in', async () => {
    const device = await begin()
    const browser = newBrowser(registrar)
    const asked = formAt(await browser.open(device.verification_uri_complete))
    const consent = await logIn(browser, asked, {})
    assert.match(consent.text, /Connect an app to your account\?/)
    assert.ok(consent.text.includes(owner.email))
    const ended = await decideAt(browser, consent.form, { login: owner })
    assert.ok('page' in ended && /<h1>Connected<\/h1>/.test(ended.page.text))
    const { status, body, text } = await poll(device.device_code)
    assert.equal(status, 200, text)
    assert.equal((await callTool(registrar.url, body.access_token)).id, owner.id)
    // The browser is logged in now: the next device needs no password.
    const next = formAt(await browser.open((await begin()).verification_uri_complete))
    assert.doesNotMatch(next.text, /type="password"/)
    assert.match(next.text, /value="yes">Continue</)
  })

  it('is asked for again with a wrong password, and takes no code', async () => {
    const device = await begin()
    const browser = newBrowser(registrar)
    const asked = formAt(await browser.open(device.verification_uri_complete))
    const wrong = await logIn(browser, asked, { password: 'not my "password"' })
    assert.match(wrong.text, /Is this your device\?[\s\S]*Incorrect email address or password/)
    assert.match(wrong.text, /<title>Error: /)
    assert.ok(wrong.text.includes(owner.email) && !wrong.text.includes('not my'))
    const none = await logIn(browser, wrong, { email: ' ', password: '' })
    assert.match(none.text, /Enter your email address and password/)
    assert.equal(await errorOf(device.device_code), 'authorization_pending')
    assert.match((await logIn(browser, none, {})).text, /Connect an app to your account\?/)
  })

  it('is within the limits on guessed passwords', async () => {
    const other = await newOwner(registrar)
    const browser = newBrowser(registrar)
    let shown = formAt(await browser.open((await begin()).verification_uri_complete))
    let tries = 0
    while (tries < 15 && !/Too many login attempts/.test(shown.text)) {
      shown = await logIn(browser, shown, { email: other.email, password: `guess ${tries}` })
      tries += 1
    }
    assert.match(shown.text, /Too many login attempts/)
    assert.match((await logIn(browser, shown, other)).text, /Too many login attempts/)
  })

  it('does not log in with a code that no program waits with', async () => {
    const browser = newBrowser(registrar)
    const asked = formAt(await browser.open((await begin()).verification_uri_complete))
    const fields = asked.fields.map(([name, value]): [string, string] => [
      name,
      name === 'user_code' ? 'BBBB-BBBB' : value,
    ])
    const unknown = await logIn(browser, { ...asked, fields }, {})
    assert.match(unknown.text, /No program is waiting with this code/)
    const home = formAt(await browser.open((await begin()).verification_uri_complete))
    assert.match(home.text, /type="password"/)
  })
})
