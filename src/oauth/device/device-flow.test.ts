// The device flow (RFC 8628) from its request to tokens: each error of the token endpoint, polls
// that are too fast, guessed codes, and the pages of its user.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decideAt, formOf, openBrowser } from '../../../test/support/browser.ts'
import { newOwner, type Owner } from '../../../test/support/owner.ts'
import { sharedService } from '../../../test/support/service.ts'
import { recentSessionOf } from '../../../test/support/sign-in.ts'
import { systemCall } from '../../capabilities/audit/index.ts'
import { callTool, ownerOf, post, register } from '../flow.fixture.ts'
import { deviceGrant } from '../provider/endpoints.ts'
import { endUnusedGrants } from '../storage/end-unused-grants.job.ts'

const registrar = await sharedService()
const query = ownerOf(registrar)
const owner = await newOwner(registrar)
const grant_types = [deviceGrant, 'refresh_token']
const { client_id } = await register(registrar, {
  grant_types,
  redirect_uris: [],
  client_name: 'T',
})

type Device = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

async function begin(more: Record<string, string> = {}): Promise<Device> {
  const at = `${registrar.url}/oauth/device_authorization`
  const { status, body, text } = await post(at, { client_id, ...more })
  assert.equal(status, 200, text)
  return deviceOf(body)
}

function deviceOf(body: object): Device {
  return Object(body)
}

function poll(device_code: string, more: Record<string, string> = {}) {
  const fields = { grant_type: deviceGrant, device_code, client_id, ...more }
  return post(`${registrar.url}/oauth/token`, fields)
}

type Browser = ReturnType<typeof openBrowser>
type Shown = Awaited<ReturnType<Browser['open']>>

function formAt(shown: Shown) {
  assert.ok('page' in shown)
  const form = formOf(shown.page.text, shown.page.url)
  assert.ok(form, shown.page.text)
  const hidden = form.inputs.filter(({ type }) => type === 'hidden')
  const fields = hidden.map(({ name, value }): [string, string] => [name, value])
  return { form, fields, text: shown.page.text, page: shown.page }
}

/** The page that asks whether the user began this. */
async function enter(browser: Browser, typed: string) {
  const first = formAt(await browser.open(`${registrar.url}/oauth/device`))
  const shown = await browser.submit(first.form, [...first.fields, ['user_code', typed]])
  assert.ok('page' in shown)
  return shown
}

async function answer(typed: string, button: [string, string], who: Owner = owner) {
  const browser = openBrowser(registrar.url)
  const asked = formAt(await enter(browser, typed))
  const shown = await browser.submit(asked.form, [...asked.fields, button])
  return { browser, shown, who }
}

/** Enters the code, goes on, logs in and allows or denies; the text of the last page. */
async function decide(typed: string, decision: 'allow' | 'deny', who: Owner = owner) {
  const { browser, shown } = await answer(typed, ['confirm', 'yes'], who)
  const { form } = formAt(shown)
  const login = { email: who.email, password: who.password }
  const choice = decision === 'allow' ? {} : { decision }
  const ended = await decideAt(browser, form, { login, choice })
  assert.ok('page' in ended)
  return ended.page
}

/** As if the client had waited. */
async function purgePolls() {
  await query(`update oauth_models set payload = payload - 'polled_ms' where model = 'DeviceCode'`)
}

async function errorOf(device_code: string, more: Record<string, string> = {}) {
  const { status, body } = await poll(device_code, more)
  assert.equal(status, 400)
  return body.error
}

