// The registries' messages: stored once with their effects, taken off only then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerTransfer,
  askAway,
  sellElsewhere,
  soldCode,
} from '../../../../test/support/other-registrar.ts'
import { startService } from '../../../../test/support/service.ts'
import { attempt } from '../../../adapters/registry/fixtures/sandbox.ts'
import type { PollMessage } from '../../../adapters/registry/port.ts'
import { addYears } from '../../../kit/clock.ts'
import { newId } from '../../../kit/random.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { syncDomains } from '../holdings/sync-domains.job.ts'
import { registryOf } from '../names.ts'
import { settleOrders } from '../orders/settle-orders.job.ts'
import { redacted, takeMessage } from './poll-message.ts'
import { pollRegistries } from './poll-messages.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const { app } = registrar
const messagesOf = (domain: string) =>
  registrar.query('select * from registry_messages where domain = $1 order by id', [domain])

function registry() {
  const found = registryOf(app, 'any.com')
  assert.ok(found)
  return found
}

/** The other registrar has its code and asks for it. */
async function askedAway(domain: string): Promise<void> {
  const auth_info = 'Leaving-2Move-2030'
  assert.equal((await registry().update({ domain, auth_info }, attempt())).kind, 'done')
  await askAway(registrar, { domain, auth_info })
}

function message(id: string, about: PollMessage['about'], text = 'Something'): PollMessage {
  const queued_at = '2026-05-01T10:00:00.000Z'
  return { id, count: 1, queued_at, text, about, raw: '<epp/>' }
}

test('an auto-renewal is stored, acknowledged, and shown in the holding at once', async () => {
  const owner = await registrar.customer()
  const domain = await registrar.buys(owner, 'polled-renewal.com')
  const { body: before } = await registrar.read(owner, domain)
  await registrar.days(366)
  await registrar.run(pollRegistries)
  const [row] = await messagesOf(domain)
  assert.equal(row?.kind, 'renewal')
  assert.equal(row?.recognized, true)
  assert.ok(row?.handled_at && row.acked_at)
  const [holding] = await registrar.query('select * from domains where name = $1', [domain])
  const { expiry, registry_expiry } = Object(holding)
  assert.equal(registry_expiry.getTime(), addYears(new Date(before.expiry), 1).getTime())
  assert.equal(expiry.toISOString(), before.expiry)
  assert.deepEqual(holding?.rgp_statuses, ['autoRenewPeriod'])
  await registrar.run(pollRegistries)
  assert.equal((await messagesOf(domain)).length, 1)
})

test('a crash between commit and ack: the message is delivered again without a second effect', async () => {
  const owner = await registrar.customer()
  const domain = await registrar.buys(owner, 'polled-twice.com')
  await askedAway(domain)
  const reached = (point: string) => {
    if (point === 'message_stored') throw new Error('died')
  }
  await assert.rejects(registrar.run(pollRegistries, { ...app, reached }), /died/)
  const [stored] = await messagesOf(domain)
  assert.ok(stored?.handled_at)
  assert.equal(stored?.acked_at, null)
  await registrar.query(`update domain_schedules set sync_at = '2200-01-01'`)
  await registrar.run(pollRegistries)
  const rows = await messagesOf(domain)
  assert.equal(rows.length, 1)
  assert.ok(rows[0]?.acked_at)
  const notices = (await registrar.emails(owner)).filter(
    ({ kind }) => kind === 'transfer_out_requested',
  )
  assert.equal(notices.length, 1)
  assert.match(notices[0]?.body ?? '', /transfer\/reject/)
})

test('a transfer away shows as pending, and ends the holding when it is done', async () => {
  const owner = await registrar.customer()
  const domain = await registrar.buys(owner, 'polled-away.com')
  await askedAway(domain)
  await registrar.run(pollRegistries)
  const [asked] = await registrar.query('select * from domains where name = $1', [domain])
  assert.ok(Array.isArray(asked?.epp_statuses) && asked.epp_statuses.includes('pendingTransfer'))
  const { transfer_out } = Object(asked)
  assert.equal(transfer_out.requested_by, 'registrar-b')
  assert.equal(
    Date.parse(transfer_out.acts_at) - Date.parse(transfer_out.requested_at),
    5 * 86_400_000,
  )
  assert.equal((await registrar.read(owner, domain)).body.status, 'transfer_pending')
  await registrar.days(6)
  await registrar.run(pollRegistries)
  const [gone] = await registrar.query('select * from domains where name = $1', [domain])
  assert.equal(gone?.end_reason, 'transferred_away')
  assert.ok(gone?.ended_at)
  const kinds = (await registrar.emails(owner)).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['transfer_out_requested', 'domain_transferred_away'])
  const audit = await registrar.query(
    `select action from audit_logs where target = $1 and action = 'domain_transferred_away'`,
    [domain],
  )
  assert.equal(audit.length, 1)
})

