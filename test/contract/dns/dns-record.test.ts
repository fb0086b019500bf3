// The address records of a domain: accepted and refused requests of POST dns-record, which change
// nothing when refused, and the answers of GET dns-records.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import pg from 'pg'
import { repairAllZones } from '../../../src/capabilities/domains/dns/zones.ts'
import { openZones } from '../../../src/capabilities/domains/index.ts'
import { startBuyerService } from '../support/buyer-service.ts'
import { assertEdges, bad, good } from '../support/edges.ts'
import { fresh, must } from '../support/fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem.ts'

const { service, request, buyer, buy, customer } = await startBuyerService()
const at = 'POST /v1/domains/{domain}/dns-record'
const token = buyer.key
const ours = ['ns1.agent-registrar.net', 'ns2.agent-registrar.net']
const set = (domain: string, body: object, key = token) =>
  request('POST', `/v1/domains/${encodeURIComponent(domain)}/dns-record`, { token: key, body })
const list = (domain: string, key = token) =>
  request('GET', `/v1/domains/${encodeURIComponent(domain)}/dns-records`, { token: key })
const listed = async (domain: string) => {
  const { body } = await must(list(domain))
  const rows = body.records.map((one: { host: string; value: string }) => [one.host, one.value])
  return { hosted: body.hosted, rows }
}
const value = { record_value: '192.0.2.1' }

async function sql(text: string, params: unknown[] = []) {
  const client = new pg.Client({ connectionString: service.settings.database_url ?? '' })
  await client.connect()
  const { rows } = await client.query(text, params)
  await client.end()
  return rows
}

const domain = `${fresh()}.com`
await must(buy({ domain }))

test('accepts one IPv4 address of four decimal numbers, and no ambiguous notation', async () => {
  const wrong = 'body.record_value ip_address'
  const corpus = [
    ...['010.0.0.1', '1.2.3.04', '127.1', '1', '2130706433', '0x7f.0.0.1', '0x7f000001'],
    ...['::1', '::ffff:192.0.2.1', '192.0.2.1 ', ' 192.0.2.1', '192.0.2.1\n', '192.0.2.256'],
    ...['192.0.2', '192.0.2.1.', '192.0.2.1.5', '192.0.2.-1', '192.0.2.1/32', '１.２.３.４'],
    ...['example.com', '192.0.2.1,192.0.2.2', '192。0。2。1'],
  ]
  await assertEdges((body) => set(domain, body), { host: 'edges' }, [
    ...['0.0.0.0', '255.255.255.255', '10.0.0.1', '192.0.2.1'].map((one) =>
      good('record_value', one),
    ),
    ...corpus.map((one) => bad('record_value', one, wrong)),
    bad('record_value', '', 'body.record_value string_too_short'),
    bad('record_value', 3232235777, 'body.record_value string_type'),
    bad('record_value', null, 'body.record_value string_type'),
    bad('record_value', undefined, 'body.record_value missing'),
  ])
})

test('takes a host relative to the domain', async () => {
  const wrong = 'body.host dns_host'
  const longest = 253 - domain.length - 1
  const label = 'a'.repeat(60)
  const long = `${label}.${label}.${label}.${'a'.repeat(63)}`.slice(0, longest)
  await assertEdges((body) => set(domain, body), value, [
    ...['@', 'www', 'WWW', 'a.b.c', '*', '*.w', 'bücher', long].map((one) => good('host', one)),
    good('host', undefined),
    ...['www.', `${domain}.`, domain, `www.${domain}`, 'other.org.', 'a..b', '.a'].map((one) =>
      bad('host', one, wrong),
    ),
    ...['a.*', '**', 'a_b', '-a', 'a b', `${long}a`, '../x', 'a/b', '@.a', 'xn--a'].map((one) =>
      bad('host', one, wrong),
    ),
    bad('host', '', 'body.host string_too_short'),
    bad('host', 'a'.repeat(254), 'body.host string_too_long'),
    bad('host', 7, 'body.host string_type'),
  ])
})

test('reports both at once, and has no other field', async () => {
  assertInvalid(await set(domain, { host: 'a..b', record_value: 'x' }), [
    'body.host dns_host',
    'body.record_value ip_address',
  ])
  assertInvalid(await set(domain, { ...value, ttl: 60 }), ['body.ttl extra_forbidden'])
  assertInvalid(await set('no domain', value), ['path.domain domain_name'])
})

