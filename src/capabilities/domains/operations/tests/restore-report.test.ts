// The restore report states when the name was deleted and when its restore was asked for (RFC 3915
// section 4.2.5): the sandbox's registries refuse a moment that they have another record of.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteBehind } from '../../../../../test/support/other-registrar.ts'
import { startService } from '../../../../../test/support/service.ts'
import { deleteUnrenewed } from '../../expiry/delete-unrenewed.job.ts'
import { deletionSeen, restoreAsked } from '../../holdings/deletion-time.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { syncDomains } from '../../holdings/sync-domains.job.ts'
import { registryOf } from '../../names.ts'
import { settleOrders } from '../../orders/settle-orders.job.ts'
import { takeMessage } from '../../poll/poll-message.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const { sandbox, query } = registrar
const owner = await registrar.customer({ funds_cents: 10_000_000 })

const row = async (domain: string) =>
  Object((await query('select * from domains where name = $1', [domain]))[0])
const restore = (domain: string) =>
  registrar.request('POST', `/v1/domains/${domain}/restore`, { token: owner.key, body: {} })
const code2306 = () =>
  Object.values(sandbox.counters()).reduce(
    (sum, { commands }) => sum + (commands['domain:update']?.codes['2306'] ?? 0),
    0,
  )

async function restored(domain: string): Promise<void> {
  const { status, body, text } = await restore(domain)
  assert.equal(status, 200, text)
  assert.equal(body.operation.state, 'succeeded', text)
  assert.equal(code2306(), 0, 'no moment was refused')
}

for (const domain of ['reported.com', 'reported.test'])
  test(`${domain}, deleted by our own job, is restored days later`, async () => {
    await registrar.buys(owner, domain)
    await registrar.days(365 + 36)
    const before = registrar.app.calendar.now()
    await registrar.run(deleteUnrenewed)
    const { deleted_at } = await row(domain)
    assert.ok(
      deleted_at >= before && deleted_at <= registrar.app.calendar.now(),
      String(deleted_at),
    )
    await registrar.days(3)
    await registrar.run(syncDomains)
    assert.deepEqual((await row(domain)).deleted_at, deleted_at, 'a reading does not move it')
    await restored(domain)
    await registrar.days(1)
    await registrar.run(syncDomains)
    assert.equal((await row(domain)).deleted_at, null, 'it is over')
  })

test("a deletion without the service that is read days later has the registry's date", async () => {
  const domain = await registrar.buys(owner, 'reported-behind.com')
  await registrar.days(10)
  const before = sandbox.now()
  await deleteBehind(registrar, domain)
  await registrar.days(2)
  await registrar.run(syncDomains)
  const { deleted_at } = await row(domain)
  assert.ok(Math.abs(deleted_at.getTime() - before) < 60_000, String(deleted_at))
  await registrar.days(2)
  await restored(domain)
})

test('a report that comes days after its request names the request', async () => {
  for (const [name, domain] of [
    ['drop_after', 'reported-late.com'],
    ['drop_before', 'reported-lost.com'],
  ] as const) {
    await registrar.buys(owner, domain)
    await registrar.days(10)
    await deleteBehind(registrar, domain)
    await registrar.days(1)
    sandbox.setFault({ name, command: 'domain:update', domain })
    const { body } = await restore(domain)
    assert.equal(body.operation.state, 'unknown', JSON.stringify(body))
    await registrar.days(2)
    await query('update orders set run_at = now(), lease_until = now() where domain = $1', [domain])
    await registrar.run(settleOrders)
    const [order] = await query(
      `select state, alarm from orders where domain = $1 order by created_at desc limit 1`,
      [domain],
    )
    assert.deepEqual(order, { state: 'succeeded', alarm: null })
    assert.equal(code2306(), 0, 'no moment was refused')
  }
})

test("a registry's message that shows a name as deleted dates the deletion", async () => {
  const domain = await registrar.buys(owner, 'reported-by-message.com')
  await registrar.days(10)
  const registry = registryOf(registrar.app, domain) ?? assert.fail('no registry')
  await deleteBehind(registrar, domain)
  const queued_at = new Date(sandbox.now()).toISOString()
  await registrar.days(1)
  const read = await registry.read(domain, 'normal')
  // As where a registry does not date changes: the reading alone would show the day after.
  const shown = { ...(read.kind === 'done' ? read.value : assert.fail()), updated_at: null }
  const queued = { id: 'gone-1', count: 1, queued_at, text: 'Deleted', raw: '<msg/>' }
  const about = { kind: 'domain' as const, domain: shown }
  await takeMessage(registrar.app, { registry, message: { ...queued, about } })
  await registrar.run(syncDomains)
  const { deleted_at } = await row(domain)
  assert.equal(deleted_at.toISOString(), queued_at)
  await restored(domain)
})

test('reads the times of a deletion and of a restore request', () => {
  const now = new Date('2026-05-10T12:00:00Z')
  const at = (text: string | null, rgp: string[], epp: string[] = []) => ({
    updated_at: text,
    rgp_statuses: rgp,
    epp_statuses: epp,
  })
  const read = (day: string) => new Date(`2026-05-${day}T00:00:00Z`)
  const known = { ...at(null, [], ['ok']), synced_at: read('08'), created_at: read('01') }
  const gone = { ...known, rgp_statuses: ['redemptionPeriod'] }
  const cases: [ReturnType<typeof at>, typeof known, Date | null][] = [
    [at('2026-05-09T00:00:00Z', [], ['ok']), known, null],
    [at('2026-05-09T00:00:00Z', ['redemptionPeriod']), known, read('09')],
    [at('2026-05-09T00:00:00Z', [], ['pendingDelete']), known, read('09')],
    // Before it was seen undeleted, in the future, none, none that can be read.
    [at('2026-05-07T00:00:00Z', ['redemptionPeriod']), known, now],
    [at('2026-06-09T00:00:00Z', ['redemptionPeriod']), known, now],
    [at('not-a-date', ['redemptionPeriod']), known, now],
    [at(null, ['pendingDelete']), known, now],
    // Seen as deleted before.
    [at('2026-05-07T00:00:00Z', ['redemptionPeriod']), gone, read('07')],
    // The last change is the restore's request.
    [at('2026-05-09T00:00:00Z', ['pendingRestore'], ['pendingDelete']), gone, null],
  ]
  for (const [found, before, expected] of cases)
    assert.deepEqual(deletionSeen(found, before, now), expected, JSON.stringify(found))
  const sent = { first_sent_at: read('08'), now }
  for (const [updated_at, expected] of [
    ['2026-05-09T00:00:00Z', read('09')],
    ['2026-05-07T00:00:00Z', read('08')],
    ['2026-06-07T00:00:00Z', read('08')],
    ['not-a-date', read('08')],
    [null, read('08')],
  ] as const)
    assert.deepEqual(restoreAsked({ updated_at }, sent), expected, String(updated_at))
})
