// Every limit of the contract, at each of its edges.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { scopes } from '../../../src/app.ts'
import { startService } from '../../support/service.ts'
import { assertEdges, bad, type Edge, good, times } from '../support/edges.ts'
import { fresh } from '../support/fixture.ts'
import { assertInvalid } from '../support/problem.ts'

const registrar = await startService()
const customer = await registrar.customer({ scopes: [...scopes], funds_cents: 100_000_000 })
const token = customer.key
const home = `/v1/customers/${customer.id}`
const body = (at: string, sent: unknown) => {
  const [method = '', path = ''] = at.split(' ')
  return registrar.request(method, path, { token, body: sent })
}
const get = (path: string) => registrar.request('GET', path, { token })

const edges = (at: string, base: object, all: readonly Edge[]) =>
  assertEdges((sent) => body(at, sent), base, all)

test('an availability request has 1 to 200 names', async () => {
  const field = 'body.domains'
  await edges('POST /v1/domains/check', {}, [
    bad('domains', [], `${field} too_short`),
    good('domains', ['one.com']),
    good(
      'domains',
      times(200, (i) => `limit-${i}.com`),
    ),
    bad(
      'domains',
      times(201, (i) => `limit-${i}.com`),
      `${field} too_long`,
    ),
    bad('domains', 'one.com', `${field} list_type`),
    bad('domains', [1, null], `${field}.0 string_type`, `${field}.1 string_type`),
    // Invalid names are reported one by one (availability.test.ts).
    good('domains', ['']),
    bad('domains', undefined, `${field} missing`),
  ])
  await edges('POST /v1/domains/check', { domains: ['one.com'] }, [
    good('currency', 'EUR'),
    bad('currency', 'GBP', 'body.currency literal_error'),
    bad('currency', 'usd', 'body.currency literal_error'),
    bad('depth', 'deep', 'body.depth literal_error'),
    bad('limit', 1, 'body.limit extra_forbidden'),
  ])
})

test('default name servers are 2 to 13, each a host name, each once', async () => {
  const field = 'default_nameservers'
  const at = `body.${field}`
  const hosts = (count: number) => times(count, (i) => `ns${i}.example.net`)
  await edges('PATCH /v1/account/default-nameservers', {}, [
    bad(field, hosts(1), `${at} too_short`),
    good(field, hosts(2)),
    good(field, hosts(13)),
    bad(field, hosts(14), `${at} too_long`),
    bad(field, ['ns1.example.net', 'NS1.EXAMPLE.NET.'], `${at}.1 value_error`),
    bad(field, ['192.0.2.1', 'localhost'], `${at}.0 value_error`, `${at}.1 value_error`),
    bad(field, ['ns1.example.net', 7], `${at}.1 string_type`),
    bad(field, null, `${at} list_type`),
  ])
})

test('an account name has 1 to 200 characters, a company up to 200', async () => {
  await edges('PATCH /v1/account', {}, [
    bad('name', '', 'body.name string_too_short'),
    good('name', 'A'),
    good('name', 'n'.repeat(200)),
    bad('name', 'n'.repeat(201), 'body.name string_too_long'),
    good('company_name', 'c'.repeat(200)),
    bad('company_name', 'c'.repeat(201), 'body.company_name string_too_long'),
    bad('balance', '1000.00', 'body.balance extra_forbidden'),
    bad('status', 'active', 'body.status extra_forbidden'),
    bad('id', customer.id, 'body.id extra_forbidden'),
  ])
  assertInvalid(await body('PATCH /v1/account', {}), ['body too_short'])
})

