// Operator keys: the first one, that of the environment, and those by name, on two nodes.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { app_role } from '../../../../test/support/database.ts'
import { appOver, testPipeline } from '../../../../test/support/test-pipeline.ts'
import { openDatabase } from '../../../db/database.ts'
import { AuthenticationCache } from '../../api-keys/index.ts'
import { authenticateOperators, ensureOperatorKey, operations } from '../index.ts'

const pipeline = await testPipeline({ operations })
const { db, app, call, operator } = pipeline
const at = 'POST /v1/internal/operator-keys'
const make = (name: string, token = operator) => call(at, { token, body: { name } })
const keyIn = (answer: { body: Record<string, unknown> }) => ({
  id: Number(Object(answer.body.key).id),
  secret: String(answer.body.operator_key),
})

describe('an operator key', () => {
  it('is created once, however many nodes start together, and printed once', async () => {
    const { db: fresh } = await testPipeline({ settings: { OPERATOR_KEY: '' } })
    const without = appOver(fresh, { settings: { OPERATOR_KEY: '' } })
    await fresh.query('delete from operator_keys')
    const made = await Promise.all(Array.from({ length: 5 }, () => ensureOperatorKey(without)))
    const [secret, ...more] = made.filter((one) => one !== null)
    assert.match(secret ?? '', /^op_[0-9A-Za-z]{40}$/)
    assert.deepEqual(more, [])
    assert.equal(await ensureOperatorKey(without), null)
    assert.equal((await authenticateOperators(without)(secret ?? ''))?.kind, 'operator')
  })

  it('of the environment replaces the one before it, and may come back', async () => {
    const { db: fresh } = await testPipeline()
    const settings = (suffix: string) => ({ OPERATOR_KEY: `op_${suffix.repeat(40)}` })
    const use = async (suffix: string) => {
      const node = appOver(fresh, { settings: settings(suffix) })
      assert.equal(await ensureOperatorKey(node), null)
      const read = authenticateOperators(node)
      const known = await Promise.all(['a', 'b'].map((one) => read(settings(one).OPERATOR_KEY)))
      return known.map((caller) => caller?.kind ?? null)
    }
    assert.deepEqual(await use('a'), ['operator', null])
    assert.deepEqual(await use('b'), [null, 'operator'])
    assert.deepEqual(await use('a'), ['operator', null])
    const rows = await fresh.query('select label from operator_keys where revoked_at is null')
    assert.deepEqual(rows, [{ label: 'environment' }])
  })

  it('that is not a valid bearer token stops the start with one line', async () => {
    for (const key of [`xx_${'a'.repeat(40)}`, `op_${'a b'.repeat(20)}`])
      await assert.rejects(ensureOperatorKey(appOver(db, { settings: { OPERATOR_KEY: key } })), {
        name: 'SettingError',
        message: /^OPERATOR_KEY must start with "op_"[^\n]*$/,
      })
  })
})

/** As names that are taken. */
const alike = ['Once', 'on\u200bce', '\uff2fnce', 'environ\u2060ment']

