// The nightly trial balance: its schedule, its stored result, its alarm, and that it holds no
// connection of the pool.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { startService } from '../../../../test/support/service.ts'
import { systemCall } from '../../audit/index.ts'
import { checkLedger, isCheckDue } from './check-ledger.job.ts'
import { balance, snapshot } from './trial-balance.ts'

describe('the trial balance of a night', () => {
  const due = (now: string, last: string | null) =>
    isCheckDue(new Date(`${now}:00Z`), last === null ? null : new Date(`${last}:00Z`))

  test('is due from 01:00 to 05:00 UTC, once', () => {
    assert.ok(!due('2026-11-23T00:59', '2026-11-22T01:10'))
    assert.ok(due('2026-11-23T01:00', '2026-11-22T01:10'))
    assert.ok(due('2026-11-23T04:59', '2026-11-22T04:30'))
    assert.ok(!due('2026-11-23T05:00', '2026-11-22T05:00'))
    assert.ok(!due('2026-11-23T04:00', '2026-11-23T01:10'))
  })

  test('is due at any hour where there was none, or none for a day and a half', () => {
    assert.ok(due('2026-11-23T12:00', null))
    assert.ok(!due('2026-11-23T12:00', '2026-11-22T01:10'))
    assert.ok(due('2026-11-23T13:11', '2026-11-22T01:10'))
  })
})

describe('a run of it', async () => {
  const registrar = await startService({ worker: false, settings: { DATABASE_POOL: '1' } })
  const { app } = registrar.service
  const rows = rowsIn(registrar)
  const run = () => checkLedger.run(app, systemCall(app, 'check_ledger'))
  const alarms = () =>
    registrar.logs.map((line) => JSON.parse(line)).filter((line) => line.alarm !== undefined)
  const { key } = await registrar.customer()
  const domain = 'checked-at-night.com'
  const bought = await registrar.request('POST', '/v1/domains', { token: key, body: { domain } })
  assert.equal(bought.status, 200)

  test('stores that the ledger is sound, and raises no alarm', async () => {
    await run()
    const [check, ...more] = await rows('select sound, differing from ledger_checks')
    assert.deepEqual([check, more], [{ sound: true, differing: 0 }, []])
    assert.deepEqual(alarms(), [])
  })

  test('runs while each connection of the pool is in use', async () => {
    const busy = Promise.withResolvers<void>()
    const inUse = Promise.withResolvers<void>()
    const held = app.db.transaction(async () => {
      inUse.resolve()
      await busy.promise
    })
    await inUse.promise
    const { sound } = await app.db.apart((sql) => balance(sql, null), snapshot)
    assert.ok(sound)
    busy.resolve()
    await held
  })

  test('raises the alarm ledger_differs with its runbook, and stores the difference', async () => {
    await rows('delete from ledger_checks')
    await rows(`update ledger_accounts set available = available + 5 where customer_id is not null
                 and currency = 'USD' and available > 0`)
    await run()
    const [check] = await rows('select sound, differing from ledger_checks')
    assert.deepEqual(check, { sound: false, differing: 1 })
    const [alarm] = alarms()
    assert.equal(alarm?.alarm, 'ledger_differs')
    assert.equal(alarm?.runbook, 'docs/runbooks/ledger_differs.md')
  })

  test('is not repeated within the night', async () => {
    const [before] = await rows('select finished_at from ledger_checks')
    await run()
    assert.deepEqual(await rows('select finished_at from ledger_checks'), [before])
  })
})
