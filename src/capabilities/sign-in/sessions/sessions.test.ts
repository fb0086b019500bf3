// Sessions: authentication, list and revocation, on two nodes.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { app_role } from '../../../../test/support/database.ts'
import { scopes } from '../../../app.ts'
import { openDatabase } from '../../../db/database.ts'
import { newSecret } from '../../../kit/random.ts'
import { purgeExpiredRows } from '../../../tasks/index.ts'
import { AuthenticationCache, writeLastUses } from '../../api-keys/index.ts'
import { openSignIn } from '../sign-in.fixture.ts'
import { authenticateSessions, explainSessions } from './authenticate-session.ts'

const hour_ms = 3_600_000
let jump_ms = 0
const registrar = await openSignIn({ clock: { now: () => new Date(Date.now() + jump_ms) } })
const { app, db, call } = registrar
const second = await openDatabase({ url: db.url, app_role })
after(() => second.close())
// Its time stands still: what leaves its cache was purged by a notification.
const authentications = new AuthenticationCache({ db: second, monotonic_ms: () => 1 })
await second.listen('access_revoked', { notified: () => undefined, reconnected: () => undefined })
const otherNode = authenticateSessions({ ...app, db: second, authentications })

/** Waits until a notification has reached the other node. */
async function untilPurged(token: string): Promise<void> {
  while (await otherNode(token)) await new Promise((done) => setTimeout(done, 5))
}
const account = async (token: string) => (await call('GET /v1/account', { token })).status

describe('a session', () => {
  it('authenticates its owner, with all scopes and the time of the log-in', async () => {
    const owner = await registrar.owner()
    const before = Date.now()
    const caller = await otherNode(await registrar.session(owner))
    assert.ok(caller?.kind === 'customer')
    const { customer_id, signed_in_at, suspended } = caller
    assert.deepEqual([customer_id, suspended, [...caller.scopes]], [owner.id, false, [...scopes]])
    assert.ok(signed_in_at.getTime() >= before && signed_in_at.getTime() <= Date.now())
  })

  it('is refused by its checksum without a query', async () => {
    const closed = await openDatabase({ url: db.url, app_role })
    const uncached = new AuthenticationCache({ ...app, db: closed })
    const read = authenticateSessions({ ...app, db: closed, authentications: uncached })
    await closed.close()
    const { value } = newSecret('ses_')
    const wrong = value.slice(0, -1) + (value.endsWith('a') ? 'b' : 'a')
    for (const token of [wrong, 'ses_', 'ses_x', newSecret('ar_test_').value])
      assert.equal(await read(token), undefined)
    await assert.rejects(read(value))
  })

  it('is refused with its own reason', async () => {
    const why = async (token: string) => (await explainSessions(app)(token))?.detail ?? ''
    const owner = await registrar.owner()
    const token = await registrar.session(owner)
    assert.match(await why(`${token}0`), /checksum/)
    assert.match(await why(newSecret('ses_').value), /unknown here/)
    assert.match(await why(token), /has expired/, 'as it is neither ended nor unknown')
    assert.equal((await call('POST /v1/dashboard/logout', { token })).status, 204)
    assert.match(await why(token), /was ended/)
    await db.query(`update customers set status = 'closed' where id = $1`, [owner.id])
    assert.match(await why(token), /account.*closed/)
  })

  it('is rejected once its account is closed', async () => {
    const owner = await registrar.owner()
    const token = await registrar.session(owner)
    await db.query(`update customers set status = 'closed' where id = $1`, [owner.id])
    assert.equal(await otherNode(token), undefined)
  })

  it('ends after a day without a call, and after seven days in any case', async () => {
    const owner = await registrar.owner()
    const [used, idle] = [await registrar.session(owner), await registrar.session(owner)]
    try {
      for (let day = 0; day < 8; day += 1) {
        jump_ms = day * 23 * hour_ms
        const past = jump_ms > 7 * 24 * hour_ms
        app.authentications.invalidate()
        assert.equal(await account(used), past ? 401 : 200, `${day}`)
        await writeLastUses(app)
      }
      assert.equal(await account(idle), 401)
    } finally {
      jump_ms = 0
    }
  })

  it('expires also while it is cached', async () => {
    const token = await registrar.session(await registrar.owner())
    assert.equal(await account(token), 200)
    try {
      jump_ms = 25 * hour_ms
      assert.equal(await account(token), 401)
    } finally {
      jump_ms = 0
    }
  })
})

describe('log_out', () => {
  it('ends the calling session and no other, at once and on every node', async () => {
    const owner = await registrar.owner()
    const [mine, other] = [await registrar.session(owner), await registrar.session(owner)]
    assert.ok(await otherNode(mine))
    assert.equal((await call('POST /v1/dashboard/logout', { token: mine })).status, 204)
    assert.equal(await account(mine), 401)
    await untilPurged(mine)
    assert.equal(await account(other), 200)
    const rows = await db.query(
      `select result from audit_logs where customer_id = $1 and action = 'log_out'`,
      [owner.id],
    )
    assert.deepEqual(rows, [{ result: 'success' }])
  })
})