test('a key name has at most 100 characters, and scopes are known ones', async () => {
  const at = `POST ${home}/api-keys`
  await edges(at, {}, [
    good('name', 'k'.repeat(100)),
    bad('name', 'k'.repeat(101), 'body.name string_too_long'),
    good('name', '\u{1f511}'.repeat(100)),
    good('name', null),
    good('scopes', []),
    bad('scopes', ['domains:own'], 'body.scopes.0 literal_error'),
    bad('scopes', 'domains:read', 'body.scopes list_type'),
    bad('customer_id', customer.id, 'body.customer_id extra_forbidden'),
    bad('revoked_at', null, 'body.revoked_at extra_forbidden'),
  ])
  const rotate = `POST ${home}/api-keys/${customer.key_id}/rotate`
  await edges(rotate, {}, [
    bad('name', 'k'.repeat(101), 'body.name string_too_long'),
    bad('scopes', [1], 'body.scopes.0 string_type', 'body.scopes.0 literal_error'),
  ])
})

test('a registration is for 1 to 10 whole years of one name, and money is exact', async () => {
  const at = 'POST /v1/domains'
  const base = { domain: `${fresh()}.com`, dry_run: true }
  const period = 'body.period_years'
  await edges(at, base, [
    bad('period_years', 0, `${period} greater_than_equal`),
    good('period_years', 1),
    good('period_years', 10),
    bad('period_years', 11, `${period} less_than_equal`),
    bad('period_years', -1, `${period} greater_than_equal`),
    bad('period_years', 1.5, `${period} int_type`),
    bad('period_years', '1', `${period} int_type`),
    good('period_years', null),
    bad('period_years', true, `${period} int_type`),
    bad('domain', ['a.com', 'b.com'], 'body.domain string_type'),
    bad('domains', ['a.com'], 'body.domains extra_forbidden'),
    bad('allow_premium', 'yes', 'body.allow_premium bool_type'),
    bad('currency', 'BTC', 'body.currency literal_error'),
    bad('nameservers', ['ns1.example.net'], 'body.nameservers too_short'),
    good(
      'nameservers',
      times(13, (i) => `ns${i}.example.net`),
    ),
    bad(
      'nameservers',
      times(14, (i) => `ns${i}.example.net`),
      'body.nameservers too_long',
    ),
    bad('contact', true, 'body.contact int_type', 'body.contact string_type'),
    bad('contact', 2 ** 52, 'body.contact value_error'),
    bad('contacts', { registrant: 1, owner: 2 }, 'body.contacts.owner extra_forbidden'),
    bad('price', '1.00', 'body.price extra_forbidden'),
    bad('max_price', 20, 'body.max_price string_type'),
  ])
  const amounts = [
    '1e3',
    '20.001',
    'NaN',
    '٢٠.00',
    '-1',
    '+20',
    ' 20',
    '1,000',
    '0x10',
    '',
    '.5',
    '20.',
  ]
  const wrong = 'body.max_price decimal_parsing'
  await edges(at, base, [
    ...amounts.map((text) => bad('max_price', text, wrong)),
    good('max_price', '999.99'),
    good('max_price', '999'),
    good('max_price', '9999999999999.9'),
  ])
})

test('an invalid name and a name that is not sold have different errors', async () => {
  const names = ['no name', 'a..com', '-a.com', 'a-.com', 'com', 'a.b.com', '192.0.2.1', 'x_y.com']
  const long = [
    `${'a'.repeat(64)}.com`,
    'xn--a.com',
    'xn--zzzzzzzz99.com',
    'ab--cd.com',
    '\u200d.com',
  ]
  await edges('POST /v1/domains', { dry_run: true }, [
    ...[...names, ...long].map((name) => bad('domain', name, 'body.domain domain_name')),
    bad('domain', '', 'body.domain string_too_short'),
    good('domain', `${'a'.repeat(63)}.com`),
  ])
})

