// The consent page over HTTP: its contents, and the effects of submissions.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filledIn, newOwner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'

import { sharedService } from '../../../test/support/service.ts'
import { callback, connected, formIn, isPage, newClient, newVisitor } from './consent.fixture.ts'

const registrar = await sharedService()
const [owner, other, client] = await Promise.all([
  newOwner(registrar),
  newOwner(registrar),
  newClient(registrar),
])

const rows = rowsIn(registrar)
const consents = async () => (await rows('select id from oauth_grants')).length

describe('allowing', () => {
  it('grants the selected scopes of the requested ones, never more', async () => {
    const visitor = newVisitor(registrar)
    const before = await visitor.page(client.url())
    const page = await visitor.logIn(before.form, owner)
    assert.ok('form' in page)
    const { form, text } = page
    for (const shown of [before.text, text]) {
      assert.match(shown, /<bdi>Test program<\/bdi>/)
      assert.match(shown, /an app on this computer \(127\.0\.0\.1:43117\)/)
    }
    assert.doesNotMatch(before.text, /balance/)
    assert.match(text, /Your balance is 1000\.00 USD\./)
    const boxes = form.inputs.filter(({ name }) => name === 'scope')
    assert.deepEqual(boxes.map(({ value, checked }) => [value, checked]).toSorted(), [
      ['domains:purchase', true],
      ['domains:read', true],
      ['keys:write', false],
    ])
    const fields = filledIn(form, owner, { scopes: ['domains:read'] })
    const answer = await visitor.submit([...fields, ['scope', 'account:write']])
    assert.equal(answer.status, 303)
    const away = await visitor.leave(answer)
    assert.equal(away.origin + away.pathname, callback)
    assert.equal(away.searchParams.get('state'), 'st4te')
    assert.equal(away.searchParams.get('iss'), registrar.url)
    const { status, body } = await client.redeem(away.searchParams.get('code'))
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.scope, 'domains:read')
    const [row] = await rows('select * from oauth_grants where customer_id = $1', [owner.id])
    assert.deepEqual(
      [row.client_id, row.client_name, row.redirect_host, row.scopes, row.resource],
      [client.client_id, 'Test program', '127.0.0.1', ['domains:read'], `${registrar.url}/mcp`],
    )
  })

  it('is recorded in the audit log and emailed to the owner', async () => {
    const [logged] = await rows(
      `select * from audit_logs where action = 'grant_oauth_client' and customer_id = $1`,
      [owner.id],
    )
    assert.deepEqual(
      [logged.entry_point, logged.actor_type, logged.target_type, logged.result],
      ['dashboard', 'customer', 'oauth_grant', 'success'],
    )
    assert.deepEqual(logged.metadata.scopes, ['domains:read'])
    assert.deepEqual(logged.metadata.scopes_not_given, ['domains:purchase', 'keys:write'])
    const [mail] = await registrar.mails({ to: owner.email, subject: /app was connected/ })
    assert.match(mail?.text ?? '', /^> Test program$/m)
    assert.match(mail?.text ?? '', /See your domains/)
  })

  it('with nothing selected shows the page again, with the input', async () => {
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const again = await visitor.decide(form, owner, { scopes: [] })
    isPage(again, 422, /Nothing is selected/)
    assert.ok(again.text.includes(owner.email))
    assert.ok(!again.text.includes(owner.password))
    const checked = formIn(again).inputs.filter((input) => input.checked)
    assert.deepEqual(
      checked.map(({ name, value }) => [name, value]),
      [['preset', 'custom']],
    )
  })
})