test('is 404 for a domain that the caller does not, not yet, or no longer hold', async () => {
  const other = await customer()
  assertProblem(await set(domain, value, other.key), '404 domain_not_found', at)
  assertProblem(await set(`${fresh()}.com`, value), '404 domain_not_found', at)
  const ended = `${fresh()}.com`
  await must(buy({ domain: ended }))
  await sql(`update domains set ended_at = now(), end_reason = 'dropped' where name = $1`, [ended])
  assertProblem(await set(ended, value), '404 domain_not_found', at)
})

test('is 409 for a domain elsewhere, naming the PATCH that brings it here', async () => {
  const elsewhere = `${fresh()}.com`
  for (const nameservers of [
    ['ns1.example.net', 'ns2.example.net'],
    ['ns1.agent-registrar.net', 'ns2.example.net'],
  ]) {
    const name = `${fresh()}.com`
    await must(buy({ domain: name, nameservers }))
    assertProblem(await set(name, value), '409 dns_not_hosted', at)
  }
  await must(buy({ domain: elsewhere, nameservers: ['ns1.example.net', 'ns2.example.net'] }))
  const { body } = await set(elsewhere, value)
  assert.equal(body.next_action.type, 'fix_request')
  assert.ok(
    body.next_action.hint.includes(
      `PATCH /v1/domains/${elsewhere} with ${JSON.stringify({ nameservers: ours })}`,
    ),
  )
  assert.equal(body.next_action.url, `${service.settings.base_url}/v1/domains/${elsewhere}`)
  assert.deepEqual(body.nameservers, ours)
  const kept = 'select 1 from zone_records r join domains d on d.id = r.domain_id where d.name = $1'
  assert.deepEqual(await sql(kept, [elsewhere]), [])
})

test('makes the zone of a domain on our name servers that has none, though it ought to', async () => {
  const name = `${fresh()}.com`
  await must(buy({ domain: name }))
  await sql('delete from zones where name = $1', [name])
  assert.equal((await must(set(name, value))).body.dns.served, '192.0.2.1')
})

test('holds 4,000 records; what is there may still be changed', async () => {
  const name = `${fresh()}.com`
  await must(buy({ domain: name }))
  await sql(
    `insert into zone_records (domain_id, path, host, value, ttl)
     select id, 'com.' || split_part(name, '.', 1) || '.h' || i, 'h' || i, '192.0.2.1', 300
       from domains, generate_series(1, 4000) i where name = $1`,
    [name],
  )
  assertProblem(await set(name, value), '409 dns_zone_full', at)
  const changed = await must(set(name, { host: 'h7', record_value: '192.0.2.7' }))
  assert.equal(changed.body.dns.served, '192.0.2.7')
})

test('returns 503 while the provider is away, and the record is kept', async () => {
  const { dns } = service.app
  const { provider } = dns
  const message = 'it is down'
  const down = async () => ({ kind: 'failed', reason: 'unreachable', message }) as const
  dns.provider = { id: 'down', put: down, drop: down }
  await openZones(service.app)
  const answer = await set(domain, { host: 'kept', record_value: '192.0.2.3' })
  dns.provider = provider
  await openZones(service.app)
  assertProblem(answer, '503 dns_unreachable', at)
  assert.ok(!answer.text.includes(message))
  assert.equal(answer.body.retryable, true)
  const again = await must(set(domain, { host: 'kept', record_value: '192.0.2.3' }))
  assert.deepEqual(
    [again.body.dns.serial, again.body.dns.served],
    [answer.body.serial, '192.0.2.3'],
  )
})

test('is audited once for each call that set something', async () => {
  const name = `${fresh()}.com`
  await must(buy({ domain: name }))
  await must(set(name, { ...value, host: 'www' }))
  const path = `/v1/domain-audit-logs?domain=${name}`
  const { body } = await must(request('GET', path, { token: (await everyScope()).api_key }))
  const rows = body.audit_logs.filter(
    ({ action }: { action: string }) => action === 'configure_dns_record',
  )
  assert.equal(rows.length, 1)
  const { host, value: set_to, type, sets_total } = rows[0].metadata
  assert.deepEqual([host, set_to, type, sets_total], ['www', '192.0.2.1', 'A', 1])
})

