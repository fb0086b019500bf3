// The sync: registry state is stored in the holdings once, in order, and never over a newer state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newDatabase, untilBlocked } from '../../../../test/support/database.ts'
import { deleteBehind } from '../../../../test/support/other-registrar.ts'
import { startService } from '../../../../test/support/service.ts'
import { attempt } from '../../../adapters/registry/fixtures/sandbox.ts'
import { addDays } from '../../../kit/clock.ts'
import { registryOf } from '../names.ts'
import { lifecycleService } from './lifecycle.fixture.ts'
import { syncDomains } from './sync-domains.job.ts'

const database_url = await newDatabase('template_of_tests')
const registrar = await lifecycleService(await startService({ database_url, worker: false }))
const { app } = registrar
const owner = await registrar.customer({ funds_cents: 1_000_000 })

const { row, makeDue } = registrar
const infos = () => registrar.sandbox.counters().thin.commands['domain:info']?.received ?? 0

function registry() {
  const found = registryOf(app, 'any.com')
  assert.ok(found)
  return found
}

async function bought(prefix: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, i) => `${prefix}-${i}.com`)
  await Promise.all(names.map((name) => registrar.buys(owner, name)))
  return names
}

test('stores a change at the registry, and reads it daily from then on', async () => {
  const [domain = ''] = await bought('synced', 1)
  const nameservers = { add: ['ns9.example.org'], remove: [] }
  const statuses = { add: ['clientTransferProhibited'], remove: [] }
  const changed = await registry().update({ domain, nameservers, statuses }, attempt())
  assert.equal(changed.kind, 'done')
  await registrar.run(syncDomains)
  assert.equal((await row(domain)).locked, false, 'it was not due')
  await makeDue(domain)
  await registrar.run(syncDomains)
  const seen = await row(domain)
  assert.equal(seen.locked, true)
  assert.ok(seen.nameservers.includes('ns9.example.org'))
  assert.ok(seen.epp_statuses.includes('clientTransferProhibited'))
  assert.equal(seen.sync_at, null)
})

const versions = (like: string) =>
  registrar.query(
    `select d.name, d.xmin::text, d.updated_at, s.synced_at
       from domains d join domain_schedules s on s.domain_id = d.id
      where d.name like $1 order by d.name`,
    [like],
  )

test('reads each holding once a day, by any node, and writes its schedule alone if nothing is new', async () => {
  await bought('daily', 10)
  await makeDue('daily-%')
  await registrar.run(syncDomains)
  const before = await versions('daily-%')
  const asked = () => registrar.sandbox.counters().thin.commands['domain:info']?.received ?? 0
  const reads = asked()
  await registrar.days(1)
  await Promise.all([registrar.run(syncDomains), registrar.run(syncDomains)])
  const [all] = await registrar.query('select count(*)::int as held from domain_schedules')
  assert.equal(asked() - reads, all?.held)
  const after = await versions('daily-%')
  for (const [i, { synced_at, ...same }] of after.entries()) {
    const { synced_at: earlier, ...known } = before[i] ?? {}
    assert.deepEqual(same, known)
    assert.ok(Number(synced_at) - Number(earlier) >= 86_000_000)
  }
  await registrar.run(syncDomains)
  assert.equal(asked() - reads, all?.held, 'read once')
  assert.deepEqual(await registrar.query(`select * from tasks where kind = 'sync_domains'`), [])
})

test('two nodes at once read each holding once', async () => {
  await bought('shared', 40)
  await makeDue('shared-%')
  const before = infos()
  await Promise.all([registrar.run(syncDomains), registrar.run(syncDomains)])
  assert.equal(infos() - before, 40)
  const [left] = await registrar.query(
    `select count(*)::int as due from domains d join domain_schedules s on s.domain_id = d.id
      where s.sync_at < now() and d.name like 'shared-%'`,
  )
  assert.equal(left?.due, 0)
})

test('a registry that does not answer is left alone after a few', async () => {
  await bought('silent', 30)
  await makeDue('silent-%')
  const before = infos()
  registrar.sandbox.setFault({ name: 'fail_2400', command: 'domain:info', times: null })
  await registrar.run(syncDomains)
  registrar.sandbox.clearFaults()
  assert.ok(infos() - before < 10, String(infos() - before))
  await registrar.advance('PT11M')
  await registrar.run(syncDomains)
  const [unread] = await registrar.query(
    `select count(*)::int as unread from domains d join domain_schedules s on s.domain_id = d.id
      where s.synced_at is null and d.name like 'silent-%'`,
  )
  assert.equal(unread?.unread, 0)
})

