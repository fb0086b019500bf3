// Approvals through a whole service: asked for once, answered by the owner alone, and done exactly
// as they were approved.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sessionOf } from '../../../test/support/sign-in.ts'
import {
  asked,
  buy,
  ended,
  holds,
  keyOf,
  nextName,
  pair,
  query,
  read,
  registrar,
  request,
} from './approvals.fixture.ts'

describe('a purchase above approval_above', () => {
  it('waits for the owner, and is then made by the service, once', async () => {
    const { person, token, answer, session } = await pair()
    const domain = nextName()
    const id = await asked(token, domain, { period_years: 2 })
    assert.equal(await asked(token, domain, { period_years: 2 }), id, 'the same approval')
    assert.deepEqual(await holds(person.id), [], 'nothing is held')
    const pending = await read(token, id)
    assert.deepEqual(
      [pending.state, pending.action, pending.domain, pending.reason, pending.request.period_years],
      ['pending', 'register_domain', domain, 'approval_above', 2],
    )
    assert.deepEqual(pending.highest_price, { amount: '21.70', currency: 'USD' })
    const listed = await request(session, '/v1/approvals')
    assert.deepEqual(
      listed.body.approvals.map((one: { id: string }) => one.id),
      [id],
    )
    const [approved, done] = await Promise.all([answer(id, 'approve'), ended(token, id)])
    assert.equal(approved.status, 200, approved.text)
    assert.equal(done.state, 'executed', JSON.stringify(done))
    const order = await request(token, `/v1/operations/${done.operation.id}/wait`)
    assert.deepEqual([order.body.state, order.body.amount], ['succeeded', '21.70'])
    assert.equal((await holds(person.id)).length, 1)
    const again = await answer(id, 'approve')
    assert.deepEqual([again.status, again.body.state], [200, 'executed'])
    assert.equal((await holds(person.id)).length, 1)
    const held = await request(token, `/v1/domains/${domain}`)
    assert.equal(held.body.status, 'active')
  })

  it('is mailed to its owner, with a link that approves nothing', async () => {
    const { person, token } = await pair()
    const domain = nextName()
    const id = await asked(token, domain)
    const [mail] = await registrar.mails({ to: person.email, subject: /Approve or decline/ })
    const text = mail?.text ?? ''
    for (const part of [`/approvals/${id}`, domain, 'at most 10.85 USD'])
      assert.ok(text.includes(part), part)
    assert.equal((await read(token, id)).state, 'pending')
  })

  it('is replayed by its idempotency key once it was made', async () => {
    const { token, answer } = await pair()
    const domain = nextName()
    const send = () =>
      registrar.request('POST', '/v1/domains', {
        token,
        body: { domain },
        headers: { 'idempotency-key': `k-${domain}` },
      })
    const first = await send()
    assert.equal(first.body.code, 'approval_required')
    const { id } = first.body.approval
    await answer(id, 'approve')
    assert.equal((await ended(token, id)).state, 'executed')
    const replayed = await send()
    assert.equal(replayed.status, 200, replayed.text)
    assert.equal(replayed.body.domain, domain)
  })
})

describe('a purchase of a key under approval_above', () => {
  it('below it, or by the owner, is made at once; a dry run says that it would wait', async () => {
    const { person, token } = await pair({ approval_above: { amount: '10.85' } })
    assert.equal((await buy(token, nextName())).status, 200)
    const dry = await buy(token, nextName(), { period_years: 2, dry_run: true })
    assert.deepEqual(
      [dry.status, dry.body.code, dry.body.approval],
      [403, 'approval_required', null],
    )
    assert.match(dry.body.detail, /price is 21\.70 USD, and "agent" needs it above 10\.85 USD/)
    const { body } = await request(token, '/v1/approvals?state=all')
    assert.deepEqual(body, { approvals: [], next_cursor: null })
    assert.equal((await buy(person.key, nextName(), { period_years: 2 })).status, 200)
  })

  it('is not requested where another limit, or the balance, refuses it anyway', async () => {
    const { token } = await pair({
      approval_above: { amount: '5.00' },
      spend_limit: { amount: '8.00' },
    })
    assert.equal((await buy(token, nextName())).body.code, 'spend_limit_exceeded')
    const poor = await pair(undefined, 600)
    assert.equal((await buy(poor.token, nextName())).body.code, 'insufficient_funds')
    const euros = await buy(poor.token, nextName(), { currency: 'EUR' })
    assert.equal(euros.body.code, 'currency_not_allowed')
  })

  it('draws on the budgets of its key, which hold when it is made', async () => {
    const { token, answer } = await pair({
      approval_above: { amount: '5.00' },
      spend_limit: { amount: '20.00' },
    })
    const ids = [await asked(token, nextName()), await asked(token, nextName())]
    for (const id of ids) await answer(id, 'approve')
    const states = await Promise.all(ids.map(async (id) => ended(token, id)))
    assert.deepEqual(states.map(({ state }) => state).sort(), ['executed', 'failed'])
    const failed = states.find(({ state }) => state === 'failed')
    assert.equal(failed?.error.code, 'spend_limit_exceeded')
    const { body } = await request(token, '/v1/account/limits')
    assert.equal(body.limits[0].spend_limit.spent, '10.85')
  })
})

