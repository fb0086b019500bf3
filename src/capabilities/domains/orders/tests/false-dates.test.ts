// Impossible dates of a registry, for each kind of order and each kind of false date: an answer is
// read back, a reading that does not fit either is parked with an alarm, and `paid until` never
// follows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ByzantineAnswer,
  FALSE_CREATION_DATES,
  FALSE_EXPIRIES,
} from '../../../../../sandbox/registry/index.ts'
import {
  answerTransfer,
  deleteBehind,
  sellElsewhere,
  soldCode,
} from '../../../../../test/support/other-registrar.ts'
import { startService, type TestCustomer } from '../../../../../test/support/service.ts'
import { addYears } from '../../../../kit/clock.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { settleOrders } from '../settle-orders.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const { sandbox } = registrar
type Kind = 'register' | 'renew' | 'transfer' | 'restore'
const kinds: Kind[] = ['register', 'renew', 'transfer', 'restore']
const commands = {
  register: 'domain:create',
  renew: 'domain:renew',
  transfer: 'domain:info',
  restore: 'domain:info',
}
const label = (words: string) => words.replaceAll('_', '-')

/** The order of a name as it stands, whatever became of it. */
async function orderOf(domain: string, type: Kind) {
  const [row] = await registrar.query(
    `select o.*, (select count(*) from ledger_entries e
                   where e.operation_id = o.id and e.type = 'capture')::int as captures,
            (select count(*) from ledger_entries e
              where e.operation_id = o.id and e.type = 'release')::int as releases
       from orders o where o.domain = $1 and o.type = $2`,
    [domain, type],
  )
  return Object(row)
}

async function holdingOf(domain: string) {
  const [row] = await registrar.query(
    `select expiry from domains where name = $1 and ended_at is null`,
    [domain],
  )
  return row && { paid: iso(row.expiry) }
}
const iso = (date: unknown) => (date instanceof Date ? date : new Date(String(date))).toISOString()

type Prepared = { kind: Kind; domain: string; buyer: TestCustomer }

/** The name as the order needs it. */
async function prepare(kind: Kind, words: string): Promise<Prepared> {
  const domain = `${kind}-${label(words)}.com`
  const buyer = await registrar.customer()
  if (kind === 'renew' || kind === 'restore')
    await registrar.buys(buyer, domain, { period_years: 3 })
  if (kind === 'transfer') await sellElsewhere(registrar, domain)
  return { kind, domain, buyer }
}

async function order({ kind, domain, buyer }: Prepared) {
  const [path, body] = {
    register: ['/v1/domains', { domain, period_years: 2 }] as const,
    renew: [`/v1/domains/${domain}/renew`, { period_years: 1 }] as const,
    transfer: ['/v1/domains/transfer', { domain, auth_code: soldCode }] as const,
    restore: [`/v1/domains/${domain}/restore`, {}] as const,
  }[kind]
  return registrar.request('POST', path, { token: buyer.key, body })
}

/**
 * Orders it while the registry answers with false dates, and lets the other registrar approve a
 * transfer.
 */
async function buy(prepared: Prepared, fault: ByzantineAnswer, { always }: { always: boolean }) {
  const { kind, domain } = prepared
  const times = always ? null : 1
  const arm = (command: string) => sandbox.setFault({ name: fault, command, domain, times })
  if (kind === 'transfer') {
    const answer = await order(prepared)
    assert.equal(answer.status, 200, answer.text)
    await answerTransfer(registrar, domain, 'approve')
    arm('domain:info')
    await registrar.query('update orders set run_at = now() where domain = $1', [domain])
    await registrar.run(settleOrders)
    return answer
  }
  // The request reads it first: that reading is true.
  if (kind === 'restore' || kind === 'renew')
    sandbox.setFault({ name: 'slow', command: 'domain:info', domain, delay_ms: 1 })
  arm(commands[kind])
  if (always && kind !== 'restore') arm('domain:info')
  return order(prepared)
}

/** False values of a date that the kind of order goes by. */
function falseDatesOf(kind: Kind): readonly ByzantineAnswer[] {
  return kind === 'register' ? [...FALSE_EXPIRIES, ...FALSE_CREATION_DATES] : FALSE_EXPIRIES
}

