// The database's time on a machine whose own clock steps, and the warnings about that.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { pino } from 'pino'
import { testDatabase } from '../../test/support/database.ts'
import { openDatabase } from '../db/database.ts'
import { databaseTime } from '../db/server.sql.ts'
import { estimateOf, openSyncedClock, skew_alarm_ms } from './clock.ts'

const { database, url } = await testDatabase()
const hour_ms = 3_600_000

/** The longest that a question was under way: by so much its answer may be off. */
let trip_ms = 0

async function askedTime(db = database): Promise<Date> {
  const asked_ms = performance.now()
  const time = await databaseTime(db)
  trip_ms = Math.max(trip_ms, performance.now() - asked_ms)
  return time
}

function opened(machine_ms: () => number, db = database) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const machine = { now: () => new Date(machine_ms()) }
  return {
    lines,
    opening: openSyncedClock({
      server_time: () => askedTime(db),
      log,
      machine,
      every_ms: hour_ms,
    }),
  }
}

test("it shows the database's time, whatever the machine's clock shows", async () => {
  for (const ahead_ms of [26 * hour_ms, 0, -26 * hour_ms]) {
    const clock = await opened(() => Date.now() + ahead_ms).opening
    after(() => clock.close())
    const before = (await askedTime()).getTime()
    const shown = clock.now().getTime()
    const behind = (await askedTime()).getTime()
    const off_ms = 250 + trip_ms
    assert.ok(shown >= before - off_ms && shown <= behind + off_ms, `${before} ${shown} ${behind}`)
    assert.ok(Math.abs(clock.skew_ms() - ahead_ms) < off_ms, String(clock.skew_ms()))
  }
})

test("a step of the machine's clock moves nothing, and raises the alarm once", async () => {
  let step_ms = 0
  const { lines, opening } = opened(() => Date.now() + step_ms)
  const clock = await opening
  after(() => clock.close())
  const alarms = () => lines.filter(({ alarm }) => alarm === 'clock_skew')
  for (const [set_ms, rung] of [
    [0, 0],
    [skew_alarm_ms - 5_000, 0],
    [skew_alarm_ms + 5_000, 1],
    [26 * hour_ms, 1],
    [0, 1],
    [-skew_alarm_ms - 5_000, 2],
  ] as const) {
    const before = clock.now().getTime() - performance.now()
    step_ms = set_ms
    await clock.measure()
    const moved = clock.now().getTime() - performance.now() - before
    assert.ok(Math.abs(moved) < 250 + trip_ms, `${moved} ms by a step of ${set_ms} ms`)
    assert.equal(alarms().length, rung, `after a step of ${set_ms} ms`)
  }
  assert.ok(Math.abs(Number(alarms()[1]?.skew_ms) + skew_alarm_ms + 5_000) < 1_000)
})

test('while the database is down the clock continues, and no start succeeds without it', async () => {
  const db = await openDatabase({ url })
  const { opening } = opened(() => 0, db)
  const clock = await opening
  await db.close()
  await assert.rejects(clock.measure())
  const first = clock.now().getTime()
  assert.ok(Math.abs(first - Date.now()) < 5_000)
  await clock.close()
  await assert.rejects(opened(() => 0, db).opening)
})

test('an estimate stays within each measurement, and a slow answer moves it not at all', () => {
  const actual = 1_000_000
  // How long the question and the answer were on their way.
  const trip = fc.record({ there: fc.integer({ min: 0, max: 5_000 }), back: fc.nat(5_000) })
  fc.assert(
    fc.property(fc.array(trip, { minLength: 1, maxLength: 20 }), (trips) => {
      let last: number | null = null
      let best = Number.POSITIVE_INFINITY
      for (const { there, back } of trips) {
        const before: number | null = last
        last = estimateOf(before, { least: actual - back, most: actual + there })
        best = Math.min(best, there + back)
        assert.ok(Math.abs(last - actual) <= best, 'as precise as the fastest answer')
        if (before !== null) assert.ok(Math.abs(last - actual) <= Math.abs(before - actual))
      }
    }),
  )
})
