// Dates of a registry that cannot be right, for each kind of order and each kind of lie: an answer
// is read back, a reading that does not fit either is parked with an alarm, and until when a name
// is paid never follows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CREATION_LIES, EXPIRY_LIES, type Lie } from '../../../../../sandbox/registry/index.ts'
import {
  answerTransfer,
  deleteBehind,
  sellElsewhere,
  soldCode,
} from '../../../../../test/support/other-registrar.ts'
import type { TestCustomer } from '../../../../../test/support/service.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { addYears } from '../../holdings/lifecycle.ts'
import { settleOrders } from '../settle-orders.job.ts'

const registrar = await lifecycleService()
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

type Scene = { kind: Kind; domain: string; buyer: TestCustomer }

/** The name as the order needs it. */
async function prepared(kind: Kind, words: string): Promise<Scene> {
  const domain = `${kind}-${label(words)}.com`
  const buyer = await registrar.customer()
  if (kind === 'renew' || kind === 'restore')
    await registrar.buys(buyer, domain, { period_years: 3 })
  if (kind === 'transfer') await sellElsewhere(registrar, domain)
  return { kind, domain, buyer }
}

async function order({ kind, domain, buyer }: Scene) {
  const [path, body] = {
    register: ['/v1/domains', { domain, period_years: 2 }] as const,
    renew: [`/v1/domains/${domain}/renew`, { period_years: 1 }] as const,
    transfer: ['/v1/domains/transfer', { domain, auth_code: soldCode }] as const,
    restore: [`/v1/domains/${domain}/restore`, {}] as const,
  }[kind]
  return registrar.request('POST', path, { token: buyer.key, body })
}

/** Orders it while the registry lies, and lets the other registrar approve a transfer. */
async function buy(scene: Scene, lie: Lie, { always }: { always: boolean }) {
  const { kind, domain } = scene
  const times = always ? null : 1
  const arm = (command: string) => sandbox.setFault({ name: lie, command, domain, times })
  if (kind === 'transfer') {
    const answer = await order(scene)
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
  return order(scene)
}

/** Lies about a date that the kind of order goes by. */
function liesAbout(kind: Kind): readonly Lie[] {
  return kind === 'register' ? [...EXPIRY_LIES, ...CREATION_LIES] : EXPIRY_LIES
}

const scenes = new Map<string, Scene>()
for (const kind of kinds)
  for (const lie of liesAbout(kind))
    for (const words of [`${lie}-once`, `${lie}-always`])
      scenes.set(`${kind} ${words}`, await prepared(kind, words))
await registrar.days(20)
for (const { kind, domain } of scenes.values())
  if (kind === 'restore') await deleteBehind(registrar, domain)
await registrar.advance('PT2M')

/** Until when it is paid, by what was bought and by the registry's own ledger of the name. */
function wanted(domain: string): string {
  return iso(sandbox.lookup(domain)?.expires_at)
}

for (const kind of kinds)
  for (const lie of liesAbout(kind)) {
    test(`${kind}: ${lie} in one answer is read back, and paid until is what was bought`, async () => {
      const scene = scenes.get(`${kind} ${lie}-once`) ?? assert.fail()
      const { domain } = scene
      const answer = await buy(scene, lie, { always: false })
      assert.equal(answer.status, 200, answer.text)
      await registrar.query('update orders set run_at = now() where domain = $1', [domain])
      await registrar.run(settleOrders)
      const { state, captures } = await orderOf(domain, kind)
      assert.deepEqual([state, captures], ['succeeded', 1])
      assert.equal((await holdingOf(domain))?.paid, wanted(domain))
      sandbox.clearFaults()
      const read = await registrar.read(scene.buyer, domain)
      assert.equal(read.body.registry_expiry, wanted(domain), read.text)
    })

    test(`${kind}: ${lie} in every answer is parked with an alarm, and never captured with it`, async () => {
      const scene = scenes.get(`${kind} ${lie}-always`) ?? assert.fail()
      const { domain, buyer } = scene
      const before = await holdingOf(domain)
      const answer = await buy(scene, lie, { always: true })
      assert.equal(answer.status, 200, answer.text)
      for (const _ of [1, 2]) {
        await registrar.query('update orders set run_at = now() where domain = $1', [domain])
        await registrar.run(settleOrders)
      }
      const { id, state, alarm, captures, releases } = await orderOf(domain, kind)
      assert.notEqual(state, 'succeeded')
      assert.deepEqual([captures, releases], [0, 0])
      const unreadable = ['date_12026', 'date_no_date', 'date_empty', 'created_no_date']
      if (!unreadable.includes(lie)) {
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

test('a parked order that is settled by force while the registry lies takes no date of it', async () => {
  for (const kind of ['register', 'renew'] as const) {
    const scene = await prepared(kind, 'forced')
    const { domain } = scene
    const term = kind === 'register' ? 2 : 4
    const began = new Date(sandbox.now())
    await buy(scene, 'date_now', { always: true })
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