test('a transfer that we rejected is reported to the other registrar only: the sync sees its end', async () => {
  const owner = await registrar.customer()
  const domain = await registrar.buys(owner, 'polled-kept.com')
  await askedAway(domain)
  await registrar.run(pollRegistries)
  assert.equal((await registry().transferReject(domain, attempt())).kind, 'done')
  await registrar.run(pollRegistries)
  await registrar.makeDue(domain)
  await registrar.run(syncDomains)
  const [kept] = await registrar.query('select * from domains where name = $1', [domain])
  assert.equal(kept?.transfer_out, null)
  assert.equal((await registrar.read(owner, domain)).body.status, 'active')
})

test('a message about a transfer in wakes its order before its next run', async () => {
  const buyer = await registrar.customer()
  const domain = 'polled-in.com'
  await sellElsewhere(registrar, domain)
  const asked = await registrar.request('POST', '/v1/domains/transfer', {
    token: buyer.key,
    body: { domain, auth_code: soldCode },
  })
  assert.equal(asked.body.status, 'transfer_pending', asked.text)
  await registrar.query(`update orders set run_at = '2200-01-01' where domain = $1`, [domain])
  await registrar.run(settleOrders)
  await answerTransfer(registrar, domain, 'approve')
  await registrar.run(pollRegistries)
  await registrar.run(settleOrders)
  const read = await registrar.read(buyer, domain)
  assert.equal(read.body.status, 'active', read.text)
  assert.equal(read.body.operation.state, 'succeeded')
})

test('a domain that arrives without an order raises an alarm, and its message is not a known one', async () => {
  const buyer = await registrar.customer()
  const domain = 'polled-orphan.com'
  await sellElsewhere(registrar, domain)
  const asked = await registrar.request('POST', '/v1/domains/transfer', {
    token: buyer.key,
    body: { domain, auth_code: soldCode },
  })
  assert.equal(asked.body.status, 'transfer_pending', asked.text)
  const [order] = await registrar.query(
    `update orders set alarm = 'late', lease_until = now() where domain = $1 returning id`,
    [domain],
  )
  const release = () =>
    registrar.request('POST', `/v1/internal/parked-orders/${order?.id}/release`, {
      token: registrar.operatorKey,
      body: { reason: 'It took too long.', force: true },
    })
  // The question about the transfer, and the calling back.
  registrar.sandbox.setFault({ name: 'refuse_2306', command: 'domain:transfer', domain, times: 2 })
  assert.equal((await release()).status, 200)
  await answerTransfer(registrar, domain, 'approve')
  await registrar.run(pollRegistries)
  const lines = registrar.logs.filter((line) => line.includes('domain_arrived_without_order'))
  assert.equal(lines.length, 1)
  assert.ok(lines[0]?.includes(domain))
  const rows = await messagesOf(domain)
  const unknown = rows.filter(({ recognized }) => recognized === false)
  assert.equal(unknown.length, 1)
  assert.match(String(unknown[0]?.last_error), /no order/)
  assert.ok(unknown[0]?.handled_at && unknown[0].acked_at)
})

test('a paid command that ends late without an order raises an alarm, too', async () => {
  const about = {
    kind: 'pending_action',
    domain: 'polled-orphan-late.com',
    done: true,
    cl_trid: `${newId('ord')}-1-abcd`,
    sv_trid: 'x',
    at: '2026-05-01T10:00:00.000Z',
  } as const
  const alarms = () => registrar.logs.filter((line) => line.includes(about.domain)).length
  await takeMessage(app, { registry: registry(), message: message('orphan-1', about) })
  assert.equal(alarms(), 1)
  const not = { ...about, done: false }
  await takeMessage(app, { registry: registry(), message: message('orphan-2', not) })
  const ours = { ...about, cl_trid: 'del_1' }
  await takeMessage(app, { registry: registry(), message: message('orphan-3', ours) })
  assert.equal(alarms(), 1)
})

test('a late answer wakes the order of its clTRID, also while it is leased', async () => {
  const owner = await registrar.customer()
  await registrar.buys(owner, 'polled-late.com')
  const [order] = await registrar.query(
    `update orders set state = 'accepted', closed_at = null, run_at = '2200-01-01',
            lease_until = '2200-01-01', lease_token = 'mine'
      where domain = 'polled-late.com' returning id`,
  )
  const about = {
    kind: 'pending_action',
    domain: 'another-spelling.com',
    done: true,
    cl_trid: `${order?.id}-1-abcdefgh.2`,
    sv_trid: 'sv-1',
    at: '2026-05-01T10:00:00.000Z',
  } as const
  const late = { registry: registry(), message: message('late-1', about) }
  assert.deepEqual(await takeMessage(app, late), { taken: 'now' })
  const [changed] = await registrar.query(
    'select recheck_requested, run_at < now() as due from orders where id = $1',
    [order?.id],
  )
  assert.deepEqual(changed, { recheck_requested: true, due: true })
  assert.deepEqual(await takeMessage(app, late), { taken: 'before' })
})

