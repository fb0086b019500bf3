// Browser logins at the consent page are sessions of the customer: listed, and once one ends its
// browser has to enter the password.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filledIn, newOwner, type Owner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'

import { sharedService } from '../../../test/support/service.ts'
import { formIn, isPage, newClient, newVisitor, type Visitor } from './consent.fixture.ts'

const registrar = await sharedService()
const client = await newClient(registrar)
const rows = rowsIn(registrar)

async function session({ email, password }: Owner): Promise<string> {
  const { body } = await registrar.request('POST', '/v1/dashboard/login', {
    body: { email, password },
  })
  return body.access_token
}
const sessions = async (token: string) =>
  (await registrar.request('GET', '/v1/account/sessions', { token })).body.sessions
const grants = async (token: string) =>
  (await registrar.request('GET', '/v1/account/oauth-grants', { token })).body.oauth_grants

/** An owner, and a browser that logged in at the consent page. */
async function setup() {
  const owner = await newOwner(registrar)
  const visitor = newVisitor(registrar)
  const { form } = await visitor.page(client.url())
  const browser = { 'user-agent': 'Firefox of Ada' }
  const answer = await visitor.decide(form, owner, { headers: browser })
  const away = await visitor.leave(answer)
  assert.equal((await client.redeem(away.searchParams.get('code'))).status, 200)
  return { owner, visitor, token: await session(owner) }
}
const asksPassword = async (visitor: Visitor) => {
  const { text } = await visitor.page(client.url())
  assert.equal(/Logged in as/.test(text), !/name="email"/.test(text))
  return /name="email"/.test(text)
}

describe('the list of sessions', () => {
  it('shows the browser that logged in at the consent page, once', async () => {
    const { owner, visitor, token } = await setup()
    const [own, browser, ...more] = await sessions(token)
    assert.equal(more.length, 0)
    assert.deepEqual([own.current, browser.current], [true, false])
    assert.equal(browser.agent, 'consent page: Firefox of Ada')
    const hours = (Date.parse(browser.expires_at) - Date.now()) / 3_600_000
    assert.ok(hours > 7.9 && hours < 8.01, String(hours))
    const { form } = await visitor.page(client.url({ prompt: 'login' }))
    await visitor.leave(await visitor.decide(form, owner))
    const again = await sessions(token)
    assert.equal(again.length, 2)
    assert.ok(
      again.some(({ id }: { id: number }) => id > browser.id),
      'the newer log-in',
    )
  })

  it('no longer shows it once the browser is used for another account', async () => {
    const { visitor, token } = await setup()
    const { form } = await visitor.page(client.url())
    const hidden = form.inputs.filter(({ type }) => type === 'hidden')
    const fields = hidden.map(({ name, value }): [string, string] => [name, value])
    isPage(await visitor.submit([...fields, ['decision', 'switch']]), 200, /name="email"/)
    assert.equal((await sessions(token)).length, 1)
  })
})

describe('a browser has to enter the password', () => {
  it('once its session was ended, and its open page has expired', async () => {
    const { owner, visitor, token } = await setup()
    assert.equal(await asksPassword(visitor), false)
    const open = await visitor.page(client.url())
    for (const { id, current } of await sessions(token))
      if (!current) await registrar.request('DELETE', `/v1/account/sessions/${id}`, { token })
    const before = await rows('select id from oauth_grants where customer_id = $1', [owner.id])
    isPage(await visitor.decide(open.form, owner), 400, /page has expired/)
    assert.equal(await asksPassword(visitor), true)
    const after = await rows('select id from oauth_grants where customer_id = $1', [owner.id])
    assert.equal(after.length, before.length)
  })

  it('once an app was disconnected that it connected', async () => {
    const { visitor, token } = await setup()
    const [grant] = await grants(token)
    await registrar.request('DELETE', `/v1/account/oauth-grants/${grant.id}`, { token })
    assert.equal(await asksPassword(visitor), true)
    assert.equal((await sessions(token)).length, 1)
  })

  it('once the password changed, and its session is no longer listed', async () => {
    const { owner, visitor, token } = await setup()
    const body = { current_password: owner.password, new_password: `${owner.password} + 1` }
    await registrar.request('POST', '/v1/account/password', { token, body })
    assert.equal(await asksPassword(visitor), true)
    assert.equal((await sessions(token)).length, 1)
  })

  it('if its session ended between Allow and the redirect: no code, and no login', async () => {
    const owner = await newOwner(registrar)
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const answer = await visitor.decide(form, owner)
    const token = await session(owner)
    for (const { id, current } of await sessions(token))
      if (!current) await registrar.request('DELETE', `/v1/account/sessions/${id}`, { token })
    isPage(await visitor.open(answer.location ?? ''), 400, /page has expired/)
    assert.equal(await asksPassword(visitor), true)
  })

  it('eight hours after it was given, however busy the browser is', async () => {
    const { owner, visitor } = await setup()
    await rows(
      `update sessions set expires_at = now() where customer_id = $1 and agent like 'consent%'`,
      [owner.id],
    )
    assert.equal(await asksPassword(visitor), true)
  })
})

