// Any sequence of answers with any dates: no order ends twice, no date of a registry moves paid
// until, and no name that is paid is deleted. First over the rules alone, then through a whole
// service against a registry with false dates.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ByzantineAnswer, FALSE_EXPIRIES } from '../../../../../sandbox/registry/index.ts'
import { startService } from '../../../../../test/support/service.ts'
import type { Outcome, RegistryDomain } from '../../../../adapters/registry/port.ts'
import { addDays, addYears } from '../../../../kit/clock.ts'
import { deleteUnrenewed } from '../../expiry/delete-unrenewed.job.ts'
import {
  possibleRenewals,
  registryRenewal,
  wholeYears,
} from '../../holdings/expiry-plausibility.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { syncDomains } from '../../holdings/sync-domains.job.ts'
import { sameDay } from '../../registry-dates.ts'
import type { RenewOrder } from '../order.ts'
import { type ReadDecision, reconcileAnswer, reconcileReadBack } from '../reconcile/reconcile.ts'
import { reconcileRenewal } from '../reconcile/reconcile-renew.ts'
import { renewedTerm } from '../reconcile/term-verification.ts'
import { settleOrders } from '../settle-orders.job.ts'

const sent = new Date('2026-11-21T10:00:00Z')
const fence = new Date('2027-01-31T08:00:00Z')
const shownDates = (right: Date) =>
  fc.oneof(
    fc.constantFrom(right, fence, sent, new Date(0), new Date('9999-12-31T00:00:00Z')),
    fc.constantFrom(1, 2, 10, -1).map((years) => addYears(right, years)),
    fc.integer({ min: -9_000, max: 9_000 }).map((days) => addDays(sent, days)),
  )

function info(expires_at: Date): Outcome<RegistryDomain> {
  const value: RegistryDomain = {
    domain: 'a.com',
    roid: 'R1',
    sponsor: 'us',
    created_at: '2020-01-31T08:00:00Z',
    updated_at: null,
    expires_at: expires_at.toISOString(),
    epp_statuses: ['ok'],
    rgp_statuses: [],
    nameservers: [],
    registrant: null,
    contacts: [],
    auth_info: null,
    transferred_at: null,
  }
  return { kind: 'done', value, sv_trid: null }
}

/**
 * One round of a renewal as purchase.ts goes: the answer, and what is read where it does not fit.
 */
function round(command: RenewOrder, answer: Date, readings: readonly Date[]): ReadDecision {
  const purchased = { expires_at: answer.toISOString(), created_at: null }
  const decision = reconcileAnswer({ kind: 'done', value: purchased, sv_trid: null }, 1)
  const { mismatch } = renewedTerm(command, purchased)
  if (mismatch === null && decision.do === 'capture') return decision
  const order = { sponsor: 'us', first_sent_at: sent, fingerprints: [], command, now: sent }
  const why = { after: 'acceptance' } as const
  const seen = readings.map((date): ReadDecision => {
    const decided = reconcileRenewal(info(date), { ...order, shows_pending: true }, why)
    if (decided.do !== 'capture') return decided
    const { mismatch } = renewedTerm(command, decided.purchased)
    return mismatch === null ? decided : { do: 'park', detail: mismatch }
  })
  const [first, second] = seen
  const last = first?.do === 'park' ? second : first
  return reconcileReadBack(last ?? { do: 'park', detail: '' }, mismatch ?? '')
}

test('a renewal answered "done" with any dates is captured only with the years that were sent', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }).chain((years) => {
        const dates = shownDates(addYears(fence, years))
        return fc.tuple(fc.constant(years), dates, dates, dates)
      }),
      ([years, answer, first, second]) => {
        const command: RenewOrder = {
          period_years: years,
          paid_until: fence.toISOString(),
          registry_expiry: fence.toISOString(),
          send_years: years,
          fee: null,
        }
        const decision = round(command, answer, [first, second])
        const right = addYears(fence, years)
        // Never released and never sent again: its registry has confirmed it.
        assert.ok(['capture', 'park', 'wait'].includes(decision.do), decision.do)
        if (decision.do !== 'capture') return
        assert.ok(sameDay(new Date(decision.purchased.expires_at), right))
        assert.equal(renewedTerm(command, decision.purchased).paid_until.getTime(), right.getTime())
      },
    ),
    { numRuns: 1_000 },
  )
})