describe('the list of sessions', () => {
  it('shows active sessions, newest first, and never a token', async () => {
    const owner = await registrar.owner()
    const first = await registrar.session(owner, '192.0.2.10')
    const current = await registrar.session(owner, '192.0.2.11')
    const ended = await registrar.session(owner)
    await call('POST /v1/dashboard/logout', { token: ended })
    const { body } = await call('GET /v1/account/sessions', { token: current })
    const sessions = [body.sessions].flat().map(Object)
    const shown = sessions.map(({ address, current, agent }) => [address, current, agent])
    assert.deepEqual(shown, [
      ['192.0.2.11', true, 'test'],
      ['192.0.2.10', false, 'test'],
    ])
    assert.ok(![first, current].some((token) => JSON.stringify(body).includes(token)))
  })

  it('shows when each was last used', async () => {
    const token = await registrar.session(await registrar.owner())
    try {
      jump_ms = hour_ms
      await account(token)
      await writeLastUses(app)
      const { body } = await call('GET /v1/account/sessions', { token })
      const [{ last_used_at, created_at }] = [body.sessions].flat().map(Object)
      const later = Date.parse(last_used_at) - Date.parse(created_at)
      assert.ok(Math.abs(later - hour_ms) < 60_000, `${later} ms`)
    } finally {
      jump_ms = 0
    }
  })
})

describe('a hundred sessions of one account', () => {
  /** As if the owner had logged in that often in the last minutes. */
  const many = (id: string, count: number) =>
    db.query(
      `insert into sessions (customer_id, token_hash, created_at, signed_in_at, last_used_at,
         expires_at, agent, address)
       select $1, sha256(convert_to($1 || i, 'UTF8')), now(), now(), now(),
         now() + interval '7 days', 'test', '192.0.2.1' from generate_series(1, $2::int) i`,
      [id, count],
    )

  it('are the most: a further log-in ends the oldest, on every node', async () => {
    const owner = await registrar.owner()
    const [first, second] = [await registrar.session(owner), await registrar.session(owner)]
    await many(owner.id, 98)
    assert.ok(await otherNode(first))
    const latest = await registrar.session(owner)
    assert.deepEqual([await account(first), await account(second)], [401, 200])
    await untilPurged(first)
    const { body } = await call('GET /v1/account/sessions', { token: latest })
    assert.equal([body.sessions].flat().length, 100)
  })

  it('are the most among concurrent log-ins too', async () => {
    const owner = await registrar.owner()
    await registrar.session(owner)
    await many(owner.id, 99)
    await Promise.all([
      registrar.session(owner),
      registrar.session(owner),
      registrar.session(owner),
    ])
    const live = 'select 1 from sessions where customer_id = $1 and ended_at is null'
    assert.equal((await db.query(live, [owner.id])).length, 100)
  })

  it('are listed newest first, up to the requested number', async () => {
    const owner = await registrar.owner()
    await registrar.session(owner)
    await many(owner.id, 3)
    const token = await registrar.session(owner)
    const list = async (query: Record<string, string>) =>
      call('GET /v1/account/sessions', { token, query })
    const { body } = await list({ limit: '2' })
    const shown = [body.sessions].flat().map(Object)
    assert.deepEqual(
      shown.map(({ current }) => current),
      [true, false],
    )
    assert.equal([(await list({ limit: '500' })).body.sessions].flat().length, 5)
    for (const limit of ['0', '501', '-1', '1.5', 'x', ''])
      assert.equal((await list({ limit })).status, 422, limit)
  })
})

describe('end_session', () => {
  it('revokes a session of the caller, repeatably, and answers 404 for any other', async () => {
    const [owner, other] = [await registrar.owner(), await registrar.owner()]
    const [mine, lost] = [await registrar.session(owner), await registrar.session(owner)]
    const theirs = await registrar.session(other)
    const { body } = await call('GET /v1/account/sessions', { token: mine })
    const found = [body.sessions]
      .flat()
      .map(Object)
      .find((one) => !one.current)
    const at = `DELETE /v1/account/sessions/${found?.id}`
    for (let i = 0; i < 2; i += 1) assert.equal((await call(at, { token: mine })).status, 204)
    assert.deepEqual([await account(lost), await account(mine)], [401, 200])
    for (const [path, token] of [
      [at, theirs],
      ['DELETE /v1/account/sessions/999999999', mine],
    ] as const) {
      const answer = await call(path, { token })
      assert.deepEqual([answer.status, answer.body.code], [404, 'session_not_found'])
    }
  })
})

describe('operations that need a session of the owner', () => {
  it('is closed to keys of any scope and to operators, and open to a suspended owner', async () => {
    const owner = await registrar.owner()
    const token = await registrar.session(owner)
    const all = await registrar.key(owner.id, scopes)
    for (const at of [
      'POST /v1/dashboard/logout',
      'GET /v1/account/sessions',
      'DELETE /v1/account/sessions/1',
      'POST /v1/account/password',
    ]) {
      const key = await call(at, { token: all, body: {} })
      assert.deepEqual([key.status, key.body.code], [403, 'session_required'], at)
      const operator = await call(at, { token: registrar.operator, body: {} })
      assert.deepEqual([operator.status, operator.body.code], [403, 'customer_required'], at)
    }
    await db.query(`update customers set status = 'suspended' where id = $1`, [owner.id])
    assert.equal((await call('POST /v1/dashboard/logout', { token })).status, 204)
  })
})

it('purges sessions and links that ended long ago', async () => {
  const owner = await registrar.owner()
  await registrar.session(owner)
  const count = async () =>
    (await db.query('select id from sessions where customer_id = $1', [owner.id])).length
  try {
    jump_ms = 30 * 24 * hour_ms
    await purgeExpiredRows.run(app)
    assert.equal(await count(), 1)
    jump_ms = 91 * 24 * hour_ms
    await purgeExpiredRows.run(app)
    assert.equal(await count(), 0)
    const places = await db.query('select 1 from sign_in_networks where customer_id = $1', [
      owner.id,
    ])
    assert.deepEqual(places, [])
  } finally {
    jump_ms = 0
  }
})
