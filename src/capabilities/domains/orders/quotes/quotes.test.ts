// Quotes and receipts: honored for their time and purchase alone, and verified with a JOSE library
// by the published keys.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { rowsIn } from '../../../../../test/support/owner-sql.ts'
import { sharedService } from '../../../../../test/support/service.ts'
import { recentSessionOf } from '../../../../../test/support/sign-in.ts'
import { rotateDocumentKeysCommand } from '../../../document-signatures/index.ts'

const registrar = await sharedService()
const { app } = registrar.service
const query = rowsIn(registrar)
const scopes = [
  ...['account:read', 'billing:read', 'domains:read', 'domains:purchase', 'keys:write'],
]
const buyer = await registrar.customer({ scopes })

const post = (path: string, body: object, token = buyer.key) =>
  registrar.request('POST', path, { token, body })
const read = (path: string, token = buyer.key) => registrar.request('GET', path, { token })
const quoted = async (body: object) => {
  const made = await post('/v1/quotes', body)
  assert.equal(made.status, 201, made.text)
  return made.body
}
const register = (domain: string) => quoted({ action: 'register', domain })
const buy = (domain: string, quote_id: string, more = {}) =>
  post('/v1/domains', { domain, quote_id, ...more })

/** Moves the prices of .com by this factor until the test ends. */
async function withPrices<T>(factor: number, work: () => Promise<T>): Promise<T> {
  const set = async (by: string) => {
    await query(`update tld_prices set price = round(price * ${by}) where tld = 'com'`)
    app.priceBook.drop()
  }
  const before = await query(
    `select action, currency, price::text from tld_prices where tld = 'com'`,
  )
  await set(String(factor))
  try {
    return await work()
  } finally {
    for (const { action, currency, price } of before)
      await query(
        `update tld_prices set price = $1 where tld = 'com' and action = $2 and currency = $3`,
        [price, action, currency],
      )
    app.priceBook.drop()
  }
}

const age = `update quotes set created_at = created_at - interval '5 minutes',
                    expires_at = expires_at - interval '5 minutes'`
/** As the service may not: in a session without triggers. */
const expire = (id: string) =>
  query(`begin; set local session_replication_role = replica; ${age} where id = '${id}'; commit`)

const balance = async () => (await read(`/v1/customers/${buyer.id}/billing/balance`)).body
const keySet = () => createRemoteJWKSet(new URL('/v1/document-keys', registrar.url))
const verify = (jws: string, typ: string) =>
  jwtVerify(jws, keySet(), { typ, issuer: app.settings.base_url, subject: buyer.id })

describe('a quote', () => {
  it('is charged where the price has risen a little', async () => {
    const { quote_id, price } = await register('risen.com')
    const bought = await withPrices(1.04, () => buy('risen.com', quote_id))
    assert.equal(bought.status, 200, bought.text)
    assert.deepEqual(bought.body.price, price)
    const { body } = await read(`/v1/operations/${bought.body.operation.id}`)
    assert.equal(body.amount, price.amount)
  })

  it('is not honoured where the loss is above the bound, and nothing is held', async () => {
    const { quote_id, price } = await register('jumped.com')
    const before = await balance()
    const refused = await withPrices(1.06, () => buy('jumped.com', quote_id))
    assert.equal(refused.status, 409, refused.text)
    assert.equal(refused.body.code, 'price_changed')
    assert.ok(Number(refused.body.price.amount) > Number(price.amount) * 1.05)
    assert.equal((await balance()).available, before.available)
    assert.match(before.available, /^\d+\.\d\d$/)
    assert.equal((await buy('jumped.com', quote_id)).status, 200)
  })

  it('never charges more than the present price', async () => {
    const { quote_id, price } = await register('fallen.com')
    const bought = await withPrices(0.5, () => buy('fallen.com', quote_id))
    assert.equal(bought.status, 200, bought.text)
    assert.ok(Number(bought.body.price.amount) < Number(price.amount) * 0.51)
  })

  it('is shown by a dry run, which does not use it', async () => {
    const { quote_id, price } = await register('tried.com')
    const tried = await withPrices(1.04, () => buy('tried.com', quote_id, { dry_run: true }))
    assert.deepEqual(tried.body.price, price, tried.text)
    assert.equal((await buy('tried.com', quote_id, { max_price: price.amount })).status, 200)
  })
})

