// The registries' time on two nodes: measured at the start, announced to the other node, read
// again.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { startSandbox } from '../../../sandbox/registry/index.ts'
import { testDatabase } from '../../../test/support/database.ts'
import {
  openSandboxControl,
  SandboxRefusal,
  SandboxUnreachable,
} from '../../adapters/registry/sandbox-control.ts'
import { openDatabase } from '../../db/database.ts'
import { openCalendar } from '../../kit/clock.ts'
import { followSandboxClock } from './calendar.ts'

const { database, query, url } = await testDatabase()
const sandbox = await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR })
after(() => sandbox.close())
const control = openSandboxControl(sandbox.control)
const log = pino({ level: 'silent' })
const day_ms = 86_400_000

function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 10_000, `${actual}, not about ${expected}`)
}

async function follower(given: typeof control | null, db = database) {
  const calendar = openCalendar()
  const stopListening = await followSandboxClock({ db, log, calendar }, given)
  return { calendar, stopListening }
}

/** Until the listener is notified: it shares one connection with this query. */
async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 20_000
  while (!isSo()) {
    assert.ok(Date.now() < end, 'not notified')
    await query('select pg_sleep(0.01)')
  }
}

test("a start takes the registries' time when their store had jumped, and notifies every node", async () => {
  const idle = await follower(null)
  assert.equal(idle.calendar.offset_ms(), 0)
  assertNear(idle.calendar.now().getTime(), Date.now())
  sandbox.advanceClock(30 * day_ms)
  const starting = await follower(control)
  assertNear(starting.calendar.offset_ms(), 30 * day_ms)
  assert.ok(starting.calendar.now().getTime() <= sandbox.now(), 'never ahead of the registries')
  await until(() => idle.calendar.offset_ms() !== 0)
  assert.equal(idle.calendar.offset_ms(), starting.calendar.offset_ms())
  await Promise.all([idle.stopListening(), starting.stopListening()])
})

test('a start whose registries agree changes nothing', async () => {
  const before = await query('select offset_ms, updated_at from sandbox_clock')
  const { calendar, stopListening } = await follower(control)
  assert.deepEqual(await query('select offset_ms, updated_at from sandbox_clock'), before)
  assert.equal(BigInt(calendar.offset_ms()), before[0]?.offset_ms)
  await stopListening()
})

test('a start with a new store of the registries goes back to their time', async () => {
  const fresh = await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR })
  after(() => fresh.close())
  const { calendar, stopListening } = await follower(openSandboxControl(fresh.control))
  assertNear(calendar.offset_ms(), 0)
  await stopListening()
})

test('a node that lost its listening connection reads the row again', async () => {
  const db = await openDatabase({ url })
  after(() => db.close())
  const { calendar, stopListening } = await follower(null, db)
  const kill = `select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and datname = current_database()
      and query like 'listen "sandbox_clock"%'`
  await query(kill)
  await query('update sandbox_clock set offset_ms = 4242000')
  await until(() => calendar.offset_ms() === 4_242_000)
  await stopListening()
})

test('the control plane is asked over HTTP, and a refusal is distinct from no answer', async () => {
  assert.equal((await control.now()).getTime() <= sandbox.now(), true)
  const before = sandbox.now()
  assertNear((await control.advance(day_ms)).getTime(), before + day_ms)
  await control.setFault({ name: 'drop_after', command: 'domain:create', times: 2 })
  const { known, armed } = await control.faults()
  assert.deepEqual(armed, [{ name: 'drop_after', command: 'domain:create', times: 2 }])
  assert.ok(known.some(({ name, does }) => name === 'fail_2400' && does.includes('2400')))
  await control.clearFaults()
  assert.deepEqual((await control.faults()).armed, [])
  await assert.rejects(control.setFault({ name: 'no_such' }), SandboxRefusal)
  await assert.rejects(control.advance(-1), SandboxRefusal)
  const wrong = openSandboxControl({ ...sandbox.control, token: 'no' })
  await assert.rejects(wrong.now(), SandboxUnreachable)
  const unreachable = openSandboxControl({ url: 'http://127.0.0.1:1', token: 'no' })
  await assert.rejects(unreachable.now(), SandboxUnreachable)
})