test('no reading makes a domain unrenewed whose term is not over, nor by years that could not be added', () => {
  const days = fc.integer({ min: -4_000, max: 4_000 })
  fc.assert(
    fc.property(days, days, (shownAfter, now) => {
      const [shown, at] = [addDays(fence, shownAfter), addDays(fence, now)]
      if (registryRenewal(fence, shown, at) !== 'added') return
      assert.ok(now >= -1)
      const years = wholeYears(fence, shown) ?? Number.NaN
      assert.ok(years >= 1 && years <= possibleRenewals(fence, at))
    }),
    { numRuns: 2_000 },
  )
})

const registrar = await lifecycleService(await startService({ worker: false }))
const { sandbox } = registrar

type MaybeFalse = ByzantineAnswer | null
type Step =
  | { do: 'renew'; years: number; answer: MaybeFalse; reading: MaybeFalse; times: number }
  | { do: 'sync' | 'delete_unrenewed'; reading: MaybeFalse }
  | { do: 'settle' }
  | { do: 'days'; days: number }

const falseDate = fc.option(fc.constantFrom(...FALSE_EXPIRIES), { nil: null })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('renew' as const),
    years: fc.integer({ min: 1, max: 2 }),
    answer: falseDate,
    reading: falseDate,
    times: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    do: fc.constantFrom('sync' as const, 'delete_unrenewed' as const),
    reading: falseDate,
  }),
  fc.constant({ do: 'settle' as const }),
  fc.record({ do: fc.constant('days' as const), days: fc.constantFrom(1, 40, 200, 366) }),
)

let names = 0

async function take(one: Step, { domain, key }: { domain: string; key: string }): Promise<void> {
  const reads = (name: MaybeFalse, times: number | null) => {
    if (name) sandbox.setFault({ name, command: 'domain:info', domain, times })
  }
  const soon = () => registrar.makeDue(domain)
  switch (one.do) {
    case 'renew': {
      const { answer: name, reading, years: period_years, times } = one
      if (name) sandbox.setFault({ name, command: 'domain:renew', domain })
      reads(reading, times)
      const path = `/v1/domains/${domain}/renew`
      const { status, text } = await registrar.request('POST', path, {
        token: key,
        body: { period_years },
      })
      assert.ok(status < 500 || status === 503, text)
      break
    }
    case 'sync':
    case 'delete_unrenewed':
      await soon()
      reads(one.reading, null)
      await registrar.run(one.do === 'sync' ? syncDomains : deleteUnrenewed)
      break
    case 'settle':
      await registrar.query('update orders set run_at = now() where closed_at is null')
      await registrar.run(settleOrders)
      break
    case 'days':
      await registrar.days(one.days)
  }
  sandbox.clearFaults()
}

/** The captures of the name in the ledger, in years. */
async function ledgerOf(domain: string) {
  const [row] = await registrar.query(
    `select d.registered_at, d.expiry, d.deletion_at, d.ended_at,
            (select coalesce(sum((o.command->>'period_years')::int), 0)::int from orders o
              where o.domain = d.name and o.state = 'succeeded') as years,
            (select count(*)::int from orders o
               join ledger_entries e on e.operation_id = o.id
                and e.type in ('capture', 'release')
              where o.domain = d.name) as ends,
            (select count(*)::int from orders o
              where o.domain = d.name and o.closed_at is not null) as closed
       from domains d where d.name = $1`,
    [domain],
  )
  return Object(row)
}

test('any renewals, syncs and jumps with any false dates: paid until is the ledger, and paid names stay', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      names += 1
      const buyer = await registrar.customer({ funds_cents: 1_000_000 })
      const domain = await registrar.buys(buyer, `any-${names}.com`)
      for (const one of steps) {
        const before = await ledgerOf(domain)
        if (before.ended_at !== null || before.deletion_at !== null) break
        await take(one, { domain, key: buyer.key })
        const after = await ledgerOf(domain)
        const now = new Date(sandbox.now())
        const paid = addYears(after.registered_at, after.years)
        assert.ok(sameDay(after.expiry, paid), `${after.expiry} is not ${paid}`)
        assert.equal(after.ends, after.closed, 'one end of each closed order')
        const gone = sandbox.lookup(domain)?.rgp_statuses.includes('redemptionPeriod') ?? true
        if (gone) assert.ok(addDays(paid, 34) < now, `deleted, and paid until ${paid}`)
      }
      // Settles what the steps left open; what cannot be explained is parked, with its hold.
      await take({ do: 'settle' }, { domain, key: buyer.key })
      const end = await ledgerOf(domain)
      assert.equal(end.ends, end.closed)
    }),
    { numRuns: 10 },
  )
})
