// Records of a transfer in: checked at once, kept with the order, in the zone when the domain is
// here and before its name servers change, and gone with an order that ends otherwise.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerTransfer,
  sellElsewhere,
  soldCode,
} from '../../../../../test/support/other-registrar.ts'
import { startService, type TestCustomer } from '../../../../../test/support/service.ts'
import { purgeOldDnsChanges } from '../../dns/purge-changes.job.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { settleOrders } from '../../orders/settle-orders.job.ts'
import { setOrderedNameservers } from '../../updates/set-ordered-nameservers.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const { openprovider } = registrar.sandbox
const ours = ['ns1.agent-registrar.net', 'ns2.agent-registrar.net']
const records = [
  { host: '@', type: 'MX', ttl: 600, values: ['10 mail.example.net.'] },
  { host: 'www', type: 'A', values: ['192.0.2.1', '192.0.2.2'] },
]

async function move(buyer: Pick<TestCustomer, 'key'>, body: object, headers = {}) {
  const sent = { auth_code: soldCode, nameservers: ours, ...body }
  const options = { token: buyer.key, body: sent, headers }
  return registrar.request('POST', '/v1/domains/transfer', options)
}
async function moving(buyer: TestCustomer, domain: string, body: object = { records }) {
  await sellElsewhere(registrar, domain)
  const answer = await move(buyer, { domain, ...body })
  assert.equal(answer.body.status, 'transfer_pending', answer.text)
  return answer.body
}
const settle = async (domain: string) => {
  await registrar.query('update orders set run_at = now() where domain = $1', [domain])
  await registrar.run(settleOrders)
}
const answered = async (domain: string, answer: 'approve' | 'reject') => {
  await answerTransfer(registrar, domain, answer)
  await settle(domain)
}
async function get(buyer: TestCustomer, domain: string, what: string) {
  return registrar.request('GET', `/v1/domains/${domain}/${what}`, { token: buyer.key })
}
type Set = { host: string; type: string; ttl: number; values: string[]; managed: boolean }
async function setsOf(buyer: TestCustomer, domain: string) {
  const { body } = await get(buyer, domain, 'records')
  const own = body.sets.filter((one: Set) => !one.managed)
  const lines = own.map(({ host, type, ttl, values }: Set) => {
    return `${host} ${type} ${ttl} ${values.join(' ')}`
  })
  return { hosted: body.hosted, lines }
}
const kept = async (domain: string) =>
  registrar.query(
    `select r.* from ordered_dns_records r join orders o on o.id = r.order_id where o.domain = $1`,
    [domain],
  )
const zone = ['@ MX 600 10 mail.example.net.', 'www A 3600 192.0.2.1 192.0.2.2']

test('puts them into the zone before the name servers change, as a change to take back', async () => {
  const buyer = await registrar.customer({
    scopes: ['domains:purchase', 'domains:write', 'domains:read'],
  })
  const domain = 'brings-zone.com'
  const asked = await moving(buyer, domain)
  const { digest, ...shown } = asked.records
  assert.match(digest, /^[0-9a-f]{64}$/)
  assert.deepEqual(shown, { sets_total: 2, hosted: false, served: null, warnings: [] })
  assert.equal((await get(buyer, domain, 'records')).body.code, 'domain_pending')
  await answered(domain, 'approve')
  assert.deepEqual(await setsOf(buyer, domain), { hosted: false, lines: zone })
  assert.notDeepEqual(registrar.sandbox.lookup(domain)?.nameservers.toSorted(), ours)
  await registrar.run(setOrderedNameservers)
  assert.deepEqual(await setsOf(buyer, domain), { hosted: true, lines: zone })
  const { address } = { address: await registrar.app.dns.ask(`www.${domain}`) }
  assert.ok(['192.0.2.1', '192.0.2.2'].includes(String(address)))
  assert.deepEqual(await kept(domain), [])
  const [change, ...more] = (await get(buyer, domain, 'changes')).body.changes
  assert.deepEqual(more, [])
  assert.equal(change.action, 'transfer_domain')
  assert.equal(change.made_by.kind, 'api_key')
  assert.equal(change.sets_total, 2)
  const undone = await registrar.request(
    'POST',
    `/v1/domains/${domain}/changes/${change.id}/revert`,
    { token: buyer.key, body: { prune: true } },
  )
  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual((await setsOf(buyer, domain)).lines, [])
})

test('has them at a reseller before the name servers are ours, too', async () => {
  const buyer = await registrar.customer({ funds_cents: 100_000 })
  const domain = 'old-harbour.shop'
  const before = [
    { name: 'ns1.before.org', ip: '', ip6: '' },
    { name: 'ns2.before.org', ip: '', ip6: '' },
  ]
  openprovider.setForeign(domain, { name_servers: before })
  const asked = await move(buyer, { domain, records, auth_code: 'Seeded-2Move' })
  assert.equal(asked.body.status, 'transfer_pending', asked.text)
  openprovider.answerTransfer(domain, true)
  await settle(domain)
  assert.deepEqual(await setsOf(buyer, domain), { hosted: false, lines: zone })
  await registrar.run(setOrderedNameservers)
  assert.deepEqual(await setsOf(buyer, domain), { hosted: true, lines: zone })
})

