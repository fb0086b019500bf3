// id_token_hint: a client that names an account gets the consent of that account, or none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../../test/support/service.ts'
import { ownerOf, type Person, person } from '../flow.fixture.ts'
import { isPage, newClient, newVisitor, type TestClient, type Visitor } from './consent.fixture.ts'

const registrar = await sharedService()
const query = ownerOf(registrar)
const password = 'a horse, a battery & a staple'
const scope = 'openid domains:read'

async function allow(visitor: Visitor, owner: Person, url: URL) {
  const { form } = await visitor.page(url)
  return visitor.decide(form, { email: owner.email, password })
}

/** An ID token of this owner for this program. */
async function idToken(client: TestClient, owner: Person): Promise<string> {
  const visitor = newVisitor(registrar)
  const away = await visitor.leave(await allow(visitor, owner, client.url({ scope })))
  const { body } = await client.redeem(away.searchParams.get('code'))
  return String(body.id_token)
}

async function consents({ id }: Person): Promise<number> {
  return (await query('select 1 from oauth_grants where customer_id = $1', [id])).length
}

const client = await newClient(registrar)
const meant = await person(registrar, query)
const id_token_hint = await idToken(client, meant)
const asked = { scope, id_token_hint }

test('another account that logs in cannot consent; the named one can', async () => {
  const other = await person(registrar, query)
  const visitor = newVisitor(registrar)
  isPage(await allow(visitor, other, client.url(asked)), 422, /another account/)
  assert.equal(await consents(other), 0)
  const away = await visitor.leave(await allow(visitor, meant, client.url(asked)))
  assert.ok(away.searchParams.get('code'))
})

test('a logged-in other account has to log in as the named one', async () => {
  const other = await person(registrar, query)
  const visitor = newVisitor(registrar)
  await visitor.leave(await allow(visitor, other, client.url({ scope })))
  const { text } = await visitor.page(client.url(asked))
  assert.match(text, /type="password"/)
  assert.ok(!text.includes(other.email))
  isPage(await allow(visitor, other, client.url(asked)), 422, /another account/)
  assert.equal(await consents(other), 1)
  const none = await visitor.leave(await visitor.open(client.url({ ...asked, prompt: 'none' })))
  assert.equal(none.searchParams.get('error'), 'login_required')
})

test('the named account, logged in, is asked for consent', async () => {
  const visitor = newVisitor(registrar)
  await visitor.leave(await allow(visitor, meant, client.url({ scope })))
  const { text } = await visitor.page(client.url(asked))
  assert.ok(text.includes(meant.email))
  const away = await visitor.leave(await allow(visitor, meant, client.url(asked)))
  assert.ok(away.searchParams.get('code'))
})
