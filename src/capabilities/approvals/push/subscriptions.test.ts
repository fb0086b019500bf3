// Subscriptions to web push: their owners, their ends, and pushes that are enqueued with the
// approval or not at all. No worker runs here.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../../../../test/contract/support/fixture.ts'
import { startService } from '../../../../test/support/service.ts'
import { cookieBrowser, ours, ownersPassword, sessionOf } from '../../../../test/support/sign-in.ts'
import { lockCustomer } from '../../account/index.ts'
import { systemCall } from '../../audit/index.ts'
import { at, openPush } from './push.fixture.ts'
import { pushApprovals } from './push-approvals.job.ts'

const { registrar, service, request, query, browserOf, owner, ask, list } = await openPush({
  worker: false,
})
const { app } = registrar.service
const workOff = () => pushApprovals.run(app, systemCall(app, 'push_approvals'))
const rowsOf = (customer: string) =>
  query('select id, session_id from push_subscriptions where customer_id = $1', [customer])

describe('a subscription', () => {
  it('is of its owner in person: another account does not see it, and cannot end it', async () => {
    const [person, other] = [await owner(), await owner()]
    const { id } = await browserOf(person.session)
    assert.deepEqual([await list(person.session), await list(other.session)], [[id], []])
    const foreign = await request('DELETE', `${at}/${id}`, { token: other.session })
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'push_subscription_not_found'])
    for (const [method, path] of [
      ['GET', at],
      ['DELETE', `${at}/${id}`],
    ] as const) {
      const byKey = await request(method, path, { token: person.key })
      assert.deepEqual([byKey.status, byKey.body.code], [403, 'session_required'])
    }
    const done = await request('DELETE', `${at}/${id}`, { token: person.session })
    assert.equal(done.status, 204)
    assert.deepEqual(await list(person.session), [])
  })

  it('of the same browser is the same one; of another account, it is taken over', async () => {
    const [person, other] = [await owner(), await owner()]
    const { id, subscription } = await browserOf(person.session)
    const put = (token: string) => request('POST', at, { token, body: subscription })
    assert.equal((await put(person.session)).body.id, id)
    const later = await sessionOf(registrar, person)
    assert.deepEqual([(await put(later)).body.id, (await put(later)).body.current], [id, true])
    const taken = await put(other.session)
    assert.notEqual(taken.body.id, id)
    assert.deepEqual([await list(person.session), await list(other.session)], [[], [taken.body.id]])
  })

  it('is one of ten at most: the oldest end', async () => {
    const person = await owner()
    const ids: string[] = []
    for (let made = 0; made < 12; made += 1) ids.push((await browserOf(person.session)).id)
    assert.deepEqual(await list(person.session), ids.slice(2).reverse())
  })

  it('is refused for other hosts than those of push services, and for wrong keys', async () => {
    const person = await owner()
    const { subscription } = await service.subscribe('')
    const post = async (change: object) => {
      const body = { ...subscription, ...change }
      const { status, body: problem } = await request('POST', at, { token: person.session, body })
      return status === 422 ? problem.detail.map(({ loc }: { loc: string[] }) => loc[1]) : status
    }
    const endpoints = [
      ...[
        'https://evil.example/push',
        'https://fcm.googleapis.com.evil.example/',
        'x',
        'ftp://a.b',
      ],
      ...['https://evilpush.apple.com/', 'http://fcm.googleapis.com/x', 'https://10.0.0.1/'],
      ...['https://user:x@fcm.googleapis.com/', 'https://fcm.googleapis.com:25/'],
    ]
    for (const endpoint of endpoints) assert.deepEqual(await post({ endpoint }), ['endpoint'])
    const { p256dh, auth } = subscription.keys
    assert.deepEqual(await post({ keys: { p256dh: 'AAAA', auth } }), ['keys'])
    assert.deepEqual(await post({ keys: { p256dh, auth: 'AAAA' } }), ['keys'])
    for (const endpoint of ['https://fcm.googleapis.com/a', 'https://web.push.apple.com/b'])
      assert.equal(await post({ endpoint }), 201)
  })
})