const preparations = new Map<string, Prepared>()
for (const kind of kinds)
  for (const fault of falseDatesOf(kind))
    for (const words of [`${fault}-once`, `${fault}-always`])
      preparations.set(`${kind} ${words}`, await prepare(kind, words))
await registrar.days(20)
for (const { kind, domain } of preparations.values())
  if (kind === 'restore') await deleteBehind(registrar, domain)
await registrar.advance('PT2M')

/** Until when it is paid, by what was bought and by the registry's own ledger of the name. */
function wanted(domain: string): string {
  return iso(sandbox.lookup(domain)?.expires_at)
}

for (const kind of kinds)
  for (const fault of falseDatesOf(kind)) {
    test(`${kind}: ${fault} in one answer is read back, and paid until is what was bought`, async () => {
      const prepared = preparations.get(`${kind} ${fault}-once`) ?? assert.fail()
      const { domain } = prepared
      const answer = await buy(prepared, fault, { always: false })
      assert.equal(answer.status, 200, answer.text)
      await registrar.query('update orders set run_at = now() where domain = $1', [domain])
      await registrar.run(settleOrders)
      const { state, captures } = await orderOf(domain, kind)
      assert.deepEqual([state, captures], ['succeeded', 1])
      assert.equal((await holdingOf(domain))?.paid, wanted(domain))
      sandbox.clearFaults()
      const read = await registrar.read(prepared.buyer, domain)
      assert.equal(read.body.registry_expiry, wanted(domain), read.text)
    })

    test(`${kind}: ${fault} in every answer is parked with an alarm, and never captured with it`, async () => {
      const prepared = preparations.get(`${kind} ${fault}-always`) ?? assert.fail()
      const { domain, buyer } = prepared
      const before = await holdingOf(domain)
      const answer = await buy(prepared, fault, { always: true })
      assert.equal(answer.status, 200, answer.text)
      for (const _ of [1, 2]) {
        await registrar.query('update orders set run_at = now() where domain = $1', [domain])
        await registrar.run(settleOrders)
      }
      const { id, state, alarm, captures, releases } = await orderOf(domain, kind)
      assert.notEqual(state, 'succeeded')
      assert.deepEqual([captures, releases], [0, 0])
      const unreadable = ['date_12026', 'date_no_date', 'date_empty', 'created_no_date']
      if (!unreadable.includes(fault)) {
        assert.equal(state, 'parked', answer.text)
        assert.ok(alarm)
      }
      assert.equal((await holdingOf(domain))?.paid, before?.paid)
      assert.notEqual((await registrar.balance(buyer)).split(' ')[1], '0.00')
      sandbox.clearFaults()
      if (state !== 'parked') {
        await registrar.query('update orders set run_at = now() where domain = $1', [domain])
        await registrar.run(settleOrders)
      } else {
        const path = `/v1/internal/parked-orders/${id}/settle`
        const settled = await registrar.request('POST', path, {
          token: registrar.operatorKey,
          body: {},
        })
        assert.equal(settled.status, 200, settled.text)
      }
      assert.equal((await orderOf(domain, kind)).state, 'succeeded')
      assert.equal((await holdingOf(domain))?.paid, wanted(domain))
    })
  }

test('a parked order that is settled by force while the registry answers with false dates takes no date of it', async () => {
  for (const kind of ['register', 'renew'] as const) {
    const prepared = await prepare(kind, 'forced')
    const { domain } = prepared
    const term = kind === 'register' ? 2 : 4
    const began = new Date(sandbox.now())
    await buy(prepared, 'date_now', { always: true })
    const { id, state } = await orderOf(domain, kind)
    assert.equal(state, 'parked')
    const path = `/v1/internal/parked-orders/${id}/settle`
    const body = { force: true }
    const settled = await registrar.request('POST', path, { token: registrar.operatorKey, body })
    assert.equal(settled.status, 200, settled.text)
    const paid = new Date((await holdingOf(domain))?.paid ?? 0)
    assert.ok(Math.abs(paid.getTime() - addYears(began, term).getTime()) < 86_400_000)
    sandbox.clearFaults()
  }
})