test('an unknown message is stored, raises an alarm, and is acknowledged', async () => {
  const about = { kind: 'other', domain: null } as const
  const odd = { registry: registry(), message: message('odd-1', about, 'Maintenance on Sunday') }
  const before = registrar.logs.length
  assert.deepEqual(await takeMessage(app, odd), { taken: 'now' })
  const [row] = await registrar.query(`select * from registry_messages where msg_id = 'odd-1'`)
  const { recognized, text, kind } = row ?? {}
  assert.deepEqual([recognized, text, kind], [false, 'Maintenance on Sunday', 'other'])
  const alarms = registrar.logs
    .slice(before)
    .filter((line) => line.includes('registry_message_unknown'))
  assert.equal(alarms.length, 1)
})

test('a message whose effects fail is delivered again, and acknowledged after five failures', async () => {
  await registrar.query(`create function poison() returns trigger language plpgsql as
    'begin if new.msg_id = ''poison'' and new.handled_at is not null then raise ''no''; end if;
     return new; end'`)
  await registrar.query(`create trigger poison before update on registry_messages
    for each row execute function poison()`)
  const about = { kind: 'renewal', domain: 'poisoned.com', expires_at: null } as const
  const poison = { registry: registry(), message: message('poison', about) }
  const takings: string[] = []
  for (let i = 0; i < 5; i += 1) takings.push((await takeMessage(app, poison)).taken)
  assert.deepEqual(takings, ['again', 'again', 'again', 'again', 'given_up'])
  const [row] = await registrar.query(`select * from registry_messages where msg_id = 'poison'`)
  assert.deepEqual([row?.failures, row?.last_error, row?.handled_at], [5, 'no', null])
  assert.ok(registrar.logs.some((line) => line.includes('registry_message_failed')))
})

test('messages of a queue whose ids start from one again are new', async () => {
  const about = { kind: 'renewal', domain: 'counted.com', expires_at: null } as const
  const received = (queued_at: string | null) => {
    return { registry: registry(), message: { ...message('1', about), queued_at } }
  }
  assert.equal((await takeMessage(app, received('2026-05-01T10:00:00Z'))).taken, 'now')
  assert.equal((await takeMessage(app, received('2027-05-01T10:00:00Z'))).taken, 'now')
  assert.equal((await takeMessage(app, received(null))).taken, 'now')
  assert.equal((await takeMessage(app, received(null))).taken, 'before')
})

test('two concurrent polls handle a message once', async () => {
  const about = { kind: 'renewal', domain: 'raced.com', expires_at: null } as const
  const received = { registry: registry(), message: message('raced', about) }
  const both = await Promise.all([takeMessage(app, received), takeMessage(app, received)])
  assert.deepEqual(both.map(({ taken }) => taken).sort(), ['before', 'now'])
})

test('authorization information is not kept', async () => {
  const raw =
    '<domain:name>a.com</domain:name><domain:authInfo><domain:pw roid="x">top&amp;secret' +
    '</domain:pw></domain:authInfo><authInfo a="b">\n<pw>two</pw></authInfo ><x/>'
  assert.equal(redacted(raw), '<domain:name>a.com</domain:name><domain:authInfo/><authInfo/><x/>')
  const found = await registry().read('polled-renewal.com', 'normal')
  assert.ok(found.kind === 'done')
  const domain = { ...found.value, auth_info: 'top-secret' }
  const received = { registry: registry(), message: message('secret', { kind: 'domain', domain }) }
  assert.equal((await takeMessage(app, received)).taken, 'now')
  const [row] = await registrar.query(
    `select parsed::text from registry_messages where msg_id = 'secret'`,
  )
  assert.ok(!String(row?.about).includes('top-secret'))
})

test('a queue whose acks are lost is drained all the same', async () => {
  const owner = await registrar.customer()
  const names = ['polled-lost-1.com', 'polled-lost-2.com', 'polled-lost-3.com']
  for (const name of names) await registrar.buys(owner, name)
  await registrar.days(366)
  registrar.sandbox.setFault({ name: 'drop_after', command: 'poll', times: 3 })
  for (let i = 0; i < 8; i += 1) await registrar.run(pollRegistries)
  for (const name of names) assert.equal((await messagesOf(name)).length, 1, name)
  const done = await registry().poll()
  assert.ok(done.kind === 'done' && done.value === null)
})
