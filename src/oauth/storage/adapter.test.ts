// The adapter: storage, expiry, and single use.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { AdapterPayload } from 'oidc-provider'
import { testDatabase, untilBlocked } from '../../../test/support/database.ts'
import { DatabaseUnavailable } from '../../db/database.ts'
import { adapterOver } from './adapter.ts'
import { purgeModels } from './models.sql.ts'
import { openRedemptionTransactions } from './redemption-transaction.ts'

const { database: db, query } = await testDatabase()
const alreadyUsed = () => new Error('used already')
const unavailable = () => new Error('away')
const transactions = openRedemptionTransactions(db)
const modelOf = adapterOver({ transactions, alreadyUsed, unavailable })
const customer_id = `cus_${'0'.repeat(26)}`
await query(
  `insert into customers (id, email, name, created_at, updated_at)
   values ($1, 'owner@example.net', 'Owner', now(), now())`,
  [customer_id],
)

const rules = (isKept: boolean) => ({
  shouldCommit: () => isKept,
  endReason: () => 'code_reused' as const,
})

let made = 0

/** An id as secret as a token's. */
function newSecretId(): string {
  made += 1
  return createHash('sha256').update(`secret ${made}`).digest('base64url')
}

function token(kind: string, { jti, ...more }: AdapterPayload = {}) {
  const id = jti ?? newSecretId()
  return { jti: id, kind, clientId: 'client', accountId: customer_id, ...more }
}

async function store(payload: AdapterPayload & { jti: string }, expiresIn = 60): Promise<string> {
  await modelOf(payload.kind ?? '').upsert(payload.jti, payload, expiresIn)
  return payload.jti
}

async function newGrant(): Promise<string> {
  const id = await store(token('Grant'))
  await query(
    `insert into oauth_grants
       (id, customer_id, client_id, client_name, redirect_host, scopes, resource, created_at)
     values ($1, $2, 'client', 'Client', 'client.example', '{}', 'https://x.example/mcp', now())`,
    [id, customer_id],
  )
  return id
}

async function isRevoked(grantId: string): Promise<boolean> {
  const [row] = await query('select revoked_at from oauth_grants where id = $1', [grantId])
  return row?.revoked_at !== null
}

test('a stored model is found unchanged', async () => {
  const payload = token('RefreshToken', { scope: 'a b', grantId: 'some grant', exp: 7 })
  await store(payload)
  assert.deepEqual(await modelOf('RefreshToken').find(payload.jti), payload)
  assert.equal(await modelOf('AccessToken').find(payload.jti), undefined, 'of another model')
  await modelOf('RefreshToken').upsert(payload.jti, { ...payload, scope: 'a' }, 60)
  assert.equal((await modelOf('RefreshToken').find(payload.jti))?.scope, 'a')
})

test('no bearer secret is in the database', async () => {
  const cookie = newSecretId()
  const uid = newSecretId()
  const interaction = token('Interaction', {
    jti: uid,
    returnTo: `https://as.example/oauth/authorize/${uid}`,
    session: { accountId: customer_id, uid: 'session uid', cookie },
  })
  const session = token('Session', { uid: 'session uid of its own', accountId: undefined })
  const ids = await Promise.all(
    [interaction, session, token('AuthorizationCode')].map((p) => store(p)),
  )
  const [row] = await query('select string_agg(m::text, chr(10)) as text from oauth_models m')
  const text = String(row?.text)
  for (const secret of [...ids, cookie]) assert.ok(!text.includes(secret), secret)
  const found = await modelOf('Interaction').find(uid)
  assert.equal(found?.returnTo, interaction.returnTo)
  assert.equal(found?.jti, uid)
  const byUid = await modelOf('Session').findByUid('session uid of its own')
  assert.equal(byUid?.uid, 'session uid of its own')
  assert.equal(byUid?.jti, '', 'only its browser knows the id')
})

test("a browser login without a session in its owner's list is not stored", async () => {
  const id = await store(token('Session', { uid: 'not in the list' }))
  assert.equal(await modelOf('Session').find(id), undefined)
  await query(
    `insert into sessions (customer_id, token_hash, created_at, signed_in_at, last_used_at,
       expires_at, agent, address, oauth_uid)
     values ($1, sha256('a'), now(), now(), now(), now() + interval '1 hour', 'a', 'b', 'seen')`,
    [customer_id],
  )
  const [one, two] = [token('Session', { uid: 'seen' }), token('Session', { uid: 'seen' })]
  await Promise.all([store(one), store(two)])
  assert.equal((await modelOf('Session').find(one.jti))?.accountId, customer_id)
  await query(`update sessions set ended_at = now() where oauth_uid = 'seen'`)
  for (const { jti } of [one, two]) assert.equal(await modelOf('Session').find(jti), undefined)
  await store(token('Session', { uid: 'seen' }))
  assert.equal(await modelOf('Session').findByUid('seen'), undefined)
})

test('an expired model is not found, and is purged in batches', async () => {
  const payload = token('AccessToken')
  await store(payload, -1)
  await store(token('AccessToken'), -1)
  assert.equal(await modelOf('AccessToken').find(payload.jti), undefined)
  assert.equal(await db.count(purgeModels, { limit: 1n }), 1)
  assert.equal(await db.count(purgeModels, { limit: 1n }), 1)
  assert.equal(await db.count(purgeModels, { limit: 1n }), 0)
})

