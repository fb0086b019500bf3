// A program of the device flow, and its users' browsers.
import assert from 'node:assert/strict'
import { decideAt, formOf, openBrowser } from '../../../test/support/browser.ts'
import { newOwner, type Owner } from '../../../test/support/owner.ts'
import type { TestService } from '../../../test/support/service.ts'
import { ownerOf, post, register } from '../flow.fixture.ts'
import { deviceGrant } from '../shared/endpoints.ts'

type Device = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

export type Browser = ReturnType<typeof openBrowser>
type Shown = Awaited<ReturnType<Browser['open']>>

function deviceOf(body: object): Device {
  return Object(body)
}

export function formAt(shown: Shown) {
  assert.ok('page' in shown)
  const form = formOf(shown.page.text, shown.page.url)
  assert.ok(form, shown.page.text)
  const hidden = form.inputs.filter(({ type }) => type === 'hidden')
  const fields = hidden.map(({ name, value }): [string, string] => [name, value])
  return { form, fields, text: shown.page.text, page: shown.page }
}

let browsers = 0

/** Opens a browser at an address of its own, for a service that trusts its proxy. */
export function newBrowser(registrar: TestService): Browser {
  browsers += 1
  const address = `203.0.113.${browsers % 250}`
  return openBrowser(registrar.url, undefined, { 'x-forwarded-for': address })
}

/** The page that asks whether the user began this. */
export async function enter(registrar: TestService, browser: Browser, typed: string) {
  const first = formAt(await browser.open(`${registrar.url}/oauth/device`))
  const shown = await browser.submit(first.form, [...first.fields, ['user_code', typed]])
  assert.ok('page' in shown)
  return shown
}

export async function openDevices(registrar: TestService) {
  const query = ownerOf(registrar)
  const owner = await newOwner(registrar)
  const grant_types = [deviceGrant, 'refresh_token']
  const { client_id } = await register(registrar, {
    grant_types,
    redirect_uris: [],
    client_name: 'T',
  })

  async function begin(more: Record<string, string> = {}): Promise<Device> {
    const at = `${registrar.url}/oauth/device_authorization`
    const { status, body, text } = await post(at, { client_id, ...more })
    assert.equal(status, 200, text)
    return deviceOf(body)
  }

  function poll(device_code: string, more: Record<string, string> = {}) {
    const fields = { grant_type: deviceGrant, device_code, client_id, ...more }
    return post(`${registrar.url}/oauth/token`, fields)
  }

  async function answer(typed: string, button: [string, string], who: Owner = owner) {
    const browser = newBrowser(registrar)
    const asked = formAt(await enter(registrar, browser, typed))
    const shown = await browser.submit(asked.form, [...asked.fields, button])
    return { browser, shown, who }
  }

  /** Enters the code, goes on, logs in and allows or denies. Returns the text of the last page. */
  async function decide(typed: string, decision: 'allow' | 'deny', who: Owner = owner) {
    const { browser, shown } = await answer(typed, ['confirm', 'yes'], who)
    const { form } = formAt(shown)
    const login = { email: who.email, password: who.password }
    const choice = decision === 'allow' ? {} : { decision }
    const ended = await decideAt(browser, form, { login, choice })
    assert.ok('page' in ended)
    return ended.page
  }

  /** Lets the client poll at once, as if it had waited. */
  async function purgePolls() {
    await query(
      `update oauth_models set payload = payload - 'polled_ms' where model = 'DeviceCode'`,
    )
  }

  async function errorOf(device_code: string, more: Record<string, string> = {}) {
    const { status, body } = await poll(device_code, more)
    assert.equal(status, 400)
    return body.error
  }

  return { query, owner, client_id, begin, poll, answer, decide, purgePolls, errorOf }
}
