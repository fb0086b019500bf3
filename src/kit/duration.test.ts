// ISO 8601 durations: read, and added to a moment by the calendar.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDuration, day_ms, parseDuration } from './clock.ts'

const whole = (max: number) => fc.integer({ min: 0, max })

function moved(from: string, text: string): string | undefined {
  const duration = parseDuration(text)
  return duration && addDuration(new Date(from), duration).toISOString()
}

test('every part counts, and parts may be left out', () => {
  assert.deepEqual(parseDuration('P1Y2M3W4DT5H6M7S'), {
    months: 14,
    ms: 25 * day_ms + ((5 * 60 + 6) * 60 + 7) * 1_000,
  })
  assert.deepEqual(parseDuration('P30D'), { months: 0, ms: 30 * day_ms })
  assert.deepEqual(parseDuration('PT90S'), { months: 0, ms: 90_000 })
  assert.deepEqual(parseDuration('P0D'), { months: 0, ms: 0 })
})

test('any other text is undefined', () => {
  const wrong = ['', 'P', 'PT', 'P1', '1D', 'p1d', 'P-1D', '-P1D', 'P1.5D', 'P1DT', 'P1H', 'PT1D']
  for (const text of [...wrong, 'P1D ', ' P1D', 'P1D\n', 'P1M1Y', 'P٣D', 'P123456D'])
    assert.equal(parseDuration(text), undefined, JSON.stringify(text))
})

test('adds months by the calendar, up to the last day of the month', () => {
  assert.equal(moved('2028-02-29T10:00:00Z', 'P1Y'), '2029-02-28T10:00:00.000Z')
  assert.equal(moved('2028-02-29T10:00:00Z', 'P4Y'), '2032-02-29T10:00:00.000Z')
  assert.equal(moved('2027-01-31T00:00:00Z', 'P1M'), '2027-02-28T00:00:00.000Z')
  assert.equal(moved('2027-12-31T23:59:59Z', 'P2MT1S'), '2028-03-01T00:00:00.000Z')
})

test('it never moves back, and the days of months never spill over', () => {
  const moment = fc.date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(moment, fc.tuple(whole(100), whole(30), whole(1_000)), (from, parts) => {
      const [years, months, days] = parts
      const duration = parseDuration(`P${years}Y${months}M`)
      assert.ok(duration)
      const to = addDuration(from, duration)
      assert.ok(to >= from)
      const passed = (to.getUTCFullYear() - from.getUTCFullYear()) * 12
      assert.equal(passed + to.getUTCMonth() - from.getUTCMonth(), years * 12 + months)
      const later = addDuration(from, parseDuration(`P${days}D`) ?? assert.fail())
      assert.equal(later.getTime() - from.getTime(), days * day_ms)
    }),
  )
})
