// Unrenewed domains are deleted in time: once, reported, restorable, and never during a payment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../../test/support/service.ts'
import { attempt } from '../../../adapters/registry/fixtures/sandbox.ts'
import { addDays } from '../../../kit/clock.ts'
import { systemCall } from '../../audit/index.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { registryOf } from '../names.ts'
import { pollRegistries } from '../poll/poll-messages.job.ts'
import { deleteUnrenewed, deleteUnrenewedDomain } from './delete-unrenewed.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const { app } = registrar
const owner = await registrar.customer()
let names = 0

/** A domain so many days after its expiry. */
async function expired(days: number, tld = 'com'): Promise<string> {
  names += 1
  const domain = await registrar.buys(owner, `unrenewed-${names}.${tld}`)
  await registrar.daysPast(domain, days)
  return domain
}

const { row } = registrar
const audited = async (domain: string, action = 'delete_unpaid_domain') =>
  (
    await registrar.query(
      'select result from audit_logs where action = $2 and target = $1 order by id',
      [domain, action],
    )
  ).map(({ result }) => result)
const deletionEmails = async (domain: string) =>
  (await registrar.emails(owner)).filter(
    ({ kind, subject }) => kind === 'domain_deleted_unpaid' && subject.startsWith(domain),
  )
const renew = (domain: string) =>
  registrar.request('POST', `/v1/domains/${domain}/renew`, { token: owner.key, body: {} })
const alarmOf = (domain: string) =>
  registrar.logs.some((line) => line.includes('unpaid_domain_kept') && line.includes(domain))

function registry(domain = 'any.com') {
  const found = registryOf(app, domain)
  assert.ok(found)
  return found
}

test('deletes on day 35: the registrar is refunded, and the owner gets a mail', async () => {
  const domain = await expired(34)
  await registrar.run(deleteUnrenewed)
  assert.deepEqual(registrar.effects(domain), ['create', 'autorenew'])
  assert.deepEqual(await audited(domain), [])
  await registrar.days(1)
  await Promise.all([registrar.run(deleteUnrenewed), registrar.run(deleteUnrenewed)])
  await registrar.run(deleteUnrenewed)
  assert.deepEqual(registrar.effects(domain), ['create', 'autorenew', 'refund'])
  const { body } = await registrar.read(owner, domain)
  assert.equal(body.status, 'redemption')
  assert.deepEqual(body.rgp_statuses, ['redemptionPeriod'])
  assert.equal(body.next_actions[0].type, 'restore')
  assert.deepEqual(await audited(domain), ['pending', 'success'])
  const emails = await deletionEmails(domain)
  assert.equal(emails.length, 1)
  assert.match(emails[0]?.body.replaceAll('\n', ' ') ?? '', /restore it for 44\.30 USD/)
  assert.equal((await renew(domain)).body.code, 'not_renewable')
})

test('a domain that is paid in time stays, also at the same moment', async () => {
  const domain = await expired(36)
  const [renewed] = await Promise.all([renew(domain), registrar.run(deleteUnrenewed)])
  const { body } = await registrar.read(owner, domain)
  if (renewed.status === 200) assert.equal(body.status, 'active', JSON.stringify(body))
  else assert.equal(body.status, 'redemption', renewed.text)
  const kinds = registrar.effects(domain)
  assert.equal(kinds.includes('refund'), renewed.status !== 200, kinds.join())
})