async function everyScope() {
  const path = `/v1/customers/${buyer.id}/api-keys`
  const body = { scopes: ['audit:read'] }
  const operator = `op_${'t'.repeat(40)}`
  return (await must(request('POST', path, { token: operator, body }), 201)).body
}

test('says null where the name server answers nothing in time', async () => {
  const { dns } = service.app
  const { ask } = dns
  dns.ask = async () => null
  const { body } = await must(set(domain, { ...value, host: 'silent' }))
  dns.ask = ask
  assert.equal(body.dns.served, null)
})

describe('the list of records', () => {
  const reads = 'GET /v1/domains/{domain}/dns-records'

  it('has each record set, with the domain itself first', async () => {
    const name = `${fresh()}.com`
    await must(buy({ domain: name }))
    assert.deepEqual((await must(list(name))).body, { domain: name, hosted: true, records: [] })
    const began = Date.now()
    for (const [host, record_value] of [
      ['www', '192.0.2.1'],
      ['*', '192.0.2.2'],
      ['@', '192.0.2.3'],
      ['bücher', '192.0.2.4'],
      ['www', '192.0.2.5'],
    ])
      await must(set(name, { host, record_value }))
    const { body } = await must(list(name))
    assert.deepEqual(
      body.records.map(({ updated_at: _, ...one }: { updated_at: string }) => one),
      [
        { type: 'A', host: '@', value: '192.0.2.3', ttl: 300 },
        { type: 'A', host: '*', value: '192.0.2.2', ttl: 300 },
        { type: 'A', host: 'www', value: '192.0.2.5', ttl: 300 },
        { type: 'A', host: 'xn--bcher-kva', value: '192.0.2.4', ttl: 300 },
      ],
    )
    for (const { updated_at } of body.records)
      assert.ok(Math.abs(Date.parse(updated_at) - began) < 60_000, updated_at)
  })

  it('keeps the records of a domain on other name servers, and serves them on return', async () => {
    const name = `${fresh()}.com`
    await must(buy({ domain: name }))
    await must(set(name, value))
    const move = (nameservers: string[]) =>
      must(request('PATCH', `/v1/domains/${name}`, { token, body: { nameservers } }))
    for (const away of [
      ['ns1.example.net', 'ns2.example.net'],
      ['ns1.agent-registrar.net', 'ns2.example.net'],
    ]) {
      await move(away)
      assert.deepEqual(await listed(name), { hosted: false, rows: [['@', '192.0.2.1']] })
      assert.equal(await service.app.dns.ask(name), '192.0.2.1', 'for resolvers that know us')
    }
    await sql('update zones set leaves_at = now() where name = $1', [name])
    await repairAllZones(service.app)
    assert.equal(await service.app.dns.ask(name), null)
    await move(ours)
    assert.deepEqual(await listed(name), { hosted: true, rows: [['@', '192.0.2.1']] })
    assert.equal(await service.app.dns.ask(name), '192.0.2.1')
  })

  it('shows a domain as hosted whose zone is yet to be made', async () => {
    const name = `${fresh()}.com`
    await must(buy({ domain: name }))
    await sql('delete from zones where name = $1', [name])
    assert.deepEqual(await listed(name), { hosted: true, rows: [] })
    assert.equal((await must(set(name, value))).body.dns.served, '192.0.2.1')
  })

  it('is 404 for a domain that the caller does not, or no longer hold', async () => {
    const name = `${fresh()}.com`
    await must(buy({ domain: name }))
    await must(set(name, value))
    const other = await customer()
    assertProblem(await list(name, other.key), '404 domain_not_found', reads)
    assertProblem(await list(`${fresh()}.com`), '404 domain_not_found', reads)
    await sql(`update domains set ended_at = now(), end_reason = 'dropped' where name = $1`, [name])
    assertProblem(await list(name), '404 domain_not_found', reads)
  })

  it('needs domains:read, and no more', async () => {
    const keyOf = async (scope: string) => {
      const body = { scopes: [scope] }
      const path = `/v1/customers/${buyer.id}/api-keys`
      const made = await must(request('POST', path, { token: `op_${'t'.repeat(40)}`, body }), 201)
      return made.body.api_key
    }
    assert.equal((await list(domain, await keyOf('domains:read'))).status, 200)
    assertProblem(await list(domain, await keyOf('domains:write')), '403 insufficient_scope', reads)
  })
})
