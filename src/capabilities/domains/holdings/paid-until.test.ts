// `paid until` of a name is a fact of the ledger: no registry moves it, and no job deletes a name
// before it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ByzantineAnswer as FalseDate,
  FALSE_EXPIRIES as falseDates,
} from '../../../../sandbox/registry/index.ts'
import { startService } from '../../../../test/support/service.ts'
import { attempt } from '../../../adapters/registry/fixtures/sandbox.ts'
import { addDays, addYears } from '../../../kit/clock.ts'
import { deleteUnrenewed } from '../expiry/delete-unrenewed.job.ts'
import { registryOf } from '../names.ts'
import { movePaidUntil } from '../orders/order-batcher.fixture.ts'
import { holdingByName } from './holdings.sql.ts'
import { lifecycleService } from './lifecycle.fixture.ts'
import { syncHolding } from './sync.ts'
import { syncDomains } from './sync-domains.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const { sandbox, app } = registrar
const owner = await registrar.customer({ funds_cents: 1_000_000 })

async function rowOf(domain: string) {
  const [row] = await registrar.query(
    'select * from domains where name = $1 and ended_at is null',
    [domain],
  )
  return Object(row)
}
const paidUntil = async (domain: string): Promise<string> =>
  (await rowOf(domain)).expiry.toISOString()
const renew = (domain: string, body: object = {}) =>
  registrar.request('POST', `/v1/domains/${domain}/renew`, { token: owner.key, body })
const alarmed = (alarm: string, domain: string) =>
  registrar.logs.some((line) => line.includes(alarm) && line.includes(`"${domain}"`))
const showFalseDate = (name: FalseDate, domain: string, times: number | null = null) =>
  sandbox.setFault({ name, command: 'domain:info', domain, times })
const due = registrar.makeDue
const deletes = () => sandbox.counters().thin.commands['domain:delete']?.received ?? 0
/** Not over when the others' terms are. */
const long = { period_years: 9 }
const label = (fault: string) => fault.replaceAll('_', '-')

test('no date that a sync reads moves paid until, and an impossible one is not stored', async () => {
  for (const fault of falseDates) {
    const domain = await registrar.buys(owner, `synced-${label(fault)}.com`, long)
    const before = await rowOf(domain)
    await due(domain)
    showFalseDate(fault, domain)
    await registrar.run(syncDomains)
    sandbox.clearFaults()
    const after = await rowOf(domain)
    assert.deepEqual(after.expiry, before.expiry, fault)
    const impossible = ['date_1970', 'date_12026', 'date_no_date', 'date_empty', 'date_plus_10']
    if (impossible.includes(fault))
      assert.deepEqual(after.registry_expiry, before.registry_expiry, fault)
    const unread = ['date_12026', 'date_no_date', 'date_empty'].includes(fault)
    const alarm = unread ? 'registry_date_unreadable' : 'registry_expiry_unexplained'
    assert.ok(alarmed(alarm, domain), fault)
  }
})

test('a name that is paid is not deleted, whatever its registry shows', async () => {
  for (const fault of falseDates) {
    const domain = await registrar.buys(owner, `paid-${label(fault)}.com`, long)
    await due(domain)
    showFalseDate(fault, domain)
    await registrar.days(1)
    const before = deletes()
    await registrar.run(deleteUnrenewed)
    sandbox.clearFaults()
    assert.equal(deletes(), before, fault)
    assert.equal((await rowOf(domain)).deletion_at, null, fault)
  }
})

test('keeps a name whose renewal was answered with the present time, over a jump of the clock', async () => {
  const names = []
  for (const fault of falseDates) {
    const domain = await registrar.buys(owner, `jumped-${label(fault)}.com`)
    sandbox.setFault({ name: fault, command: 'domain:renew', domain })
    const renewed = await renew(domain)
    assert.equal(renewed.status, 200, renewed.text)
    names.push(domain)
  }
  const before = deletes()
  await registrar.days(365 + 40)
  await registrar.run(deleteUnrenewed)
  assert.equal(deletes(), before)
  for (const domain of names) {
    assert.equal((await registrar.read(owner, domain)).body.status, 'active', domain)
    assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
  }
})

