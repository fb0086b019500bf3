// Web push of requests that wait, through a whole service and a push service on a socket.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../../../../test/contract/support/fixture.ts'
import { openPush } from './push.fixture.ts'

const { registrar, service, request, query, browserOf, owner, ask, list } = await openPush({
  worker: true,
})

/** The task of a browser, or none if it has ended. */
const taskOf = async (approval: string, subscription: string) =>
  (await query('select * from tasks where key = $1', [`${approval} ${subscription}`]))[0]

/** Once the task has ended, or failed so often. */
async function attempted(approval: string, subscription: string, attempts = 1) {
  const read = () => taskOf(approval, subscription)
  await until(async () => ((await read())?.attempts ?? attempts) >= attempts)
  return read()
}

describe('a request that waits', () => {
  it('is pushed to each browser of its owner, and to no other one', async () => {
    const [person, other] = [await owner(), await owner()]
    const browsers = [await browserOf(person.session), await browserOf(person.session)]
    const unasked = await browserOf(other.session)
    const { id, domain } = await ask(person)
    for (const { browser } of browsers) {
      const [message] = await browser.until(1)
      assert.deepEqual(JSON.parse(message?.text ?? ''), {
        title: `Approve or decline: register ${domain}`,
        body: 'Open the request. Nothing happens until you approve it there.',
        approval: id,
      })
      const week_s = 7 * 86_400
      assert.ok(message && message.ttl_s <= week_s && message.ttl_s > week_s - 60)
      assert.deepEqual([message.topic, message.urgency], [id, 'normal'])
    }
    assert.equal(unasked.browser.requests, 0)
    assert.deepEqual(service.problems, [])
    for (const one of browsers) await until(async () => (await taskOf(id, one.id)) === undefined)
    const { body } = await request('GET', '/v1/account/push-subscriptions', {
      token: person.session,
    })
    assert.ok(body.push_subscriptions.every((one: { last_sent_at: string }) => one.last_sent_at))
  })

  it('is pushed once: the same request again asks for nothing new', async () => {
    const person = await owner()
    const { browser } = await browserOf(person.session)
    const { domain, token, id } = await ask(person)
    await browser.until(1)
    const again = await request('POST', '/v1/domains', {
      token,
      body: { domain, period_years: 2 },
    })
    assert.equal(again.body.approval.id, id)
    await ask(person)
    await browser.until(2)
    assert.equal(browser.requests, 2)
  })
})

describe('an answer of the push service', () => {
  it('404 or 410 ends the subscription', async () => {
    for (const status of [404, 410]) {
      const person = await owner()
      const { browser, id } = await browserOf(person.session)
      browser.fault({ status })
      await ask(person)
      await until(async () => (await list(person.session)).length === 0)
      assert.deepEqual(await query('select id from push_subscriptions where id = $1', [id]), [])
    }
  })

  it('429 and 5xx are tried again, after Retry-After or the backoff', async () => {
    const person = await owner()
    const { browser, id } = await browserOf(person.session)
    /** The answer, how long the next attempt waits at least and at most, and that it comes. */
    const answers = [
      [{ status: 429, retry_after: '120' }, 100_000, 120_000],
      [{ status: 500 }, 1_000, 5_000],
    ] as const
    for (const [fault, least_ms, most_ms] of answers) {
      browser.fault(fault)
      const { id: approval } = await ask(person)
      const waiting = await attempted(approval, id)
      const { last_error, attempts } = waiting
      assert.deepEqual([last_error, attempts], [`It answered ${fault.status}.`, 1])
      const wait_ms = waiting.run_at.getTime() - Date.now()
      assert.ok(wait_ms > least_ms && wait_ms <= most_ms, `${wait_ms} ms`)
      await query('update tasks set run_at = now() where id = $1', [waiting.id])
      await until(async () => browser.messages.some(({ topic }) => topic === approval))
    }
  })

  it('that is a refusal, or a failure for hours, is given up; the subscription stays', async () => {
    const person = await owner()
    const { browser, id } = await browserOf(person.session)
    browser.fault({ status: 413 })
    const refused = await ask(person)
    assert.equal(await attempted(refused.id, id, 99), undefined)
    browser.fault({ status: 503, times: 2 })
    const failing = await ask(person)
    const task = await attempted(failing.id, id)
    await query('update tasks set attempts = 11, run_at = now() where id = $1', [task.id])
    assert.equal(await attempted(failing.id, id, 99), undefined)
    assert.deepEqual(await list(person.session), [id])
    assert.equal(browser.messages.length, 0)
    const given = registrar.logs.filter((line) => line.includes('web push failed permanently'))
    assert.equal(given.filter((line) => line.includes(id)).length, 2)
    assert.ok(!registrar.logs.some((line) => line.includes('"task_dead"')))
  })
})

describe('secrets of a browser', () => {
  it('are in no log, no answer, no audit row, no task, no export and no plain column', async () => {
    const person = await owner()
    const { browser, id, subscription } = await browserOf(person.session)
    browser.fault({ status: 400, body: subscription.endpoint })
    const { id: approval } = await ask(person)
    await attempted(approval, id, 99)
    const { endpoint, keys } = subscription
    const secrets = [new URL(endpoint).pathname, keys.auth, keys.p256dh]
    const wrong = { endpoint: `${endpoint}#x`, keys: { ...keys, p256dh: 'x' } }
    const token = person.session
    const answers = [
      await request('GET', '/v1/account/push-subscriptions', { token }),
      await request('POST', '/v1/account/push-subscriptions', { token, body: wrong }),
      await request('GET', '/v1/account/export', { token }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 422, 200],
    )
    const rows = [
      await query('select p::text from push_subscriptions p where id = $1', [id]),
      await query('select a::text from audit_logs a where customer_id = $1', [person.id]),
      await query('select t::text from tasks t'),
      await query('select e::text from events e where customer_id = $1', [person.id]),
    ]
    const shown = [...answers.map(({ text }) => text), JSON.stringify(rows), ...registrar.logs]
    for (const secret of secrets) assert.ok(!shown.some((text) => text.includes(secret)), secret)
    assert.ok(JSON.stringify(rows).includes('create_push_subscription'))
  })
})

describe('a message', () => {
  it('gives nothing that approves: only POST with the session of the owner does', async () => {
    const [person, other] = [await owner(), await owner()]
    const { browser } = await browserOf(person.session)
    const { id, token } = await ask(person)
    const [message] = await browser.until(1)
    const { approval, ...rest } = JSON.parse(message?.text ?? '')
    assert.deepEqual([approval, Object.keys(rest)], [id, ['title', 'body']])
    const path = `/v1/approvals/${id}/approve`
    const refusals: [string, { token?: string; body?: object }, string][] = [
      ['GET', { token: person.session }, 'method_not_allowed'],
      ['POST', { body: {} }, 'unauthenticated'],
      ['POST', { token, body: {} }, 'session_required'],
      ['POST', { token: person.key, body: {} }, 'session_required'],
      ['POST', { token: registrar.operatorKey, body: {} }, 'customer_required'],
      ['POST', { token: other.session, body: {} }, 'approval_not_found'],
    ]
    for (const [method, options, code] of refusals) {
      const answer = await request(method, path, options)
      assert.equal(answer.body.code, code, answer.text)
    }
    const read = () => request('GET', `/v1/approvals/${id}`, { token: person.session })
    assert.equal((await read()).body.state, 'pending')
    const approved = await request('POST', path, { token: person.session, body: {} })
    assert.equal(approved.status, 200, approved.text)
  })
})