test('an open renewal keeps the deletion away', async () => {
  const domain = await expired(36)
  await registrar.query(
    `insert into orders (id, customer_id, type, domain, registry, state, currency, amount, digest,
       command, attempts, fingerprints, first_sent_at, run_at, lease_until, lease_token)
     select 'ord_open', customer_id, 'renew', name, registry, 'unknown', 'USD', 1, 'x', '{}',
       1, '{}', now(), '2200-01-01', now(), 'x' from domains where name = $1`,
    [domain],
  )
  await registrar.run(deleteUnrenewed)
  assert.equal((await row(domain)).deletion_at, null)
  // The order came between the look and the mark.
  const [holding] = await registrar.query('select * from domains where name = $1', [domain])
  await deleteUnrenewedDomain(app, systemCall(app, 'x'), Object(holding))
  assert.equal((await row(domain)).deletion_at, null)
  assert.deepEqual(registrar.effects(domain), ['create', 'autorenew'])
  await registrar.query(`delete from orders where id = 'ord_open'`)
})

test("our own locks are taken off; the registry's stay, raise an alarm, and leave it renewable", async () => {
  const domain = await expired(36)
  const add = ['clientDeleteProhibited', 'clientUpdateProhibited', 'clientTransferProhibited']
  await registry().update({ domain, statuses: { add, remove: [] } }, attempt())
  await registrar.run(deleteUnrenewed)
  assert.equal((await registrar.read(owner, domain)).body.status, 'redemption')
  const refused = await expired(36)
  registrar.sandbox.setFault({ name: 'refuse_2306', command: 'domain:delete', domain: refused })
  await registrar.run(deleteUnrenewed)
  assert.ok(alarmOf(refused))
  assert.equal((await row(refused)).deletion_at, null)
  assert.equal((await renew(refused)).status, 200)
})

/** Its name servers become its own: below it, with their addresses. */
async function glue(domain: string): Promise<string[]> {
  const hosts = [`ns1.${domain}`, `ns2.${domain}`]
  const addresses = Object.fromEntries(hosts.map((host, i) => [host, [`192.0.2.${i + 1}`]]))
  const body = { nameservers: hosts, glue: addresses }
  const set = await registrar.request('PATCH', `/v1/domains/${domain}`, { token: owner.key, body })
  assert.equal(set.status, 200, set.text)
  return hosts
}

for (const tld of ['com', 'test'])
  test(`a .${tld} with name servers below it is not kept for years without a renewal`, async () => {
    const domain = await registrar.buys(owner, `free-rider.${tld}`)
    await glue(domain)
    const add = ['clientUpdateProhibited']
    await registry(domain).update({ domain, statuses: { add, remove: [] } }, attempt())
    await registrar.days(365 + 36)
    await registrar.run(deleteUnrenewed)
    assert.deepEqual(registrar.effects(domain), ['create', 'autorenew', 'refund'])
    assert.equal((await registrar.read(owner, domain)).body.status, 'redemption')
    assert.equal((await deletionEmails(domain)).length, 1)
  })

test('retries a deletion after a silence while its hosts were removed', async () => {
  const domain = await registrar.buys(owner, 'free-rider-later.test')
  const [first = ''] = await glue(domain)
  await registrar.days(365 + 36)
  registrar.sandbox.setFault({ name: 'drop_after', command: 'host:delete', domain: first })
  await registrar.run(deleteUnrenewed)
  assert.ok((await row(domain)).deletion_at)
  assert.equal((await registrar.read(owner, domain)).body.status, 'expired')
  await registrar.advance('PT11M')
  await registrar.run(deleteUnrenewed)
  assert.deepEqual(registrar.effects(domain), ['create', 'autorenew', 'refund'])
})