test("a jump of the service's own calendar alone deletes nothing", async () => {
  const domain = await registrar.buys(owner, 'calendar.com', long)
  const before = deletes()
  const calendar = { ...app.calendar, now: () => addDays(app.calendar.now(), 9 * 366 + 40) }
  await registrar.run(deleteUnrenewed, { ...app, calendar })
  assert.equal(deletes(), before)
  assert.equal((await rowOf(domain)).deletion_at, null)
})

test('an unrenewed name is deleted only by a reading that agrees: others raise an alarm', async () => {
  const odd: FalseDate[] = ['date_plus_2', 'date_plus_10', 'date_now', 'date_1970', 'date_no_date']
  for (const fault of [...odd, 'date_before' as const]) {
    const domain = await registrar.buys(owner, `unrenewed-${label(fault)}.com`)
    await registrar.days(365 + 36)
    showFalseDate(fault, domain)
    const before = deletes()
    await registrar.run(deleteUnrenewed)
    sandbox.clearFaults()
    assert.equal(deletes(), before, fault)
    // The year before is paid: then no year of it is unpaid.
    if (fault !== 'date_before') assert.ok(alarmed('unpaid_domain_kept', domain), fault)
    await due(domain)
    await registrar.run(syncDomains)
    await registrar.run(deleteUnrenewed)
    assert.deepEqual(registrar.effects(domain), ['create', 'autorenew', 'refund'], fault)
  }
})

test('a deletion whose answer was lost is not sent again while the reading does not agree', async () => {
  const domain = await registrar.buys(owner, 'unrenewed-lost.com')
  await registrar.days(365 + 36)
  sandbox.setFault({ name: 'drop_before', command: 'domain:delete', domain })
  await registrar.run(deleteUnrenewed)
  assert.ok((await rowOf(domain)).deletion_at)
  await registrar.advance('PT11M')
  showFalseDate('date_plus_10', domain)
  const before = deletes()
  await registrar.run(deleteUnrenewed)
  sandbox.clearFaults()
  assert.equal(deletes(), before)
  await due(domain)
  await registrar.run(deleteUnrenewed)
  assert.deepEqual(registrar.effects(domain), ['create', 'autorenew', 'refund'])
})

test('a name whose newest term does not end at its expiry is not deleted', async () => {
  const domain = await registrar.buys(owner, 'doubted.com')
  await registrar.query(
    `insert into domain_terms (domain_id, order_id, kind, years, paid_until)
     select id, order_id, 'corrected', 1, years_later(expiry, 1) from domains where name = $1`,
    [domain],
  )
  await registrar.days(365 + 36)
  const before = deletes()
  await registrar.run(deleteUnrenewed)
  assert.equal(deletes(), before)
  assert.ok(alarmed('unpaid_domain_kept', domain))
})

test('years that the registry shows and nothing explains are neither paid nor sent', async () => {
  for (const fault of ['date_plus_1', 'date_plus_2', 'date_before', 'date_now'] as const) {
    const domain = await registrar.buys(owner, `unexplained-${label(fault)}.com`, {
      period_years: 3,
    })
    showFalseDate(fault, domain)
    const refused = await renew(domain)
    sandbox.clearFaults()
    assert.equal(refused.status, 409, refused.text)
    assert.equal(refused.body.code, 'expiry_unexplained', refused.text)
    assert.equal(refused.body.holding.domain, domain)
    assert.match(refused.body.registry_expiry, /^\d{4}-\d\d-\d\dT/)
    assert.deepEqual(registrar.effects(domain), ['create'])
    assert.ok(alarmed('registry_expiry_unexplained', domain))
    const renewed = await renew(domain)
    assert.equal(renewed.status, 200, renewed.text)
    assert.equal(renewed.body.expiry, sandbox.lookup(domain)?.expires_at)
  }
})

