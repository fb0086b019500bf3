// A program that says whose consent it wants, by an ID token, gets that one's or none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledIn } from '../../../test/support/owner.ts'
import { sharedService } from '../../../test/support/service.ts'
import { ownerOf, type Person, person } from '../flow.fixture.ts'
import { isPage, newClient, newVisitor, type TestClient, type Visitor } from './consent.fixture.ts'

const registrar = await sharedService()
const query = ownerOf(registrar)
const password = 'a horse, a battery & a staple'
const scope = 'openid domains:read'

async function allow(visitor: Visitor, owner: Person, url: URL) {
  const { form } = await visitor.page(url)
  return visitor.submit(filledIn(form, { email: owner.email, password }, {}))
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

test('another account that logs in consents to nothing; the one that is meant does', async () => {
  const other = await person(registrar, query)
  const visitor = newVisitor(registrar)
  isPage(await allow(visitor, other, client.url(asked)), 422, /another account/)
  assert.equal(await consents(other), 0)
  const away = await visitor.leave(await allow(visitor, meant, client.url(asked)))
  assert.ok(away.searchParams.get('code'))
})

test('another account that is logged in already is asked to log in as the one meant', async () => {
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

test('the account that is meant, logged in, is asked for its consent', async () => {
  const visitor = newVisitor(registrar)
  await visitor.leave(await allow(visitor, meant, client.url({ scope })))
  const { text } = await visitor.page(client.url(asked))
  assert.ok(text.includes(meant.email))
  const away = await visitor.leave(await allow(visitor, meant, client.url(asked)))
  assert.ok(away.searchParams.get('code'))
})