describe('the quotes of an account', () => {
  it('are 200 at most, also where they are asked for at once', async () => {
    const { id: customer, key } = await registrar.customer({ scopes, funds_cents: 0 })
    await query(
      `insert into quotes (id, customer_id, type, domain, period_years, currency, amount, price,
                           created_at, expires_at)
       select 'quo_cap_' || $1 || i, $1, 'register', 'cap.com', 1, 'USD', 1000, '{}', now(),
              now() + interval '5 minutes' from generate_series(1, 198) i`,
      [customer],
    )
    const body = { action: 'register', domain: 'cap.com' }
    const made = await Promise.all(Array.from({ length: 8 }, () => post('/v1/quotes', body, key)))
    const statuses = made.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, 201, 409, 409, 409, 409, 409, 409])
    assert.equal(made.find(({ status }) => status === 409)?.body.code, 'too_many_quotes')
  })
})

describe('a quote in a purchase', () => {
  it('is for one order, and repeating that order by its key answers it', async () => {
    await buy('kept.com', (await register('kept.com')).quote_id)
    const { quote_id } = await quoted({ action: 'renew', domain: 'kept.com' })
    const renew = (key: string) =>
      registrar.request('POST', '/v1/domains/kept.com/renew', {
        token: buyer.key,
        body: { quote_id },
        headers: { 'idempotency-key': key },
      })
    const first = await renew('once')
    assert.equal(first.status, 200, first.text)
    assert.equal((await renew('once')).body.operation.id, first.body.operation.id)
    const second = await renew('twice')
    assert.equal(second.body.code, 'quote_used', second.text)
    assert.equal(second.body.operation_id, first.body.operation.id)
    await assert.rejects(
      query(
        `insert into orders select (o).* from (
         select jsonb_populate_record(o, '{"id":"ord_copy","domain":"copy.com"}') as o
           from orders o where quote_id = $1) c`,
        [quote_id],
      ),
      /orders_quote_once/,
    )
  })

  const others: Record<string, { path?: string; body: object }> = {
    domain: { body: { domain: 'other-name.com' } },
    'number of years': { body: { domain: 'fits.com', period_years: 2 } },
    currency: { body: { domain: 'fits.com', currency: 'EUR' } },
    action: { path: '/v1/domains/transfer', body: { domain: 'fits.com', auth_code: 'x!Y7x!Y7' } },
  }
  for (const [what, { path = '/v1/domains', body }] of Object.entries(others))
    it(`is refused for another ${what}`, async () => {
      const { quote_id } = await register('fits.com')
      const refused = await post(path, { ...body, quote_id })
      assert.equal(refused.body.code, 'quote_mismatch', refused.text)
      assert.equal(refused.body.quote.domain, 'fits.com')
    })
})

describe('the end of a quote', () => {
  it('comes after five minutes; another customer does not have it', async () => {
    const { quote_id, created_at, expires_at } = await register('late.com')
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 300_000)
    const other = await registrar.customer()
    const theirs = await post('/v1/domains', { domain: 'late.com', quote_id }, other.key)
    assert.equal(theirs.body.code, 'quote_not_found', theirs.text)
    await assert.rejects(query(`${age} where id = $1`, [quote_id]), /cannot be changed/)
    await expire(quote_id)
    assert.equal((await buy('late.com', quote_id)).body.code, 'quote_expired')
  })

  it('before the owner approves the purchase leaves the approved price', async () => {
    const made = await post(`/v1/customers/${buyer.id}/api-keys`, {
      scopes,
      approval_above: { amount: '5.00' },
    })
    const agent = String(made.body.api_key)
    const { quote_id, price } = await quoted({ action: 'register', domain: 'approved-late.com' })
    const asked = await post('/v1/domains', { domain: 'approved-late.com', quote_id }, agent)
    assert.equal(asked.body.code, 'approval_required', asked.text)
    const { id } = asked.body.approval
    await expire(quote_id)
    const session = await recentSessionOf(registrar, buyer)
    const answer = await post(`/v1/approvals/${id}/approve`, {}, session)
    assert.equal(answer.status, 200, answer.text)
    const done = await read(`/v1/approvals/${id}/wait?wait=20`, agent)
    assert.equal(done.body.state, 'executed', done.text)
    const path = `/v1/operations/${done.body.operation.id}`
    assert.equal((await read(`${path}/wait?wait=20`)).body.state, 'succeeded')
    const { body } = await read(`${path}/receipt`)
    assert.deepEqual([body.amount, body.quote_id], [price.amount, null])
  })
})