describe('the device flow', () => {
  it('is announced with its endpoint and its grant type', async () => {
    const at = '/.well-known/oauth-authorization-server'
    const { body } = await registrar.request('GET', at)
    assert.equal(body.device_authorization_endpoint, `${registrar.url}/oauth/device_authorization`)
    assert.ok(body.grant_types_supported.includes(deviceGrant))
  })

  it('gives tokens when its user has consented', async () => {
    const device = await begin()
    assert.match(device.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.equal(device.verification_uri, `${registrar.url}/oauth/device`)
    assert.deepEqual([device.expires_in, device.interval], [900, 5])
    assert.equal(await errorOf(device.device_code), 'authorization_pending')
    const page = await decide(device.user_code.toLowerCase().replace('-', ' '), 'allow')
    assert.match(page.text, /<h1>Connected<\/h1>/)
    const { status, body, text } = await poll(device.device_code)
    assert.equal(status, 200, text)
    assert.deepEqual(await callTool(registrar.url, body.access_token), {
      status: 200,
      id: owner.id,
    })
    const fields = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id }
    const renewed = await post(`${registrar.url}/oauth/token`, fields)
    assert.equal(renewed.status, 200, renewed.text)
    const at = '/v1/account/oauth-grants'
    const { body: listed } = await registrar.request('GET', at, { token: owner.key })
    const [grant] = listed.oauth_grants
    assert.deepEqual([grant.client_id, grant.redirect_host], [client_id, 'device code'])
    const mails = await registrar.mails({ to: owner.email, subject: /connected/ })
    assert.match(mails.at(-1)?.text ?? '', /by a code that a device or\s+a terminal showed/)
  })

  it('revokes what it gave when a device code is used twice', async () => {
    const device = await begin()
    await decide(device.user_code, 'allow')
    const { body } = await poll(device.device_code)
    assert.equal(await errorOf(device.device_code), 'invalid_grant')
    assert.equal((await callTool(registrar.url, body.access_token)).status, 401)
  })

  it('is listed, and can be ended, before its program has come for the tokens', async () => {
    const person = await newOwner(registrar)
    const device = await begin()
    await decide(device.user_code, 'allow', person)
    await query(`update oauth_grants set created_at = created_at - interval '11 minutes'
                  where customer_id = '${person.id}'`)
    const { app } = registrar.service
    await endUnusedGrants.run(app, systemCall(app, 'test'))
    const at = '/v1/account/oauth-grants'
    const { body } = await registrar.request('GET', at, { token: person.key })
    const [grant, ...more] = body.oauth_grants
    assert.deepEqual([grant?.client_id, more], [client_id, []])
    const session = await recentSessionOf(registrar, person)
    const ended = await registrar.request('DELETE', `${at}/${grant.id}`, { token: session })
    assert.equal(ended.status, 200, ended.text)
    assert.equal(await errorOf(device.device_code), 'invalid_grant')
  })

  it('gives the narrower audience and scope that were asked for', async () => {
    const scope = 'account:read'
    const resource = `${registrar.service.settings.mcp_url}/mcp`
    const device = await begin({ scope, resource })
    await decide(device.user_code, 'allow')
    const { body } = await poll(device.device_code, { resource })
    assert.equal(body.scope, scope)
  })
})

describe('the token endpoint, asked for a device code', () => {
  it('says that the user denied it on the consent page', async () => {
    const device = await begin()
    assert.match((await decide(device.user_code, 'deny')).text, /<h1>Access denied<\/h1>/)
    assert.equal(await errorOf(device.device_code), 'access_denied')
  })

  it('says that the user denied it at the code', async () => {
    const device = await begin()
    const { shown } = await answer(device.user_code, ['abort', 'yes'])
    assert.ok('page' in shown && shown.page.text.includes('Access denied'))
    assert.equal(await errorOf(device.device_code), 'access_denied')
  })

  it('asks to slow down, each time by five seconds more', async () => {
    const { device_code } = await begin()
    assert.equal(await errorOf(device_code), 'authorization_pending')
    assert.equal(await errorOf(device_code), 'slow_down')
    assert.equal(await errorOf(device_code), 'slow_down')
    const of = `select (payload ->> 'interval_s')::int as interval_s from oauth_models
                 where model = 'DeviceCode' and payload ? 'polled_ms' order by created_at desc`
    assert.equal((await query(of))[0]?.interval_s, 15)
    await purgePolls()
    assert.equal(await errorOf(device_code), 'authorization_pending')
  })

  it('says that the code has expired', async () => {
    const { device_code } = await begin()
    const past = `'${String(Math.floor(Date.now() / 1000) - 1)}'`
    await query(
      `update oauth_models set payload = jsonb_set(payload, '{exp}', ${past})
        where model = 'DeviceCode' and not payload ? 'accountId'`,
    )
    assert.equal(await errorOf(device_code), 'expired_token')
  })

  it('knows no code of another client, none that is unknown, and none by its hash', async () => {
    const { device_code } = await begin()
    const other = await register(registrar, { grant_types, redirect_uris: [] })
    assert.equal(await errorOf(device_code, { client_id: other.client_id }), 'invalid_grant')
    assert.equal(await errorOf('unknown-code'), 'invalid_grant')
    const [row] = await query(`select encode(id_hash, 'hex') as hash from oauth_models
       where model = 'DeviceCode' order by created_at desc limit 1`)
    assert.equal(await errorOf(`by-hash:${row?.hash}`), 'invalid_grant')
  })

  it('refuses a client that did not register for the flow', async () => {
    const other = await register(registrar)
    const at = `${registrar.url}/oauth/device_authorization`
    const { status, body } = await post(at, { client_id: other.client_id })
    assert.deepEqual([status, body.error], [400, 'unauthorized_client'])
  })
})

describe('the page for the code', () => {
  it('fills in the code of the link, and sends nothing without a click', async () => {
    const device = await begin()
    const browser = openBrowser(registrar.url)
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
    const { text } = formAt(await enter(openBrowser(registrar.url), device.user_code))
    for (const fact of ['Is this your device?', device.user_code, 'App name (not verified)', 'UTC'])
      assert.ok(text.includes(fact), fact)
  })

  it('says what is wrong with a code', async () => {
    const browser = openBrowser(registrar.url)
    assert.match(formAt(await enter(browser, 'BBBB-BBBB')).text, /No program waits with this code/)
    assert.match(formAt(await enter(browser, '')).text, /Enter the code/)
    const device = await begin()
    await decide(device.user_code, 'allow')
    assert.match(formAt(await enter(browser, device.user_code)).text, /was already used/)
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