describe('the owner', () => {
  it('declines, and the agent reads why and cannot ask for the same again at once', async () => {
    const { person, token, answer } = await pair()
    const domain = nextName()
    const id = await asked(token, domain)
    const declined = await answer(id, 'decline', { note: 'Not this one.' })
    assert.deepEqual([declined.status, declined.body.state], [200, 'declined'])
    const again = await buy(token, domain)
    assert.deepEqual([again.status, again.body.code], [403, 'approval_declined'])
    assert.equal(again.body.approval.note, 'Not this one.')
    const late = await answer(id, 'approve')
    assert.deepEqual([late.status, late.body.code], [409, 'approval_decided'])
    assert.deepEqual(await holds(person.id), [])
  })

  it('alone approves: no key, no other account, and no session of an hour ago above the sum', async () => {
    const { person, token, key_id } = await pair()
    const id = await asked(token, nextName())
    for (const wrong of [token, person.key]) {
      const refused = await request(wrong, `/v1/approvals/${id}/approve`, {})
      assert.deepEqual([refused.status, refused.body.code], [403, 'session_required'])
    }
    const other = await pair()
    assert.equal((await other.answer(id, 'approve')).body.code, 'approval_not_found')
    assert.equal((await request(other.token, `/v1/approvals/${id}`)).status, 404)
    const sibling = await keyOf(person, { allowed_domains: ['hidden-*.com'] })
    assert.equal((await request(sibling.token, `/v1/approvals/${id}`)).status, 404)
    assert.deepEqual((await request(sibling.token, '/v1/approvals')).body.approvals, [])
    const { body } = await request(person.key, '/v1/approvals')
    assert.deepEqual(
      body.approvals.map((one: { id: string }) => one.id),
      [id],
    )
    const expensive = await pair(undefined, 100_000)
    const large = await asked(expensive.token, nextName(), { period_years: 10 })
    const found = await sessionOf(registrar, expensive.person)
    const refused = await request(found, `/v1/approvals/${large}/approve`, {})
    assert.deepEqual([refused.status, refused.body.code], [403, 'fresh_log_in_needed'])
    assert.equal((await read(expensive.token, large)).state, 'pending')
    assert.ok(key_id > 0)
  })

  it('ends all requests of a key by revoking it, approved or not', async () => {
    const { person, token, key_id, session, answer } = await pair()
    const id = await asked(token, nextName())
    const path = `/v1/customers/${person.id}/api-keys/${key_id}/revoke`
    assert.equal((await request(session, path, {})).status, 200)
    const one = await read(session, id)
    assert.deepEqual([one.state, one.error.code], ['voided', 'key_revoked'])
    assert.equal((await answer(id, 'approve')).body.code, 'approval_decided')
  })
})

/** So many more of the same asker, that have ended. */
const alsoAsked = (id: string, many: number) =>
  query(
    `insert into approvals (id, customer_id, api_key_id, counted_for, asked_by, agent_identifier,
       action, domain, reason, request_digest, digest, request, amount, currency, state,
       created_at, expires_at, ended_at)
     select id || '-' || i, customer_id, api_key_id, counted_for, asked_by, agent_identifier,
            action, domain, reason, encode(sha256((id || i)::bytea), 'hex'), digest, request,
            amount, currency, 'voided', created_at, expires_at, created_at
       from approvals, generate_series(1, $2::int) i where id = $1`,
    [id, many],
  )

describe('requests', () => {
  it('of one key may be twenty at once', async () => {
    const { token } = await pair(undefined, 30_000)
    for (let at = 0; at < 20; at += 1) await asked(token, nextName())
    const more = await buy(token, nextName())
    assert.deepEqual([more.status, more.body.code], [409, 'too_many_approvals'])
  })

  it('of keys under one key are a hundred a day at most, whatever their results', async () => {
    const { person, token, session } = await pair(undefined, 30_000)
    const child = async (of: string) => (await keyOf({ ...person, key: of }, {})).token
    const kept = nextName()
    const id = await asked(token, kept)
    await alsoAsked(id, 98)
    const descendant = await child(await child(token))
    await asked(descendant, nextName())
    for (const one of [token, descendant, await child(token)]) {
      const { status, body } = await buy(one, nextName())
      assert.deepEqual([status, body.code], [409, 'too_many_approvals'])
      assert.equal(Date.parse(body.until) % 86_400_000, 0)
      assert.ok(Date.parse(body.until) > Date.now())
    }
    assert.equal(await asked(token, kept), id)
    const other = await keyOf({ ...person, key: session }, { approval_above: { amount: '5.00' } })
    await asked(other.token, nextName())
    await query(
      `begin; set local session_replication_role = replica;
       update approvals set created_at = created_at - interval '1 day' where id = '${id}'; commit`,
    )
    await asked(descendant, nextName())
    assert.equal((await buy(token, nextName())).body.code, 'too_many_approvals')
  })

  it('outside the allowed lists wait where the owner asked for it, else they are refused', async () => {
    const ask = { outside_allowed: 'ask' }
    const lists = [{ allowed_tlds: ['net'] }, { allowed_domains: ['other-*.com'] }]
    for (const list of lists) {
      const strict = await pair(list)
      assert.equal((await buy(strict.token, nextName())).body.code, 'domain_not_allowed')
      const { token, answer } = await pair({ ...list, ...ask })
      const domain = nextName()
      const dry = await buy(token, domain, { dry_run: true })
      assert.deepEqual([dry.body.code, dry.body.approval], ['approval_required', null])
      const id = await asked(token, domain)
      assert.equal((await read(token, id)).reason, 'outside_allowed')
      await answer(id, 'approve')
      assert.equal((await ended(token, id)).state, 'executed')
    }
  })
})