describe('a login of more than ten minutes ago', () => {
  const age = (owner: Owner, minutes: number) =>
    rows(
      `update sessions set signed_in_at = now() - $2 * interval '1 minute' where customer_id = $1`,
      [owner.id, minutes],
    )
  const plain = { scope: 'domains:read' }

  it('is not enough for spending or sensitive scopes, even of a known client', async () => {
    const { owner, visitor } = await setup()
    await age(owner, 11)
    for (const scope of ['domains:purchase', 'domains:transfer', 'keys:write', 'billing:write']) {
      const { text, form } = await visitor.page(client.url({ scope: `domains:read ${scope}` }))
      assert.match(text, /Logged in as/)
      assert.match(text, /type="password"/)
      assert.doesNotMatch(text, /type="email"/)
      const without = filledIn(form, { ...owner, password: '' }, {})
      isPage(await visitor.submit(without), 422, /Enter your password/)
      const none = without.filter(([name]) => name !== 'password')
      isPage(await visitor.submit(none), 422, /Enter your password/)
      const allowing = none.map(([name, value]): [string, string] =>
        name === 'decision' ? [name, 'allow'] : [name, value],
      )
      const all = form.inputs.filter(({ name }) => name === 'scope').length
      assert.equal(all, 0)
      const unproven: [string, string][] = [...allowing, ['scope', 'domains:read']]
      isPage(await visitor.submit(unproven), 422, /Enter your password/)
      isPage(await visitor.decide(form, { ...owner, password: 'x' }), 422, /Incorrect password/)
    }
    const { form } = await visitor.page(client.url())
    const away = await visitor.leave(await visitor.decide(form, owner))
    assert.ok(away.searchParams.get('code'))
    assert.doesNotMatch((await visitor.page(client.url())).text, /type="password"/, 'fresh again')
  })

  it('is not enough for a new client, and is for a known one', async () => {
    const { owner, visitor } = await setup()
    await age(owner, 11)
    const known = await visitor.page(client.url(plain))
    assert.doesNotMatch(known.text, /type="password"/)
    const away = await visitor.leave(await visitor.decide(known.form, owner))
    assert.ok(away.searchParams.get('code'))
    const otherBrowser = await newClient(registrar)
    const { text, form } = await visitor.page(otherBrowser.url(plain))
    assert.match(text, /type="password"/)
    const none = filledIn(form, owner, {}).filter(([name]) => name !== 'password')
    isPage(await visitor.submit(none), 422, /Enter your password/)
  })

  it('needs the password also on a page that was opened before', async () => {
    const { owner, visitor } = await setup()
    const { text, form } = await visitor.page(client.url())
    assert.doesNotMatch(text, /type="password"/)
    await age(owner, 11)
    const again = await visitor.decide(form, owner, { scopes: ['domains:read'] })
    isPage(again, 422, /Enter your password/)
    const consent = await visitor.logIn(formIn(again), owner)
    assert.ok('form' in consent)
    const kept = consent.form.inputs.filter(({ name, checked }) => name === 'scope' && checked)
    assert.deepEqual(
      kept.map(({ value }) => value),
      ['domains:read'],
      'the selection is kept',
    )
    const answer = await visitor.decide(consent.form, owner)
    assert.ok((await visitor.leave(answer)).searchParams.get('code'))
  })

  it('is not renewed by the password of another account', async () => {
    const { owner, visitor } = await setup()
    await age(owner, 11)
    const { form } = await visitor.page(client.url())
    const other = await newOwner(registrar)
    const fields = filledIn(form, { ...owner, password: other.password }, {})
    isPage(await visitor.submit([...fields, ['email', other.email]]), 422, /Incorrect password/)
  })
})
