// Term verification: the possible expiries after a purchase, as tables for each kind of order, and
// for any dates.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { RegistryDomain } from '../../../../adapters/registry/port.ts'
import { addDays, addYears } from '../../../../kit/clock.ts'
import { sameDay } from '../../registry-dates.ts'
import type { RenewOrder, RestoreOrder } from '../order.ts'
import {
  type Circumstances,
  registeredTerm,
  renewedTerm,
  restoredTerm,
  type Term,
  transferredTerm,
} from './term-verification.ts'

const sent = '2026-11-21T10:00:00.000Z'
const at = (now: string, more: Partial<Circumstances> = {}): Circumstances => {
  return { now: new Date(now), first_sent_at: new Date(sent), max_term_years: 10, ...more }
}
const shown = (facts: Partial<RegistryDomain>): RegistryDomain => ({
  domain: 'a.com',
  roid: 'R1',
  sponsor: 'us',
  created_at: '2020-01-31T00:00:00Z',
  updated_at: null,
  expires_at: '',
  epp_statuses: ['ok'],
  rgp_statuses: [],
  nameservers: [],
  registrant: null,
  contacts: [],
  auth_info: null,
  transferred_at: sent,
  ...facts,
})

/** "fits <paid until>", or "mismatch". */
function decision({ paid_until, mismatch }: Term): string {
  return mismatch === null ? `fits ${paid_until.toISOString()}` : 'mismatch'
}

describe('a registration for two years', () => {
  const created = '2026-11-21T10:00:01.000Z'
  const fits = 'fits 2028-11-21T10:00:01.000Z'
  for (const [why, now, created_at, expires_at, wanted] of [
    ['the years bought', sent, created, '2028-11-21T10:00:01.000Z', fits],
    [
      'a day more, by a time zone',
      sent,
      created,
      '2028-11-22T00:00:00.000Z',
      'fits 2028-11-22T00:00:00.000Z',
    ],
    ['two days more', sent, created, '2028-11-23T10:00:01.000Z', 'mismatch'],
    ['a year less', sent, created, '2027-11-21T10:00:01.000Z', 'mismatch'],
    ['now', sent, created, created, 'mismatch'],
    ['1970', sent, created, '1970-01-01T00:00:00.000Z', 'mismatch'],
    ['a year more', sent, created, '2029-11-21T10:00:01.000Z', 'mismatch'],
    [
      'a year more, which the registry added since',
      '2028-11-22T00:00:00Z',
      created,
      '2029-11-21T10:00:01.000Z',
      fits,
    ],
    [
      'two years more, where it can have added one',
      '2028-11-22T00:00:00Z',
      created,
      '2030-11-21T10:00:01.000Z',
      'mismatch',
    ],
    ['ten years more', sent, created, '2038-11-21T10:00:01.000Z', 'mismatch'],
    [
      'made before it was sent',
      sent,
      '2025-11-21T10:00:01.000Z',
      '2027-11-21T10:00:01.000Z',
      'mismatch',
    ],
    ['made in 1970', sent, '1970-01-01T00:00:00.000Z', '1972-01-01T00:00:00.000Z', 'mismatch'],
    ['made tomorrow', sent, '2026-11-23T10:00:01.000Z', '2028-11-23T10:00:01.000Z', 'mismatch'],
    ['made at no time', sent, null, '2028-11-21T10:00:01.000Z', 'mismatch'],
  ] as const)
    test(why, () => {
      const term = registeredTerm({ period_years: 2 }, { created_at, expires_at }, at(now))
      assert.equal(decision(term), wanted)
      // Whatever is shown, an operator's end of it is by what was bought.
      if (term.mismatch !== null) assert.ok(sameDay(term.paid_until, addYears(new Date(sent), 2)))
    })

  test('verifies a term from 29 February', () => {
    const created_at = '2028-02-29T10:00:00Z'
    const circumstances = { ...at(created_at), first_sent_at: new Date(created_at) }
    for (const expires_at of ['2029-02-28T10:00:00Z', '2029-03-01T10:00:00Z'])
      assert.equal(
        registeredTerm({ period_years: 1 }, { created_at, expires_at }, circumstances).mismatch,
        null,
      )
  })
})

const renewal: RenewOrder = {
  period_years: 2,
  paid_until: '2027-01-31T08:00:00.000Z',
  registry_expiry: '2027-01-31T08:00:00.000Z',
  send_years: 2,
  fee: null,
}

describe('a renewal for two years', () => {
  const fits = 'fits 2029-01-31T08:00:00.000Z'
  const added = { ...renewal, registry_expiry: '2028-01-31T08:00:00.000Z', send_years: 1 }
  const all = { ...renewal, registry_expiry: '2029-01-31T08:00:00.000Z', send_years: 0 }
  const behind = { ...renewal, registry_expiry: '2026-01-31T08:00:00.000Z', send_years: 3 }
  for (const [why, command, expires_at, wanted] of [
    ['the years sent', renewal, '2029-01-31T08:00:00Z', fits],
    ['a day more: paid is what was bought', renewal, '2029-02-01T08:00:00Z', fits],
    ['the old date', renewal, '2027-01-31T08:00:00Z', 'mismatch'],
    ['now', renewal, sent, 'mismatch'],
    ['a year less', renewal, '2028-01-31T08:00:00Z', 'mismatch'],
    ['a year more', renewal, '2030-01-31T08:00:00Z', 'mismatch'],
    ['ten years more', renewal, '2039-01-31T08:00:00Z', 'mismatch'],
    ['one year was there, one was sent', added, '2029-01-31T08:00:00Z', fits],
    ['one year was there, and nothing was added', added, '2028-01-31T08:00:00Z', 'mismatch'],
    ['both were there, nothing was sent', all, '2029-01-31T08:00:00Z', fits],
    ['both were there, and one is gone', all, '2028-01-31T08:00:00Z', 'mismatch'],
    ['a year that was removed, and two', behind, '2029-01-31T08:00:00Z', fits],
  ] as const)
    test(why, () => {
      const term = renewedTerm(command, { expires_at, created_at: null })
      assert.equal(decision(term), wanted)
      // Paid is never the registry's word.
      assert.equal(term.paid_until.toISOString(), '2029-01-31T08:00:00.000Z')
      assert.equal(term.years, 2)
    })
})

