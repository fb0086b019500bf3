// Sessions of one program that refresh one token at once, and replays, which end the consent.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startService } from '../../../test/support/service.ts'
import { callTool, connect, ownerOf, person, refresh } from '../flow.fixture.ts'

const registrar = await startService({ settings: { DATABASE_POOL: '3' } })
const query = ownerOf(registrar)

async function connected(change: Record<string, string> = {}) {
  const owner = await person(registrar, query)
  const { client, tokens } = await connect(registrar, owner, change)
  const again = (refresh_token: string, more: { scope?: string; resource?: string } = {}) =>
    refresh(registrar, client, { refresh_token, ...more })
  return { owner, client, first: tokens.refresh_token, again }
}

async function isRevoked(customer_id: string): Promise<boolean> {
  const [row] = await query('select revoked_at from oauth_grants where customer_id = $1', [
    customer_id,
  ])
  return row?.revoked_at !== null
}

/** Ends the half minute in which a refresh token is used again. */
async function endOverlap(customer_id: string): Promise<void> {
  await query(
    `update oauth_models set expires_at = clock_timestamp()
      where model = 'RefreshAnswer' and account_id = $1`,
    [customer_id],
  )
}

async function rowsOf(customer_id: string, model: string): Promise<number> {
  const [row] = await query(
    'select count(*)::int as n from oauth_models where account_id = $1 and model = $2',
    [customer_id, model],
  )
  return Number(row?.n)
}

describe('the sessions of a program', () => {
  it('get one answer, of fifty that refresh at once', async () => {
    const { owner, first, again } = await connected()
    const answers = await Promise.all(Array.from({ length: 50 }, () => again(first)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1, 'the same to each')
    assert.equal(await isRevoked(owner.id), false)
    // One is from the connection and one from the refresh. Nothing is stored for the others.
    assert.equal(await rowsOf(owner.id, 'AccessToken'), 2)
    assert.equal(await rowsOf(owner.id, 'RefreshToken'), 2)
    const { access_token, refresh_token } = answers[0]?.body ?? {}
    assert.equal((await callTool(registrar.url, access_token)).status, 200)
    const next = await again(refresh_token)
    assert.equal(next.status, 200, 'and go on with its refresh token')
    assert.notEqual(next.body.refresh_token, refresh_token)
  })

  it('get it one after the other, too, within half a minute', async () => {
    const { owner, first, again } = await connected()
    const [one, two, three] = [await again(first), await again(first), await again(first)]
    assert.deepEqual([two.status, two.text], [200, one.text])
    assert.deepEqual([three.status, three.text], [200, one.text])
    assert.equal(await isRevoked(owner.id), false)
    const [row] = await query(
      `select max(expires_at - clock_timestamp()) between '20 s' and '30 s' as is_short
         from oauth_models where account_id = $1 and model = 'RefreshAnswer'`,
      [owner.id],
    )
    assert.equal(row?.is_short, true)
  })

  it('get access tokens for the resource and scopes that each asked for', async () => {
    const { owner, first, again } = await connected({ resource: registrar.url })
    const one = await again(first)
    const other = await again(first, { scope: 'account:read' })
    assert.equal(other.status, 200, other.text)
    assert.equal(other.body.refresh_token, one.body.refresh_token, 'one successor')
    assert.equal(other.body.scope, 'account:read')
    assert.notEqual(other.body.access_token, one.body.access_token)
    for (const { body } of [one, other]) {
      const { access_token: token } = body
      assert.equal((await registrar.request('GET', '/v1/account', { token })).status, 200)
    }
    assert.equal(await rowsOf(owner.id, 'RefreshToken'), 2)
    const foreign = await again(first, { resource: `${registrar.url}/mcp` })
    assert.deepEqual([foreign.status, foreign.body.error], [400, 'invalid_target'])
    assert.equal((await again(first)).text, one.text)
    assert.equal(await isRevoked(owner.id), false)
  })
})

describe('a replay ends the consent', () => {
  it('of a token whose half minute is over', async () => {
    const { owner, first, again } = await connected()
    const { body } = await again(first)
    await endOverlap(owner.id)
    const replayed = await again(first)
    assert.deepEqual([replayed.status, replayed.body.error], [400, 'invalid_grant'])
    assert.ok(await isRevoked(owner.id))
    assert.equal((await callTool(registrar.url, body.access_token)).status, 401)
    assert.equal((await again(body.refresh_token)).body.error, 'invalid_grant')
  })

  it('of a token whose successor was used, also at once', async () => {
    const { owner, first, again } = await connected()
    const { body } = await again(first)
    assert.equal((await again(body.refresh_token)).status, 200)
    const replayed = await again(first)
    assert.deepEqual([replayed.status, replayed.body.error], [400, 'invalid_grant'])
    assert.ok(await isRevoked(owner.id))
  })

  it('and leaves nothing of the answers that were kept', async () => {
    const { owner, first, again } = await connected()
    const { body } = await again(first)
    await again(body.refresh_token)
    await again(first)
    for (const model of ['RefreshAnswer', 'RefreshToken', 'AccessToken', 'Grant'])
      assert.equal(await rowsOf(owner.id, model), 0, model)
  })
})

describe('an answer that is kept', () => {
  it('is sealed: no token of it is in the database', async () => {
    const { owner, first, again } = await connected()
    const { body } = await again(first)
    const [row] = await query(
      'select string_agg(m::text, chr(10)) as text from oauth_models m where account_id = $1',
      [owner.id],
    )
    for (const secret of [first, body.refresh_token, body.access_token])
      assert.ok(!String(row?.text).includes(secret))
  })

  it('is for the client of the token alone', async () => {
    const { owner, first, again } = await connected()
    await again(first)
    const { client } = await connected()
    const stolen = await refresh(registrar, client, { refresh_token: first })
    assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant'])
    assert.equal(await isRevoked(owner.id), false)
  })

  it('that cannot be read refuses, and ends nothing', async () => {
    const { owner, first, again } = await connected()
    await again(first)
    await query(
      `update oauth_models set payload = payload || '{"sealed": "AAAA"}'
        where model = 'RefreshAnswer' and account_id = $1`,
      [owner.id],
    )
    const { status, body } = await again(first)
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
    assert.equal(await isRevoked(owner.id), false)
  })
})