test('years of a renewal whose price an operator gave back are explained', async () => {
  const domain = await registrar.buys(owner, 'given-back.com')
  const registry = registryOf(app, domain)
  const { expires_at = '' } = sandbox.lookup(domain) ?? {}
  const cur_exp_date = expires_at.slice(0, 10)
  await registry?.renew({ domain, cur_exp_date, period_years: 1, fee: null }, attempt())
  const refused = await renew(domain)
  assert.equal(refused.body.code, 'expiry_unexplained', refused.text)
  const shown = addYears(new Date(expires_at), 1).toISOString()
  assert.equal(refused.body.registry_expiry, shown)
  assert.match(refused.body.detail, new RegExp(shown))
  await registrar.query(
    `insert into orders (id, customer_id, type, domain, registry, state, currency, amount, digest,
       command, attempts, fingerprints, first_sent_at, run_at, lease_until, lease_token,
       error_code, closed_at)
     select 'ord_given_back', customer_id, 'renew', name, registry, 'failed', 'USD', 1, 'x',
       '{"send_years": 1}', 1, '{}', now(), now(), now(), 'x', 'released_by_operator', now()
       from domains where name = $1`,
    [domain],
  )
  const renewed = await renew(domain)
  assert.equal(renewed.status, 200, renewed.text)
  assert.equal(renewed.body.expiry, addYears(new Date(expires_at), 1).toISOString())
})

test('a reading that overlaps the end of a renewal is explained by the year that was just paid', async () => {
  const domain = await registrar.buys(owner, 'meanwhile.com')
  const before = await app.db.maybe(holdingByName, { customer_id: owner.id, name: domain })
  assert.ok(before)
  assert.equal((await renew(domain)).status, 200)
  const synced = await syncHolding(app, before, 'background')
  assert.equal(synced.kind, 'held')
  assert.ok(!alarmed('registry_expiry_unexplained', domain))
})

test('the database lets paid until move by a captured term alone', async () => {
  const domain = await registrar.buys(owner, 'guarded.com')
  const before = await paidUntil(domain)
  const refused = (text: string) =>
    assert.rejects(registrar.query(text, [domain]), /check|moves|paid/)
  await refused(`update domains set expiry = expiry + interval '1 year' where name = $1`)
  await refused(`update domains set expiry = now() where name = $1`)
  const term = (kind: string, years: number, until: string) =>
    `insert into domain_terms (domain_id, order_id, kind, years, paid_until)
     select id, 'ord_none', '${kind}', ${years}, ${until} from domains where name = $1`
  await assert.rejects(
    registrar.query(term('added', 1, 'years_later(expiry, 1)'), [domain]),
    /was not captured/,
  )
  await assert.rejects(
    registrar.query(term('added', 1, 'years_later(expiry, 2)'), [domain]),
    /more years/,
  )
  const gift = term('refunded', 1, 'years_later(expiry, 1)')
  await assert.rejects(registrar.query(gift, [domain]), /check/)
  const insert = term('corrected', 0, 'now()').replace('$1', `'${domain}'`)
  const asService = `do $$ begin set local role agent_registrar_app; ${insert}; end $$`
  await assert.rejects(registrar.query(asService), /permission denied/)
  assert.equal(await paidUntil(domain), before)
})

test('each capture has its term, and paid until is their sum', async () => {
  const domain = await registrar.buys(owner, 'summed.com', { period_years: 2 })
  for (const period_years of [1, 3]) await renew(domain, { period_years })
  const rows = await registrar.query(
    `select t.kind, t.years, t.paid_until = d.expiry as newest
       from domain_terms t join domains d on d.id = t.domain_id
      where d.name = $1 order by t.id`,
    [domain],
  )
  assert.deepEqual(rows, [
    { kind: 'begun', years: 2, newest: false },
    { kind: 'added', years: 1, newest: false },
    { kind: 'added', years: 3, newest: true },
  ])
  assert.equal(await paidUntil(domain), sandbox.lookup(domain)?.expires_at)
  await movePaidUntil(registrar.query, domain, 'expiry')
})