describe('a submission', () => {
  it('made twice redirects to the same place, with one consent', async () => {
    const visitor = newVisitor(registrar)
    const { form } = await visitor.consentPage(client.url(), owner)
    const before = await consents()
    const fields = filledIn(form, owner, {})
    const [first, second] = [await visitor.submit(fields), await visitor.submit(fields)]
    assert.equal(first.location, second.location)
    assert.equal(await consents(), before + 1)
    assert.ok((await visitor.leave(second)).searchParams.get('code'))
  })

  it('of a browser redirects from a page, so that form-action does not apply to later redirects', async () => {
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const browser = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' }
    const headers = { ...browser, origin: 'null' }
    const answer = await visitor.decide(form, owner, { headers })
    assert.equal(answer.status, 303)
    assert.match(answer.location ?? '', /^\/oauth\/authorize\?interaction=/)
    const page = await visitor.open(answer.location ?? '')
    isPage(page, 200, /<meta http-equiv="refresh" content="0;url=\/oauth\/authorize\//)
  })
})

describe('denying', () => {
  it('returns access_denied with iss and state, and stores nothing', async () => {
    const visitor = newVisitor(registrar)
    const before = await consents()
    const { form } = await visitor.page(client.url())
    const emptyLogin = { email: '', password: '' }
    const answer = await visitor.decide(form, emptyLogin, { decision: 'deny' })
    const away = await visitor.leave(answer)
    assert.equal(away.searchParams.get('error'), 'access_denied')
    assert.equal(away.searchParams.get('iss'), registrar.url)
    assert.equal(away.searchParams.get('state'), 'st4te')
    assert.equal(await consents(), before)
  })
})

describe('the password', () => {
  it('that is wrong reveals nothing about the address', async () => {
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const responses = []
    for (const email of [owner.email, 'unknown@example.net']) {
      const wrong = { email, password: 'not the password' }
      const page = await visitor.decide(form, wrong)
      isPage(page, 422, /Incorrect email address or password/)
      assert.ok(formIn(page).inputs.some(({ name, value }) => name === 'email' && value === email))
      responses.push(page.text.replaceAll(email, ''))
    }
    assert.equal(responses[0], responses[1])
    const right = await visitor.decide(form, owner, { scopes: ['domains:read'] })
    assert.ok((await visitor.leave(right)).searchParams.get('code'))
  })

  it('is requested if it is missing, without counting as an attempt', async () => {
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    for (const emptyLogin of [
      { email: '', password: 'x' },
      { email: 'x@example.net', password: '' },
    ])
      isPage(await visitor.decide(form, emptyLogin), 422, /Enter your email/)
  })

  it('that was wrong too often gets 429 with Retry-After', async () => {
    const victim = await newOwner(registrar)
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const guess = () => visitor.decide(form, { ...victim, password: 'guess' })
    let page = await guess()
    for (let tries = 0; page.status === 422 && tries < 100; tries += 1) page = await guess()
    isPage(page, 429, /Too many login attempts/)
    assert.match(page.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/)
  })

  it('of a closed account is wrong; a suspended account can still grant read access', async () => {
    const closed = await newOwner(registrar)
    await rows(`update customers set status = 'closed' where id = $1`, [closed.id])
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    isPage(await visitor.decide(form, closed), 422, /Incorrect email address or password/)

    const sleeper = await newOwner(registrar)
    await rows(`update customers set status = 'suspended' where id = $1`, [sleeper.id])
    const asked = { resource: registrar.url }
    const { token } = await connected(
      {
        client,
        owner: sleeper,
        visitor: newVisitor(registrar),
        scopes: ['account:read', 'account:write'],
      },
      asked,
    )
    assert.equal((await registrar.request('GET', '/v1/account', { token })).status, 200)
    const changed = await registrar.request('PATCH', '/v1/account', { token, body: { name: 'x' } })
    assert.equal(changed.body.code, 'account_suspended')
  })
})

describe('a remembered login', () => {
  it('never consents for its owner: the page is shown each time, with the balance', async () => {
    const visitor = newVisitor(registrar)
    await connected({ client, owner, visitor, scopes: ['domains:read'] })
    for (const asking of [await newClient(registrar, { client_name: 'New here' }), client]) {
      const { text, form } = await visitor.page(asking.url())
      assert.match(text, /Logged in as <strong>/)
      assert.ok(text.includes(owner.email))
      assert.match(text, /Your balance is 1000\.00 USD\./)
      assert.ok(form.inputs.every(({ name }) => name !== 'password'))
      const answer = await visitor.decide(form, owner)
      assert.ok((await visitor.leave(answer)).searchParams.get('code'))
    }
  })

  it('can be switched to another account, on the same page', async () => {
    const visitor = newVisitor(registrar)
    await connected({ client, owner, visitor, scopes: ['domains:read'] })
    const { form } = await visitor.page(client.url())
    const hidden: [string, string][] = form.inputs
      .filter(({ type }) => type === 'hidden')
      .map(({ name, value }) => [name, value])
    const page = await visitor.submit([
      ...hidden,
      ['scope', 'domains:read'],
      ['decision', 'switch'],
    ])
    isPage(page, 200, /name="password"/)
    assert.ok(!page.text.includes(owner.email))
    const answer = await visitor.decide(formIn(page), other)
    const away = await visitor.leave(answer)
    const { body } = await client.redeem(away.searchParams.get('code'))
    assert.equal(body.scope, 'domains:read')
    const next = await visitor.page(client.url())
    assert.ok(next.text.includes(other.email))
  })

  it('needs the password again if the client requires it, also of another account', async () => {
    const visitor = newVisitor(registrar)
    await connected({ client, owner, visitor, scopes: ['domains:read'] })
    const { form, text } = await visitor.page(client.url({ prompt: 'login' }))
    assert.match(text, /name="password"/)
    const answer = await visitor.decide(form, other)
    assert.ok((await visitor.leave(answer)).searchParams.get('code'))
  })

  it('ends with the account', async () => {
    const leaving = await newOwner(registrar)
    const visitor = newVisitor(registrar)
    await connected({ client, owner: leaving, visitor, scopes: ['domains:read'] })
    const shown = await visitor.page(client.url())
    await rows(`update customers set status = 'closed' where id = $1`, [leaving.id])
    isPage(await visitor.decide(shown.form, leaving), 400, /page has expired/)
    assert.match((await visitor.page(client.url())).text, /name="password"/)
  })
})

describe('a connected app that requests one more scope', () => {
  it('gets it by one choice, and nothing new without', async () => {
    const [asking, buyer] = await Promise.all([newClient(registrar), newOwner(registrar)])
    const visitor = newVisitor(registrar)
    const scopes = ['domains:read', 'domains:purchase']
    await connected({ client: asking, owner: buyer, visitor, scopes })
    const more = { scope: [...scopes, 'domains:transfer'].join(' ') }
    for (const [preset, given] of [
      ['keep', scopes],
      ['extend', [...scopes, 'domains:transfer']],
    ] as const) {
      const { form, text } = await visitor.page(asking.url(more))
      assert.match(text, /requests these new permissions:<\/p>\n<ul><li>Transfer your domains away/)
      const radios = form.inputs.filter(({ type }) => type === 'radio')
      assert.ok(radios.every(({ checked }) => !checked))
      const away = await visitor.leave(await visitor.press(form, 'allow', { preset }))
      const { body } = await asking.redeem(away.searchParams.get('code'))
      assert.deepEqual(String(body.scope).split(' ').toSorted(), [...given].toSorted())
    }
    const { text } = await visitor.page(asking.url(more))
    assert.match(text, /requests nothing new/)
    assert.match(text, /value="keep" checked/)
  })

  it('gets no choice of a connected app before it is one', async () => {
    const asking = await newClient(registrar)
    const visitor = newVisitor(registrar)
    const { form, text } = await visitor.consentPage(asking.url(), owner)
    assert.doesNotMatch(text, /already connected|value="(?:keep|extend)"/)
    isPage(await visitor.press(form, 'allow', { preset: 'extend' }), 422, /Nothing is selected/)
  })
})