test('loses them where the transfer is refused, or cancelled', async () => {
  const buyer = await registrar.customer({ funds_cents: 100_000 })
  await moving(buyer, 'brings-none.com')
  assert.equal((await kept('brings-none.com')).length, 1)
  await answered('brings-none.com', 'reject')
  assert.deepEqual(await kept('brings-none.com'), [])
  await moving(buyer, 'brings-not.com')
  const path = '/v1/domains/brings-not.com/transfer/cancel'
  const ended = await registrar.request('POST', path, { token: buyer.key })
  assert.equal(ended.body.status, 'failed', ended.text)
  assert.deepEqual(await kept('brings-not.com'), [])
  const again = await move(buyer, { domain: 'brings-not.com' })
  assert.equal(again.body.status, 'transfer_pending', again.text)
  await answered('brings-not.com', 'approve')
  assert.deepEqual((await setsOf(buyer, 'brings-not.com')).lines, [])
})

test('gives them to no other customer that brings the name here', async () => {
  const first = await registrar.customer({ funds_cents: 100_000 })
  const second = await registrar.customer({ funds_cents: 100_000 })
  const domain = 'brings-first.com'
  await moving(first, domain)
  await answered(domain, 'reject')
  assert.equal((await move(second, { domain })).body.status, 'transfer_pending')
  await answered(domain, 'approve')
  assert.deepEqual((await setsOf(second, domain)).lines, [])
})

test('keeps them once where the answer is lost and the request is sent again', async () => {
  const buyer = await registrar.customer({ funds_cents: 100_000 })
  const domain = 'brings-once.com'
  await sellElsewhere(registrar, domain)
  registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:transfer', domain, times: 1 })
  const headers = { 'idempotency-key': 'brings-once' }
  const asked = await move(buyer, { domain, records }, headers)
  assert.equal(asked.status, 200, asked.text)
  const again = await move(buyer, { domain, records }, headers)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body.records, asked.body.records)
  assert.equal((await kept(domain)).length, 1)
  const other = await move(buyer, { domain, records: records.slice(1) })
  assert.equal(other.body.code, 'order_open', other.text)
  await settle(domain)
  await answered(domain, 'approve')
  assert.deepEqual((await setsOf(buyer, domain)).lines, zone)
  assert.equal((await get(buyer, domain, 'changes')).body.changes.length, 1)
})

test('refuses at its place what a change of records would refuse, and orders nothing', async () => {
  const buyer = await registrar.customer({ funds_cents: 100_000 })
  const domain = 'brings-wrong.com'
  await sellElsewhere(registrar, domain)
  const wrong = [
    { host: 'www', type: 'CNAME', values: ['a.example.net.'] },
    { host: 'www', type: 'A', values: ['192.0.2.1'] },
    { host: '@', type: 'A', values: ['192.0.2.1', '192.0.2.300'] },
  ]
  const values = await move(buyer, { domain, records: wrong.slice(2) })
  assert.equal(values.status, 422, values.text)
  assert.deepEqual(values.body.detail[0].loc, ['body', 'records', 0, 'values', 1])
  const rules = await move(buyer, { domain, records: wrong.slice(0, 2) })
  assert.deepEqual(rules.body.detail[0].loc, ['body', 'records', 0])
  assert.equal(rules.body.detail[0].type, 'dns_rule')
  const dry = await move(buyer, { domain, records, dry_run: true })
  assert.equal(dry.body.status, 'dry_run', dry.text)
  assert.equal(dry.body.records.sets_total, 2)
  const elsewhere = await move(buyer, {
    ...{ domain, records, dry_run: true },
    nameservers: ['ns1.example.net', 'ns2.example.net'],
  })
  assert.equal(elsewhere.body.records.warnings[0].code, 'not_served')
  assert.deepEqual(await registrar.query('select * from ordered_dns_records'), [])
})

test('asks for the scope and the limits of a change of records', async () => {
  const owner = await registrar.customer({ funds_cents: 100_000 })
  const domain = 'brings-limits.com'
  await sellElsewhere(registrar, domain)
  const keyOf = async (body: object) => {
    const at = `/v1/customers/${owner.id}/api-keys`
    const made = await registrar.request('POST', at, {
      token: registrar.operatorKey,
      body: { name: 'limited', ...body },
    })
    assert.equal(made.status, 201, made.text)
    return { key: String(made.body.api_key ?? made.body.key) }
  }
  const buying = await keyOf({ scopes: ['domains:purchase', 'domains:read'] })
  const refused = await move(buying, { domain, records })
  assert.equal(refused.status, 403, refused.text)
  assert.equal(refused.body.code, 'insufficient_scope')
  assert.equal(refused.body.required_scope, 'dns:write')
  assert.equal((await move(buying, { domain, dry_run: true })).status, 200)
  const narrow = await keyOf({
    scopes: ['domains:purchase', 'dns:write'],
    dns: { hosts: ['_acme-challenge*'], types: ['TXT'] },
  })
  const outside = await move(narrow, { domain, records })
  assert.equal(outside.body.code, 'dns_record_not_allowed', outside.text)
  assert.deepEqual([outside.body.host, outside.body.record_type], ['@', 'MX'])
})

test('deletes what a crash before the order left', async () => {
  await registrar.query(
    `insert into ordered_dns_records (order_id, customer_id, change_id, actor_type, entry_point,
                                      sets, created_at)
     values ('ord_none', 'cus_none', 'dch_' || repeat('0', 26), 'api_key', 'rest', '[]',
             now() - interval '2 hours')`,
  )
  await registrar.run(purgeOldDnsChanges)
  const left = await registrar.query(
    `select * from ordered_dns_records where order_id = 'ord_none'`,
  )
  assert.deepEqual(left, [])
})