test('an answer that is older than what was written meanwhile does not undo it', async () => {
  const [domain = ''] = await bought('newer', 1)
  await makeDue(domain)
  registrar.sandbox.setFault({ name: 'slow', command: 'domain:info', domain, delay_ms: 60_000 })
  const sweeping = registrar.run(syncDomains)
  while (registrar.sandbox.faults().length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20))
  await registrar.query(
    `update domains set registry_expiry = '2040-01-01', updated_at = clock_timestamp()
      where name = $1`,
    [domain],
  )
  registrar.sandbox.releaseDelayed()
  await sweeping
  assert.equal((await row(domain)).registry_expiry.toISOString(), '2040-01-01T00:00:00.000Z')
  await makeDue(domain)
  await registrar.run(syncDomains)
  assert.equal(
    (await row(domain)).registry_expiry.toISOString(),
    registrar.sandbox.lookup(domain)?.expires_at,
  )
})

for (const count of [1, 2])
  test(`does not store an answer after a newer one that found nothing new: ${count}`, async () => {
    const names = await bought(`raced-${count}`, count)
    const like = `raced-${count}-%`
    const wrong = '2040-01-01T00:00:00.000Z'
    await registrar.query('update domains set registry_expiry = $2 where name like $1', [
      like,
      wrong,
    ])
    await makeDue(like)
    const slow = { name: 'slow', command: 'domain:info', delay_ms: 60_000, times: count } as const
    registrar.sandbox.setFault(slow)
    const sweeping = registrar.run(syncDomains)
    while (registrar.sandbox.faults().length > 0) await sleep(20)
    // Another node's reading finds nothing new, and is about to commit.
    const newer = new pg.Client(database_url)
    await newer.connect()
    await newer.query('begin')
    await newer.query('select from domains where name like $1 for no key update', [like])
    registrar.sandbox.releaseDelayed()
    await untilBlocked(registrar.query)
    await newer.query(
      `update domain_schedules set synced_at = clock_timestamp() where domain_id = any (array(
         select id from domains where name like $1))`,
      [like],
    )
    await newer.query('commit')
    await newer.end()
    await sweeping
    for (const name of names) assert.equal((await row(name)).registry_expiry.toISOString(), wrong)
  })

test('a name that is gone ends its holding only when that is explained, or lasts', async () => {
  const [domain = ''] = await bought('vanished', 1)
  await deleteBehind(registrar, domain)
  await makeDue(domain)
  await registrar.run(syncDomains)
  const missing = await row(domain)
  assert.ok(missing.missing_since)
  assert.equal(missing.ended_at, null)
  assert.ok(registrar.logs.some((line) => line.includes('domain_missing') && line.includes(domain)))
  await registrar.days(2)
  await registrar.run(syncDomains)
  assert.equal((await row(domain)).end_reason, 'dropped')
  assert.deepEqual(
    (await registrar.emails(owner)).map(({ kind }) => kind),
    ['domain_dropped'],
  )
})

test('redemption and pending delete are followed to the end', async () => {
  const [domain = ''] = await bought('redeemed', 1)
  await registrar.days(10)
  await deleteBehind(registrar, domain)
  await registrar.run(syncDomains)
  assert.deepEqual((await row(domain)).rgp_statuses, ['redemptionPeriod'])
  await registrar.days(31)
  await registrar.run(syncDomains)
  assert.deepEqual((await row(domain)).rgp_statuses, ['pendingDelete'])
  await registrar.days(6)
  await registrar.run(syncDomains)
  assert.equal((await row(domain)).end_reason, 'dropped')
})

test('keeps a schedule for each holding, and none for one that has ended', async () => {
  const [domain = ''] = await bought('scheduled', 1)
  const astray = () =>
    registrar.query(
      `select d.name from domains d full join domain_schedules s on s.domain_id = d.id
        where (d.ended_at is null) is distinct from (s.domain_id is not null)`,
    )
  assert.deepEqual(await astray(), [])
  const { expiry, auto_renew_at, delete_at } = await row(domain)
  assert.deepEqual([auto_renew_at, delete_at], [null, expiry])
  await registrar.query('update domains set auto_renew = true where name = $1', [domain])
  assert.deepEqual((await row(domain)).auto_renew_at, addDays(expiry, -14))
  await registrar.query(
    `update domains set ended_at = now(), end_reason = 'dropped' where name = $1`,
    [domain],
  )
  assert.equal((await row(domain)).domain_id, null)
  assert.deepEqual(await astray(), [])
  // As an operator would who finds that it never ended.
  await registrar.query('update domains set ended_at = null, end_reason = null where name = $1', [
    domain,
  ])
  assert.deepEqual(await astray(), [])
  assert.deepEqual((await row(domain)).auto_renew_at, addDays(expiry, -14))
})