describe('no quote is made', () => {
  it('of a domain that is not held, is hidden from the key, or is taken', async () => {
    const unknown = await post('/v1/quotes', { action: 'renew', domain: 'not-held.com' })
    assert.equal(unknown.body.code, 'domain_not_found', unknown.text)
    const made = await registrar.request('POST', `/v1/customers/${buyer.id}/api-keys`, {
      token: buyer.key,
      body: { name: 'one', scopes: ['domains:read'], allowed_domains: ['only-*.com'] },
    })
    assert.equal(made.status, 201, made.text)
    const of = { action: 'renew', domain: 'kept.com' }
    const hidden = await post('/v1/quotes', of, made.body.api_key)
    assert.equal(hidden.body.code, 'domain_not_found', hidden.text)
    const taken = await post('/v1/quotes', { action: 'register', domain: 'kept.com' })
    assert.equal(taken.body.code, 'domain_taken', taken.text)
  })
})

describe('a signature', () => {
  it('of a quote is ES256 over its facts, and of its type alone', async () => {
    const { jws, ...quote } = await register('signed.com')
    const { payload, protectedHeader } = await verify(jws, 'quote+jwt')
    assert.equal(protectedHeader.alg, 'ES256')
    assert.equal(payload.jti, quote.quote_id)
    assert.equal(payload.exp, Math.floor(Date.parse(quote.expires_at) / 1000))
    assert.deepEqual(payload.price, quote.price)
    assert.equal(payload.domain, 'signed.com')
    await assert.rejects(verify(jws, 'receipt+jwt'), /typ/)
    await assert.rejects(verify(jws, 'JWT'), /typ/)
    const { body } = await read('/oauth/jwks')
    const kids = body.keys.map(({ kid }: { kid: string }) => kid)
    assert.ok(!kids.includes(decodeProtectedHeader(jws).kid), 'keys of ID tokens are others')
  })

  it('of a receipt names the money and the audit log', async () => {
    const { quote_id } = await register('receipt.com')
    const bought = await buy('receipt.com', quote_id)
    const { status, body, text } = await read(`/v1/operations/${bought.body.operation.id}/receipt`)
    assert.equal(status, 200, text)
    const { payload } = await verify(body.jws, 'receipt+jwt')
    const { jws: _jws, ...facts } = body
    for (const [name, value] of Object.entries(facts)) assert.deepEqual(payload[name], value, name)
    assert.equal(facts.quote_id, quote_id)
    assert.equal(facts.amount, bought.body.price.amount)
    const listed = (await read(`/v1/customers/${buyer.id}/billing/transactions?limit=5`)).body
    const ids = listed.transactions.map(({ id }: { id: string }) => String(id))
    for (const id of [facts.transfers.hold, facts.transfers.capture])
      assert.ok(ids.includes(id), `${id} of ${ids}`)
    const waiting = await registrar.request(
      'GET',
      '/v1/operations/ord_00000000000000000000000000/receipt',
      { token: buyer.key },
    )
    assert.equal(waiting.body.code, 'operation_not_found')
    const [placed] = await query(
      `select encode(row_hash, 'hex') as hash, result from audit_logs where id = $1`,
      [facts.audit.placed.id],
    )
    assert.deepEqual(placed, { hash: facts.audit.placed.row_hash, result: 'pending' })
    assert.ok(BigInt(facts.audit.settled.id) > BigInt(facts.audit.placed.id))
  })

  it('is valid after a rotation, and not after a theft', async () => {
    const parts = { db: app.db, encryption: app.encryption }
    const { jws } = await register('rotated.com')
    await rotateDocumentKeysCommand(parts, { stolen: false })
    await verify(jws, 'quote+jwt')
    const later = await register('rotated-later.com')
    assert.notEqual(decodeProtectedHeader(later.jws).kid, decodeProtectedHeader(jws).kid)
    await rotateDocumentKeysCommand(parts, { stolen: true })
    await assert.rejects(verify(jws, 'quote+jwt'), /no applicable key/)
    await assert.rejects(verify(later.jws, 'quote+jwt'), /no applicable key/)
    await verify((await register('after-theft.com')).jws, 'quote+jwt')
    const sealed = await query('select sealed from document_keys where sealed is not null')
    assert.equal(sealed.length, 1)
  })
})