describe('a transfer in', () => {
  const now = '2026-11-26T10:00:00.000Z'
  for (const [why, expires_at, recorded, wanted] of [
    ['a year more than it had', '2029-06-01T00:00:00.000Z', null, true],
    ['as its record shows', '2029-06-01T00:00:00.000Z', '2029-06-01T00:00:00Z', true],
    ['other than its record shows', '2030-06-01T00:00:00.000Z', '2029-06-01T00:00:00Z', false],
    ['from within the auto-renew grace', '2027-10-10T00:00:00.000Z', null, true],
    ['no year was added', '2027-06-01T00:00:00.000Z', null, false],
    ['in the past', '2026-06-01T00:00:00.000Z', null, false],
    ['1970', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00Z', false],
    ['ten years', '2036-11-26T00:00:00.000Z', null, true],
    ['more than ten years', '2037-11-26T00:00:00.000Z', null, false],
  ] as const)
    test(why, () => {
      const purchased = { expires_at, created_at: null, transfer_expires_at: recorded }
      const circumstances = at(now, { found: shown({ expires_at, transferred_at: now }) })
      const term = transferredTerm({ period_years: 1 }, purchased, circumstances)
      assert.equal(term.mismatch === null, wanted, term.mismatch ?? 'it fits')
      const paid = wanted ? expires_at : addYears(new Date(now), 1).toISOString()
      assert.equal(term.paid_until.toISOString(), paid)
    })
})

describe('a restore', () => {
  const ended = '2026-10-31T08:00:00.000Z'
  const running = '2027-10-31T08:00:00.000Z'
  const command = (paid_until: string, registry_expiry: string): RestoreOrder => {
    return { paid_until, registry_expiry, period_years: 1, fee: null }
  }
  for (const [why, paid, before, expires_at, wanted] of [
    ['its term runs', running, running, running, `fits ${running}`],
    ['its term runs, and a year more', running, running, '2028-10-31T08:00:00.000Z', 'mismatch'],
    ['its term ran out: a year', ended, ended, '2027-10-31T08:00:00.000Z', `fits ${running}`],
    ['its term ran out: the old date', ended, ended, ended, `fits ${ended}`],
    ['its term ran out: two years', ended, ended, '2028-10-31T08:00:00.000Z', 'mismatch'],
    ['a paid year was removed', running, ended, ended, `fits ${running}`],
    ['now', running, running, sent, 'mismatch'],
    ['1970', running, running, '1970-01-01T00:00:00.000Z', 'mismatch'],
    ['ten years more', running, running, '2037-10-31T08:00:00.000Z', 'mismatch'],
  ] as const)
    test(why, () => {
      const purchased = { expires_at, created_at: null }
      const term = restoredTerm(command(paid, before), purchased, at(sent))
      assert.equal(decision(term), wanted)
      assert.ok(term.paid_until >= new Date(paid))
    })

  test('an auto-renewed year of that moment is not paid by the order', () => {
    const purchased = { expires_at: '2027-10-31T08:00:00.000Z', created_at: null }
    const found = shown({ rgp_statuses: ['autoRenewPeriod'] })
    const term = restoredTerm(command(ended, ended), purchased, at(sent, { found }))
    assert.equal(decision(term), `fits ${ended}`)
  })

  test('an order from an older version knows no date of the registry', () => {
    const old: RestoreOrder = { paid_until: running, period_years: 1, fee: null }
    const purchased = { expires_at: ended, created_at: null }
    assert.equal(decision(restoredTerm(old, purchased, at(sent))), `fits ${running}`)
  })
})

test('any date at all: what fits is within a day of what was bought, and years are those paid', () => {
  const day = fc.integer({ min: -20_000, max: 20_000 })
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 10 }), (days, years) => {
      const expires_at = addDays(new Date(sent), days).toISOString()
      const purchased = { expires_at, created_at: sent }
      const first = registeredTerm({ period_years: years }, purchased, at(sent))
      const due = addYears(new Date(sent), years)
      assert.equal(first.mismatch === null, sameDay(new Date(expires_at), due))
      assert.ok(sameDay(first.paid_until, due))
      const command = { ...renewal, period_years: years, send_years: years }
      const next = renewedTerm(command, purchased)
      const wanted = addYears(new Date(renewal.paid_until), years)
      assert.equal(next.mismatch === null, sameDay(new Date(expires_at), wanted))
      assert.equal(next.paid_until.getTime(), wanted.getTime())
    }),
  )
})