test('a client does not expire', async () => {
  await modelOf('Client').upsert('client-1', { client_id: 'client-1', client_name: 'One' })
  await db.count(purgeModels, { limit: 100n })
  assert.deepEqual(await modelOf('Client').find('client-1'), {
    client_id: 'client-1',
    client_name: 'One',
  })
})

test('of twenty concurrent uses of a code one succeeds, and the others revoke its grant', async () => {
  const grantId = await newGrant()
  const code = await store(token('AuthorizationCode', { grantId }))
  const tries = Array.from({ length: 20 }, () => modelOf('AuthorizationCode').consume(code))
  const ended = await Promise.allSettled(tries)
  assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.ok(await isRevoked(grantId))
})

test('a revocation during a redemption revokes the new tokens, too', async () => {
  const grantId = await newGrant()
  const used = await store(token('RefreshToken', { grantId }))
  let ending: Promise<unknown> = Promise.resolve()
  await transactions.run(async () => {
    await modelOf('RefreshToken').consume(used)
    ending = query('update oauth_grants set revoked_at = now() where id = $1', [grantId])
    await untilBlocked(query)
    await store(token('RefreshToken', { grantId }))
    await store(token('AccessToken', { grantId }))
  }, rules(true))
  await ending
  assert.deepEqual(await query('select model from oauth_models where grant_id = $1', [grantId]), [])
})

test('a redemption is rolled back if the response is an error', async () => {
  const grantId = await newGrant()
  const used = await store(token('AuthorizationCode', { grantId }))
  const fresh = token('AccessToken', { grantId })
  const redeem = async () => {
    await modelOf('AuthorizationCode').consume(used)
    await store(fresh)
    assert.ok(await modelOf('AccessToken').find(fresh.jti), 'it sees what it wrote')
  }
  await transactions.run(redeem, rules(false))
  const broken = async () => {
    await redeem()
    throw new Error('broken')
  }
  await assert.rejects(transactions.run(broken, rules(true)), /broken/)
  assert.equal(await modelOf('AccessToken').find(fresh.jti), undefined)
  assert.equal((await modelOf('AuthorizationCode').find(used))?.consumed, undefined)
  await transactions.run(redeem, rules(true))
  assert.ok((await modelOf('AuthorizationCode').find(used))?.consumed)
})

test('a consumed model is found as consumed', async () => {
  const id = await store(token('RefreshToken', { grantId: await newGrant() }))
  await modelOf('RefreshToken').consume(id)
  const found = await modelOf('RefreshToken').find(id)
  assert.ok(Number(found?.consumed) > 1_700_000_000)
})

test('an expired model cannot be consumed, and that revokes nothing', async () => {
  const grantId = await newGrant()
  const id = await store(token('AuthorizationCode', { grantId }), -1)
  await assert.rejects(modelOf('AuthorizationCode').consume(id), /used already/)
  assert.equal(await isRevoked(grantId), false)
})

test('revoking a grant revokes everything issued under it, and nothing else', async () => {
  const [grantId, another] = [await newGrant(), await newGrant()]
  const ended = [
    token('AccessToken', { grantId }),
    token('RefreshToken', { grantId }),
    token('AuthorizationCode', { grantId }),
  ]
  const kept = token('AccessToken', { grantId: another })
  for (const one of [...ended, kept]) await store(one)
  await modelOf('RefreshToken').revokeByGrantId(grantId)
  assert.ok(await isRevoked(grantId))
  for (const { kind = '', jti } of ended) assert.equal(await modelOf(kind).find(jti), undefined)
  assert.equal(await modelOf('Grant').find(grantId), undefined)
  assert.ok(await modelOf('AccessToken').find(kept.jti))
  assert.equal(await isRevoked(another), false)
})

test('a grant that was never stored is deleted with its tokens', async () => {
  const grantId = await store(token('Grant'))
  const id = await store(token('AccessToken', { grantId }))
  await modelOf('Grant').destroy(grantId)
  assert.equal(await modelOf('AccessToken').find(id), undefined)
})

test('a destroyed access token is dropped by all nodes', async () => {
  const id = await store(token('AccessToken', { grantId: await newGrant() }))
  const notified = new Promise<string>((resolve, reject) => {
    const listener = { notified: resolve, reconnected: () => undefined }
    db.listen('access_revoked', listener).catch(reject)
    setImmediate(() => db.listen('ready', listener).then(() => modelOf('AccessToken').destroy(id)))
  })
  assert.equal(await notified, customer_id)
  assert.equal(await modelOf('AccessToken').find(id), undefined)
})

test("an outage becomes the library's own error", async () => {
  const away = async () => {
    throw new DatabaseUnavailable('gone')
  }
  const model = adapterOver({
    transactions: openRedemptionTransactions({
      run: away,
      maybe: away,
      count: away,
      transaction: away,
    }),
    alreadyUsed,
    unavailable,
  })
  await assert.rejects(model('AccessToken').find('x'), /away/)
  await assert.rejects(model('AccessToken').consume('x'), /away/)
})
