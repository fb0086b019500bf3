// Status, years and the next reading, without I/O.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addYears } from '../../../kit/clock.ts'
import { sameDay, yearsAhead } from '../registry-dates.ts'
import { type LifecycleFacts, lifecycleStatus, nextSync } from './lifecycle.ts'

const now = new Date('2026-11-21T10:00:00Z')
const day = 86_400_000
const facts: LifecycleFacts = {
  expiry: new Date('2027-11-21T10:00:00Z'),
  registry_expiry: new Date('2027-11-21T10:00:00Z'),
  epp_statuses: ['ok'],
  rgp_statuses: [],
}

test("the registry's facts come first, then the date until which it is paid", () => {
  const status = (more: Partial<typeof facts>) => lifecycleStatus({ ...facts, ...more }, now)
  assert.equal(status({}), 'active')
  assert.equal(status({ expiry: now }), 'expired')
  assert.equal(status({ expiry: now, rgp_statuses: ['autoRenewPeriod'] }), 'expired')
  const leaving = ['pendingDelete']
  assert.equal(status({ epp_statuses: leaving, rgp_statuses: ['redemptionPeriod'] }), 'redemption')
  assert.equal(status({ epp_statuses: leaving, rgp_statuses: ['pendingRestore'] }), 'redemption')
  assert.equal(status({ epp_statuses: leaving, rgp_statuses: ['pendingDelete'] }), 'pending_delete')
  assert.equal(status({ epp_statuses: leaving }), 'pending_delete')
  assert.equal(status({ epp_statuses: ['pendingTransfer'] }), 'transfer_pending')
})

test('the next reading: daily, within an hour near an expiry, soon after the expiry', () => {
  const until = (more: Partial<typeof facts>, spread = 0) =>
    (nextSync({ ...facts, ...more }, { now, spread })?.getTime() ?? 0) - now.getTime()
  assert.equal(nextSync(facts, { now, spread: 0 }), null)
  assert.equal(until({ epp_statuses: ['pendingTransfer'] }, 0.5), 0.95 * 3_600_000)
  const near = new Date(now.getTime() + 2 * day)
  assert.ok(until({ expiry: near }) <= 3_600_000)
  assert.ok(until({ epp_statuses: ['pendingTransfer'] }) <= 3_600_000)
  const minutes = new Date(now.getTime() + 5 * 60_000)
  assert.ok(until({ registry_expiry: minutes }) <= 6 * 60_000)
})

test('years are added by the calendar, and counted back', () => {
  assert.equal(
    addYears(new Date('2028-02-29T12:00:00Z'), 1).toISOString(),
    '2029-02-28T12:00:00.000Z',
  )
  assert.equal(
    addYears(new Date('2028-02-29T12:00:00Z'), 4).toISOString(),
    '2032-02-29T12:00:00.000Z',
  )
  const dates = fc.date({
    min: new Date('2000-01-01'),
    max: new Date('2090-01-01'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(dates, fc.integer({ min: 0, max: 10 }), (date, years) => {
      const later = addYears(date, years)
      assert.equal(yearsAhead(date, later), years)
      assert.equal(yearsAhead(later, date), years === 0 ? 0 : -years)
      assert.ok(sameDay(later, later))
    }),
  )
  const ahead = (days: number) => yearsAhead(now, new Date(now.getTime() + days * day))
  assert.deepEqual(
    [-360, -100, -1, 0, 3, 100, 360, 369, 729].map(ahead),
    [-1, 0, 0, 0, 0, 0, 1, 1, 2],
  )
})