describe('queries', () => {
  const odd = ['', '1.0', '1e2', '+5', ' 5', '0x10', '１', '00', 'ten', '9007199254740993', 'null']
  for (const path of [
    `${home}/billing/transactions`,
    `${home}/audit-logs`,
    '/v1/domain-audit-logs',
    '/v1/domains',
  ])
    it(`${path.replace(customer.id, '{customer_id}')} has a limit of 1 to 500`, async () => {
      const one = async (limit: string, wrong?: string) => {
        const answer = await get(`${path}?limit=${encodeURIComponent(limit)}`)
        if (wrong) assertInvalid(answer, [`query.limit ${wrong}`])
        else assert.equal(answer.status, 200, `${limit}: ${answer.text}`)
      }
      await Promise.all([
        one('0', 'greater_than_equal'),
        one('1'),
        one('500'),
        one('501', 'less_than_equal'),
        one('-1', 'greater_than_equal'),
        ...odd.map((text) => one(text, 'int_parsing')),
      ])
      assertInvalid(await get(`${path}?limit=1&limit=999999`), ['query.limit string_type'])
      assertInvalid(await get(`${path}?limit[]=1`), ['query.limit[] extra_forbidden'])
      assertInvalid(await get(`${path}?page=2`), ['query.page extra_forbidden'])
      assert.equal((await get(`${path}?cursor=%00`)).status, 422)
    })

  it('ids in a path are whole numbers within what is exact', async () => {
    for (const id of ['0x1', '1.0', 'abc', '９', '1e3', '%00'])
      assertInvalid(await get(`${home}/contacts/${id}`), [
        `path.contact_id ${id === '%00' ? 'string_unicode' : 'int_parsing'}`,
      ])
    // No contact has an id that a number would not hold exactly.
    assert.equal((await get(`${home}/contacts/9007199254740993`)).status, 404)
    for (const id of ['-1', '0', '9007199254740991'])
      assert.ok([404, 422].includes((await get(`${home}/contacts/${id}`)).status), id)
    assertInvalid(await get('/v1/operations/1'), ['path.id string_pattern_mismatch'])
    assert.equal((await get(`/v1/operations/ord_${'0'.repeat(26)}`)).status, 404)
  })

  it('timestamps, currencies, countries and depths are validated', async () => {
    const wrong: [string, string][] = [
      ['/v1/domain-audit-logs?from_timestamp=yesterday', 'query.from_timestamp format'],
      ['/v1/domain-audit-logs?to_timestamp=2026-02-30T00:00:00Z', 'query.to_timestamp format'],
      [`${home}/billing/balance?currency=BTC`, 'query.currency literal_error'],
      ['/v1/pricing/tlds?currency=', 'query.currency literal_error'],
      ['/v1/domains/check/a.com?depth=deep', 'query.depth literal_error'],
      ['/v1/contact-states', 'query.country missing'],
      ['/v1/contact-states?country=U', 'query.country string_too_short'],
      ['/v1/contact-states?country=Atlantis', 'query.country value_error'],
    ]
    for (const [path, place] of wrong) assertInvalid(await get(path), [place])
  })
})

test('a top-up is one cent or more, in whole cents, in a known currency', async () => {
  const at = '/v1/internal/billing/processor/top-ups'
  const base = { customer_id: customer.id, amount_cents: 1, currency: 'USD' }
  const one = (change: object) => {
    const processor_checkout_session_id = fresh('cs')
    return registrar.request('POST', at, {
      token: registrar.operatorKey,
      body: { ...base, processor_checkout_session_id, ...change },
    })
  }
  assert.equal((await one({})).status, 200)
  assert.equal((await one({ processor_checkout_session_id: fresh().padEnd(255, 's') })).status, 200)
  const session = 'body.processor_checkout_session_id'
  assertInvalid(await one({ amount_cents: 0 }), ['body.amount_cents greater_than_equal'])
  assertInvalid(await one({ amount_cents: 1.5 }), ['body.amount_cents int_type'])
  assertInvalid(await one({ amount_cents: '100' }), ['body.amount_cents int_type'])
  assertInvalid(await one({ currency: 'GBP' }), ['body.currency literal_error'])
  const tooLong = 's'.repeat(256)
  assertInvalid(await one({ processor_checkout_session_id: tooLong }), [
    `${session} string_too_long`,
  ])
})
