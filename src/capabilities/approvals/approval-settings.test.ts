// The threshold above which an approval needs a fresh log-in: set in person, raised only after one,
// audited and mailed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recentSessionOf, sessionOf } from '../../../test/support/sign-in.ts'
import { asked, nextName, pair, query, registrar, request } from './approvals.fixture.ts'

const path = '/v1/account/approval-settings'
type Above = { amount: string; currency?: string } | null

const put = (token: string, above: unknown) =>
  registrar.request('PATCH', path, { token, body: { fresh_log_in_above: above } })
const approve = (token: string, id: string) => request(token, `/v1/approvals/${id}/approve`, {})
const usd = (amount: string) => ({ amount, currency: 'USD' })

/** An owner with the sum, a session whose log-in is old, and a fresh one. */
async function ownerWith(above: Above) {
  const { person, token, session } = await pair(undefined, 100_000)
  const set = await put(session, above)
  assert.equal(set.status, 200, set.text)
  return { person, token, fresh: session, old: await sessionOf(registrar, person) }
}

/** How approving a domain of this many years (10.85 USD each) ends in the old session. */
async function answerAt(one: Awaited<ReturnType<typeof ownerWith>>, more: object) {
  const answer = await approve(one.old, await asked(one.token, nextName(), more))
  return answer.status === 200 ? answer.body.state : answer.body.code
}

describe('the sum', () => {
  it('is 100.00 USD until the owner sets another', async () => {
    const { person } = await pair()
    const { body } = await request(await sessionOf(registrar, person), path)
    assert.deepEqual(body, { fresh_log_in_above: usd('100.00') })
  })

  it('decides whether approving needs a fresh log-in: above it, not at it', async () => {
    const one = await ownerWith(usd('21.70'))
    assert.equal(await answerAt(one, { period_years: 2 }), 'approved')
    assert.equal(await answerAt(one, { period_years: 3 }), 'fresh_log_in_needed')
    const id = await asked(one.token, nextName(), { period_years: 3 })
    assert.equal((await approve(one.fresh, id)).status, 200)
  })

  it('binds its currency: a request in another needs a fresh log-in, whatever it costs', async () => {
    const { person, token, session, old } = await inEuros('1.00')
    assert.equal((await put(session, { amount: '500.00', currency: 'USD' })).status, 200)
    const id = await asked(token, nextName(), { currency: 'EUR' })
    assert.equal((await approve(old, id)).body.code, 'fresh_log_in_needed')
    assert.equal((await put(session, { amount: '500.00', currency: 'EUR' })).status, 200)
    assert.equal((await approve(old, id)).status, 200)
    assert.ok(person.id)
  })

  it('can be turned off, but not for requests that cost nothing', async () => {
    const one = await ownerWith(null)
    assert.equal(await answerAt(one, { period_years: 10 }), 'approved')
    const domain = nextName()
    const bought = await request(one.person.key, '/v1/domains', { domain })
    assert.equal(bought.status, 200, bought.text)
    await request(one.fresh, `/v1/domains/${domain}/protect`, {})
    const refused = await request(one.token, `/v1/domains/${domain}/unlock`, {})
    assert.equal(refused.body.code, 'approval_required', refused.text)
    const answer = await approve(one.old, refused.body.approval.id)
    assert.equal(answer.body.code, 'fresh_log_in_needed', answer.text)
  })
})

describe('a change', () => {
  it('downward needs no fresh log-in; upward, to another currency, or off it does', async () => {
    const { old, fresh } = await ownerWith(usd('50.00'))
    for (const above of [usd('50.01'), { amount: '1.00', currency: 'EUR' }, null]) {
      const refused = await put(old, above)
      assert.deepEqual([refused.status, refused.body.code], [403, 'fresh_log_in_needed'])
    }
    for (const above of [usd('50.00'), usd('49.99'), usd('0.00')])
      assert.deepEqual((await put(old, above)).body, { fresh_log_in_above: above })
    assert.deepEqual((await put(fresh, null)).body, { fresh_log_in_above: null })
    assert.deepEqual((await put(old, usd('7.00'))).body, { fresh_log_in_above: usd('7.00') })
  })

  it('is audited and mailed, and one that changes nothing is not mailed', async () => {
    const { person, fresh } = await ownerWith(usd('55.00'))
    const rows = async () =>
      query(
        `select metadata from audit_logs
          where customer_id = $1 and action = 'update_approval_settings'`,
        [person.id],
      )
    assert.deepEqual(
      (await rows()).map(({ metadata }) => metadata),
      [{ fresh_log_in_above: usd('55.00') }],
    )
    assert.equal((await put(fresh, usd('55.00'))).status, 200)
    assert.equal((await put(fresh, null)).status, 200)
    const subject = /fresh log-in was changed/
    const mails = await registrar.mails({ to: person.email, subject, count: 2 })
    // They may come in another order than they were queued in.
    const sentences = [/above 55\.00 USD, or in another currency/, /never needs a fresh log-in/]
    for (const sentence of sentences)
      assert.equal(mails.filter(({ text = '' }) => sentence.test(text)).length, 1, `${sentence}`)
    assert.equal(mails.length, 2)
  })

  it('is refused for a key, an operator, and an invalid amount', async () => {
    const { person, session } = await pair()
    const other = { token: registrar.operatorKey, code: 'customer_required' }
    for (const { token, code } of [{ token: person.key, code: 'session_required' }, other]) {
      assert.equal((await put(token, null)).body.code, code)
      assert.equal((await request(token, path)).body.code, code)
    }
    for (const amount of ['-1', '1.234', '1e3', '', 'NaN']) {
      const { status } = await put(session, { amount, currency: 'USD' })
      assert.equal(status, 422, amount)
    }
    for (const above of [{ amount: '1.00', currency: 'GBP' }, '1.00', undefined])
      assert.equal((await put(session, above)).status, 422)
    const { body } = await request(session, path)
    assert.deepEqual(body, { fresh_log_in_above: usd('100.00') })
  })
})

/** An owner whose agent asks above a sum in euros. */
async function inEuros(amount: string) {
  const one = await pair({ approval_above: { amount, currency: 'EUR' } }, 0)
  const top = await registrar.request('POST', '/v1/internal/billing/processor/top-ups', {
    token: registrar.operatorKey,
    body: {
      customer_id: one.person.id,
      amount_cents: 10_000,
      currency: 'EUR',
      processor_checkout_session_id: `cs_eur_${one.person.id}`,
    },
  })
  assert.equal(top.status, 200, top.text)
  const session = await recentSessionOf(registrar, one.person)
  return { ...one, session, old: await sessionOf(registrar, one.person) }
}