describe('a key by name', () => {
  it('is shown once, stored as a hash, and works', async () => {
    const answer = await make('Grace Hopper')
    assert.equal(answer.status, 201)
    const { id, secret } = keyIn(answer)
    assert.match(secret, /^op_[0-9A-Za-z]{40}$/)
    const listed = await call('GET /v1/internal/operator-keys', { token: secret })
    assert.ok(!JSON.stringify(listed.body).includes(secret))
    const rows = await db.query('select k::text from operator_keys k where id = $1', [id])
    assert.ok(!JSON.stringify(rows).includes(secret.slice(9)))
    const mine = [Object(listed.body).keys].flat().find((key) => Object(key).id === id)
    assert.deepEqual([Object(mine).name, Object(mine).current], ['Grace Hopper', true])
    assert.ok(Object(mine).last_used_at)
  })

  it('names the operator in the audit log', async () => {
    const { secret } = keyIn(await make('Ada Lovelace'))
    const { id } = await pipeline.customer()
    await call(`GET /v1/customers/${id}`, { token: secret })
    const rows = await db.query(
      `select action, actor_type, actor_label, result, status_code, target from audit_logs
        where customer_id = $1 and actor_label = 'Ada Lovelace'`,
      [id],
    )
    const row = { actor_type: 'operator', actor_label: 'Ada Lovelace', result: 'success' }
    assert.deepEqual(rows, [{ action: 'get_customer', ...row, status_code: 200, target: id }])
  })

  it('has a name of its own for good: also that of a revoked key, and of the service', async () => {
    const { id } = keyIn(await make('Once'))
    for (const name of ['Once', ' Once ', 'environment', 'first start'])
      assert.equal((await make(name)).status, 409, name)
    await call(`${at}/${id}/revoke`, { token: operator })
    for (const name of alike) assert.equal((await make(name)).status, 409, name)
    const both = await Promise.all([make('Twice'), make('Twice')])
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
  })

  it('is 422 for a name that is blank, too long, or more than a line', async () => {
    for (const name of ['', '  ', 'x'.repeat(65), 'a\nb', 'a\u0000b', null, 7])
      assert.equal((await call(at, { token: operator, body: { name } })).status, 422)
  })

  it('ends on every node when it is revoked or rotated, and a second time nothing happens', async () => {
    const other = await openDatabase({ url: db.url, app_role })
    after(() => other.close())
    // Its time stands still: what leaves its cache was purged by a notification.
    const authentications = new AuthenticationCache({ db: other, monotonic_ms: () => 1 })
    await other.listen('access_revoked', {
      notified: () => undefined,
      reconnected: () => undefined,
    })
    const read = authenticateOperators({ ...app, db: other, authentications })
    const ends = async (token: string) => {
      while (await read(token)) await new Promise((done) => setTimeout(done, 5))
    }
    const { id, secret } = keyIn(await make('Ends'))
    assert.ok(await read(secret))
    const rotated = await call(`${at}/${id}/rotate`, { token: operator })
    await ends(secret)
    const next = keyIn(rotated)
    assert.deepEqual([next.id, (await read(next.secret))?.kind], [id, 'operator'])
    const revoked = await call(`${at}/${id}/revoke`, { token: operator })
    await ends(next.secret)
    const again = await call(`${at}/${id}/revoke`, { token: operator })
    assert.deepEqual([again.status, again.body.revoked_at], [200, revoked.body.revoked_at])
    assert.equal((await call(`${at}/${id}/rotate`, { token: operator })).status, 409)
    assert.equal((await call(at, { token: next.secret, body: { name: 'x' } })).status, 401)
  })

  it('is 404 for an id that no key has', async () => {
    for (const verb of ['revoke', 'rotate']) {
      const answer = await call(`${at}/999999/${verb}`, { token: operator })
      assert.deepEqual([answer.status, answer.body.code], [404, 'operator_key_not_found'])
    }
  })

  it('is refused to customers', async () => {
    const { key } = await pipeline.customer()
    for (const one of [at, 'GET /v1/internal/operator-keys', `${at}/1/revoke`, `${at}/1/rotate`])
      assert.deepEqual((await call(one, { token: key, body: {} })).body.code, 'operator_only')
  })
})

describe('the key of OPERATOR_KEY', () => {
  it('is one of them, and its end is in the settings', async () => {
    const listed = await call('GET /v1/internal/operator-keys', { token: operator })
    const own = [listed.body.keys].flat().find((key) => Object(key).name === 'environment')
    for (const verb of ['revoke', 'rotate']) {
      const answer = await call(`${at}/${Object(own).id}/${verb}`, { token: operator })
      assert.deepEqual([answer.status, answer.body.code], [409, 'operator_key_in_settings'])
    }
  })
})

it('keeps the last active key, also when two revoke each other', async () => {
  const fresh = await testPipeline({ operations, settings: { OPERATOR_KEY: '' } })
  const first = (await ensureOperatorKey(fresh.app)) ?? ''
  await fresh.db.query(`update operator_keys set revoked_at = now()`)
  fresh.app.authentications.invalidate()
  const secret = (await ensureOperatorKey(fresh.app)) ?? ''
  assert.notEqual(secret, first)
  const list = await fresh.call('GET /v1/internal/operator-keys', { token: secret })
  const id = Number(Object([list.body.keys].flat()[0]).id)
  const last = await fresh.call(`${at}/${id}/revoke`, { token: secret })
  assert.deepEqual([last.status, last.body.code], [409, 'last_operator_key'])
  const second = keyIn(await fresh.call(at, { token: secret, body: { name: 'Second' } }))
  const answers = await Promise.all([
    fresh.call(`${at}/${id}/revoke`, { token: second.secret }),
    fresh.call(`${at}/${second.id}/revoke`, { token: secret }),
  ])
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const left = await fresh.db.query('select 1 from operator_keys where revoked_at is null')
  assert.equal(left.length, 1)
})