describe('the end of a session', () => {
  it('ends its subscriptions: revoked, logged out, by a new password, by closing', async () => {
    const ends: ((person: Awaited<ReturnType<typeof owner>>) => Promise<number>)[] = [
      async ({ session: token }) => {
        const { body } = await request('GET', '/v1/account/sessions', { token })
        const { id } = body.sessions.find(({ current }: { current: boolean }) => current)
        return (await request('DELETE', `/v1/account/sessions/${id}`, { token })).status
      },
      async ({ session: token }) =>
        (await request('POST', '/v1/dashboard/logout', { token })).status,
      async (person) => {
        const token = await sessionOf(registrar, person)
        const body = { current_password: ownersPassword, new_password: 'quite another password' }
        return (await request('POST', '/v1/account/password', { token, body })).status
      },
    ]
    for (const end of ends) {
      const person = await owner()
      await browserOf(person.session)
      assert.ok((await end(person)) < 300)
      assert.deepEqual(await rowsOf(person.id), [])
    }
    const poor = await registrar.customer({ funds_cents: 0, contact: false })
    const browser = await cookieBrowser(registrar, poor)
    await browserOf(browser.token)
    const options = { headers: ours, body: { email: poor.email } }
    const closed = await browser.send('POST', '/v1/account/close', options)
    assert.equal(closed.status, 200, closed.text)
    assert.deepEqual(await rowsOf(poor.id), [])
  })

  it('is the end of a subscription that is made at the same time', async () => {
    const person = await owner()
    const { subscription } = await service.subscribe('')
    const put = await app.db.transaction(async (sql) => {
      await lockCustomer(sql, person.id)
      const answer = request('POST', at, { token: person.session, body: subscription })
      // It is authenticated, and waits for the account.
      await until(async () => {
        const [row] = await query('select count(*)::int as held from pg_locks where not granted')
        return row.held > 0
      })
      await query('update sessions set ended_at = now() where customer_id = $1', [person.id])
      return { answer }
    })
    assert.equal((await put.answer).body.code, 'session_required')
    assert.deepEqual(await rowsOf(person.id), [])
  })

  it('by a new log-in of the same browser moves them to the new session', async () => {
    const browser = await cookieBrowser(registrar)
    const { id } = await browserOf(browser.token)
    const [before] = await rowsOf(browser.account.id)
    const { email } = browser.account
    const body = { email, password: ownersPassword }
    const again = await browser.send('POST', '/v1/dashboard/login', { headers: ours, body })
    assert.equal(again.status, 200, again.text)
    const [moved, ...more] = await rowsOf(browser.account.id)
    assert.deepEqual([moved.id, more], [id, []])
    assert.notEqual(moved.session_id, before.session_id)
  })

  it('by its time leaves them until its row is purged', async () => {
    const person = await owner()
    const { id } = await browserOf(person.session)
    const [{ session_id }] = await rowsOf(person.id)
    await query(`update sessions set expires_at = now() - interval '1 day' where id = $1`, [
      session_id,
    ])
    assert.equal((await rowsOf(person.id))[0]?.id, id)
    await query('delete from sessions where id = $1', [session_id])
    assert.deepEqual(await rowsOf(person.id), [])
  })
})

describe('a push', () => {
  it('is enqueued in the transaction that stores the approval, or neither is there', async () => {
    const person = await owner()
    const { id: subscription } = await browserOf(person.session)
    const approvals = () => query('select id from approvals where customer_id = $1', [person.id])
    const tasks = () => query(`select key from tasks where kind = 'push_approval'`)
    await query(`create function refuse_row() returns trigger language plpgsql
      as $$ begin raise exception 'refused'; end $$`)
    const refusals = {
      tasks: `create trigger refuse_row before insert on tasks for each row
        when (new.kind = 'push_approval') execute function refuse_row()`,
      // Once all is written: at the commit.
      approvals: `create constraint trigger refuse_row after insert on approvals
        initially deferred for each row execute function refuse_row()`,
    }
    for (const [table, refusal] of Object.entries(refusals)) {
      await query(refusal)
      assert.equal((await ask(person)).refused.status, 500, table)
      assert.deepEqual([await approvals(), await tasks()], [[], []], table)
      await query(`drop trigger refuse_row on ${table}`)
    }
    const { id } = await ask(person)
    assert.deepEqual(await tasks(), [{ key: `${id} ${subscription}` }])
    await workOff()
  })

  it('is not sent once the request was answered, has expired, or the browser was turned off', async () => {
    const person = await owner()
    const { browser, id } = await browserOf(person.session)
    const { browser: off, id: off_id } = await browserOf(person.session)
    const token = person.session
    const answered = await ask(person)
    await request('POST', `/v1/approvals/${answered.id}/decline`, { token, body: {} })
    const expired = await ask(person)
    // The trigger keeps what waits from being changed.
    await query('alter table approvals disable trigger approvals_keep_end')
    await query(`update approvals set expires_at = now() where id = $1`, [expired.id])
    await query('alter table approvals enable trigger approvals_keep_end')
    const open = await ask(person)
    await request('DELETE', `${at}/${off_id}`, { token })
    await workOff()
    const sent = browser.messages.map(({ text }) => JSON.parse(text).approval)
    assert.deepEqual([sent, off.requests], [[open.id], 0])
    assert.deepEqual(await query(`select key from tasks where kind = 'push_approval'`), [])
    assert.deepEqual(await list(token), [id])
  })

  it('is not enqueued for a browser that subscribed with another key of ours', async () => {
    const person = await owner()
    const { id, subscription } = await browserOf(person.session)
    await query(`update push_subscriptions set public_key = 'old' where id = $1`, [id])
    assert.deepEqual(await list(person.session), [])
    await ask(person)
    assert.deepEqual(await query(`select key from tasks where kind = 'push_approval'`), [])
    const renewed = await request('POST', at, { token: person.session, body: subscription })
    assert.equal(renewed.body.id, id)
    assert.deepEqual(await list(person.session), [id])
  })
})

describe('without a key', () => {
  it('there is no web push: 503, null in the configuration, and approvals as before', async () => {
    const settings = { VAPID_PRIVATE_KEY: '', VAPID_SUBJECT: '' }
    const bare = await startService({ worker: false, settings })
    const person = await bare.customer({ funds_cents: 0 })
    const token = await sessionOf(bare, person)
    const { subscription } = await service.subscribe('')
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', subscription],
    ] as const) {
      const answer = await bare.request(method, at, { token, body })
      assert.deepEqual([answer.status, answer.body.code], [503, 'not_configured'])
    }
    const { body } = await bare.request('GET', '/v1/dashboard/config')
    assert.equal(body.vapid_public_key, null)
    const ours = await request('GET', '/v1/dashboard/config')
    assert.equal(ours.body.vapid_public_key, app.webPush?.public_key)
  })
})
