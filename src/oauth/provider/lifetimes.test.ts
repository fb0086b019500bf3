// Lifetimes of codes, tokens and grants, as stored in the database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharedService } from '../../../test/support/service.ts'
import {
  authorization,
  connect,
  decide,
  ownerOf,
  person,
  refresh,
  register,
} from '../flow.fixture.ts'
import { lifetimes } from '../shared/lifetimes.ts'
import { refreshTokenLife } from './provider.ts'

const registrar = await sharedService({ worker: false })
const query = ownerOf(registrar)

/** Seconds that the newest model of a customer has left. */
async function left(model: string, customer_id: string): Promise<number> {
  const [row] = await query(
    `select extract(epoch from expires_at - now())::int as left from oauth_models
      where model = $1 and account_id = $2 order by created_at desc limit 1`,
    [model, customer_id],
  )
  return Number(row?.left)
}

function isAbout(seconds: number, wanted: number): void {
  assert.ok(seconds <= wanted && seconds > wanted - 40, `${seconds}, not ${wanted}`)
}

test('a code lives a minute, an access token an hour, a refresh token 30 days', async () => {
  const owner = await person(registrar, query)
  await decide(owner, authorization(registrar, await register(registrar)))
  isAbout(await left('AuthorizationCode', owner.id), 60)
  await connect(registrar, owner)
  isAbout(await left('AccessToken', owner.id), 3_600)
  isAbout(await left('RefreshToken', owner.id), 30 * 86_400)
  isAbout(await left('Grant', owner.id), 365 * 86_400)
  isAbout(await left('Session', owner.id), 8 * 3_600)
})

test('refreshing ends with the grant', async () => {
  const owner = await person(registrar, query)
  const { client, tokens } = await connect(registrar, owner)
  await query(
    `update oauth_models
        set payload = jsonb_set(payload, '{iiat}', to_jsonb((payload ->> 'iiat')::int - $2::int))
      where model = 'RefreshToken' and account_id = $1`,
    [owner.id, 364 * 86_400],
  )
  const { refresh_token } = tokens
  const { status } = await refresh(registrar, client, { refresh_token })
  assert.equal(status, 200)
  isAbout(await left('RefreshToken', owner.id), 86_400)
})

test('a log-in of a browser ends eight hours after the password, however busy the browser is', async () => {
  const owner = await person(registrar, query)
  await connect(registrar, owner)
  await query(
    `update oauth_models
        set payload = payload
              || jsonb_build_object('loginTs', (payload ->> 'loginTs')::int - $2::int)
      where model = 'Session' and account_id = $1`,
    [owner.id, 8 * 3_600 - 60],
  )
  const { url } = authorization(registrar, await register(registrar))
  for (let again = 0; again < 2; again += 1) {
    assert.ok('page' in (await owner.browser.open(url)))
    isAbout(await left('Session', owner.id), 60)
  }
})

test('no refresh token outlives its consent, and each lives at least a moment', () => {
  fc.assert(
    fc.property(fc.nat(2_000_000_000), fc.nat(lifetimes.consent_s), (first_s, age_s) => {
      const life = refreshTokenLife(first_s, first_s + age_s)
      assert.ok(life >= 1 && life <= lifetimes.refresh_token_s)
      assert.ok(age_s + life <= lifetimes.consent_s + 1)
    }),
  )
})