test('a host below it that others use keeps it, on hold until it is paid', async () => {
  const domain = await registrar.buys(owner, 'host-of-others.test')
  const [, used = ''] = await glue(domain)
  const guest = await registrar.customer()
  const other = await registrar.buys(guest, 'guest.test', {
    nameservers: [used, 'ns1.example.net'],
  })
  await registrar.days(365 + 36)
  await registrar.run(deleteUnrenewed)
  assert.ok(alarmOf(domain))
  const line = registrar.logs.find((one) => one.includes('Hosts below it') && one.includes(domain))
  assert.ok(line?.includes(used), line ?? 'no such line')
  assert.equal((await row(domain)).deletion_at, null)
  const { delete_at } = await row(domain)
  assert.ok(addDays(delete_at, app.settings.unpaid_delete_days) > app.calendar.now())
  const held = registrar.sandbox.lookup(domain)
  assert.deepEqual([held?.epp_statuses, held?.nameservers], [['clientHold'], [used]])
  await registrar.advance('PT7H')
  await registrar.run(deleteUnrenewed)
  assert.deepEqual(registrar.sandbox.lookup(domain)?.epp_statuses, ['clientHold'], 'tried again')
  assert.deepEqual(await audited(domain, 'hold_unpaid_domain'), ['success'])
  assert.equal((await renew(domain)).status, 200)
  await registrar.run(deleteUnrenewed)
  const paid = registrar.sandbox.lookup(domain)
  assert.deepEqual([paid?.epp_statuses, paid?.nameservers], [['ok'], [used]])
  assert.deepEqual(await audited(domain, 'lift_unpaid_hold'), ['success'])
  assert.deepEqual(registrar.sandbox.lookup(other)?.nameservers.includes(used), true)
})

test('a hold that is not ours stays when it is paid', async () => {
  const domain = await registrar.buys(owner, 'held-by-hand.test')
  const [, used = ''] = await glue(domain)
  const nameservers = [used, 'ns1.example.net']
  await registrar.buys(await registrar.customer(), 'guest-by-hand.test', { nameservers })
  await registry(domain).update(
    { domain, statuses: { add: ['clientHold'], remove: [] } },
    attempt(),
  )
  await registrar.days(365 + 36)
  await registrar.run(deleteUnrenewed)
  assert.equal((await renew(domain)).status, 200)
  await registrar.run(deleteUnrenewed)
  assert.deepEqual(registrar.sandbox.lookup(domain)?.epp_statuses, ['clientHold'])
})

for (const name of ['drop_before', 'drop_after', 'fail_2400', 'garbage'] as const)
  test(`after ${name} the delete is sent again until the registry shows it, and reported once`, async () => {
    const domain = await expired(36)
    registrar.sandbox.setFault({ name, command: 'domain:delete', domain })
    await registrar.run(deleteUnrenewed)
    assert.ok((await row(domain)).deletion_at)
    assert.equal((await renew(domain)).body.code, 'not_renewable')
    await registrar.advance('PT11M')
    await registrar.run(deleteUnrenewed)
    await registrar.advance('PT11M')
    await registrar.run(deleteUnrenewed)
    assert.equal((await registrar.read(owner, domain)).body.status, 'redemption')
    assert.deepEqual(registrar.effects(domain), ['create', 'autorenew', 'refund'])
    assert.equal((await deletionEmails(domain)).length, 1)
    assert.deepEqual(await audited(domain), ['pending', 'success'])
  })

test('a crash after the delete: the next run reports it, once', async () => {
  const domain = await expired(36)
  const reached = (point: string) => {
    if (point === 'after_delete') throw new Error('died')
  }
  await registrar.run(deleteUnrenewed, { ...app, reached })
  assert.deepEqual(await deletionEmails(domain), [])
  await registrar.advance('PT11M')
  await registrar.run(deleteUnrenewed)
  assert.equal((await deletionEmails(domain)).length, 1)
  assert.deepEqual(await audited(domain), ['pending', 'success'])
})

test('a domain that is not restored is dropped in the end, and its holding ends', async () => {
  const domain = await expired(36)
  await registrar.run(deleteUnrenewed)
  await registrar.days(31)
  assert.equal((await registrar.read(owner, domain)).body.status, 'pending_delete')
  await registrar.days(6)
  await registrar.run(pollRegistries)
  assert.equal((await row(domain)).end_reason, 'dropped')
  const kinds = (await registrar.emails(owner)).filter(({ subject }) => subject.startsWith(domain))
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['domain_deleted_unpaid', 'domain_dropped'],
  )
})
