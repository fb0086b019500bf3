// The rules of captures and releases for renewals, transfers and restores, without I/O.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type {
  Outcome,
  Refusal,
  RegistryDomain,
  RegistryTransfer,
  Unknown,
} from '../../../../adapters/registry/port.ts'
import { addYears } from '../../../../kit/clock.ts'
import type { RenewOrder } from '../order.ts'
import type { ReadReason } from './reconcile.ts'
import { reconcileRenewal } from './reconcile-renew.ts'
import { reconcileRestore } from './reconcile-restore.ts'
import { reconcileMoved, reconcileTransfer } from './reconcile-transfer.ts'

const sentAt = new Date('2026-11-21T10:00:00Z')
const order = { sponsor: 'us', first_sent_at: sentAt, fingerprints: [] }
const accepted: ReadReason = { after: 'acceptance' }
const silent: ReadReason = { after: 'silence' }
const refusedBy = (reason: Refusal): ReadReason => ({
  after: 'refusal',
  refused: { reason, message: reason },
})
const whys: ReadReason[] = [accepted, silent, refusedBy('fee_mismatch'), refusedBy('status')]
const causes: Unknown[] = ['silence', 'server_failed', 'session_limit', 'unreachable']

function refused(reason: Refusal): Outcome<never> {
  return { kind: 'refused', reason, code: null, message: reason, sv_trid: null }
}
function unknown(cause: Unknown): Outcome<never> {
  return { kind: 'unknown', cause, message: cause }
}
function found(facts: Partial<RegistryDomain>): Outcome<RegistryDomain> {
  const value: RegistryDomain = {
    domain: 'a.com',
    roid: 'R1',
    sponsor: 'us',
    created_at: '2025-01-31T00:00:00Z',
    updated_at: null,
    expires_at: '2027-01-31T00:00:00Z',
    epp_statuses: ['ok'],
    rgp_statuses: [],
    nameservers: [],
    registrant: null,
    contacts: [],
    auth_info: null,
    transferred_at: null,
    ...facts,
  }
  return { kind: 'done', value, sv_trid: null }
}

const moved = (
  read: Outcome<RegistryDomain>,
  why: ReadReason,
  record: RegistryTransfer | undefined = undefined,
) => reconcileMoved(read, order, { why, record })

const fence = '2027-01-31T00:00:00.000Z'
function renewal(send_years: number, now = sentAt) {
  const command: RenewOrder = {
    period_years: Math.max(1, send_years),
    paid_until: fence,
    registry_expiry: fence,
    send_years,
    fee: null,
  }
  return { ...order, command, now, shows_pending: true }
}
const after = (years: number) => addYears(new Date(fence), years).toISOString()

test('a renewal is captured exactly when the expiry is the fence plus the years sent', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 0, max: 11 }),
      fc.constantFrom(...whys),
      (sent, shown, why) => {
        const read = found({ expires_at: after(shown), rgp_statuses: ['renewPeriod'] })
        const decision = reconcileRenewal(read, renewal(sent), why)
        if (shown === sent) assert.equal(decision.do, 'capture')
        else assert.notEqual(decision.do, 'capture')
        // Money goes back only while nothing was added, and only by the registry's word.
        if (decision.do === 'release') assert.ok(shown === 0 && why.after !== 'silence')
      },
    ),
  )
})

test('a fence that is refused as not the expiry, by a registry that shows it as the expiry, parks', () => {
  const contradicted = refusedBy('expiry_mismatch')
  const decision = reconcileRenewal(found({ expires_at: after(0) }), renewal(1), contradicted)
  assert.equal(decision.do, 'park')
  const moved = reconcileRenewal(found({ expires_at: after(1) }), renewal(1), contradicted)
  assert.equal(moved.do, 'capture')
})

test('2004 of a re-sent renewal is its own success where the year is there, else its refusal', () => {
  const why = refusedBy('fee_mismatch')
  assert.equal(reconcileRenewal(found({ expires_at: after(1) }), renewal(1), why).do, 'capture')
  const decision = reconcileRenewal(found({ expires_at: after(0) }), renewal(1), why)
  assert.deepEqual(decision.do === 'release' && decision.code, 'price_changed')
})

test('the one year that the registry may have auto-renewed is explained by the grace period, otherwise parked', () => {
  const late = new Date('2027-02-01T00:00:00Z')
  const shows = (rgp_statuses: string[]) => found({ expires_at: after(1), rgp_statuses })
  const decided = (rgp: string[]) => reconcileRenewal(shows(rgp), renewal(1, late), silent).do
  assert.equal(decided(['renewPeriod']), 'capture')
  assert.equal(decided(['autoRenewPeriod']), 'capture')
  assert.equal(decided([]), 'park')
  assert.equal(reconcileRenewal(shows([]), renewal(1), silent).do, 'capture', 'not due yet')
})

test('an accepted renewal that no status shows as pending waits while the expiry has not moved', () => {
  const unmoved = found({ expires_at: fence })
  const unseen = { ...renewal(1), shows_pending: false }
  const decision = reconcileRenewal(unmoved, unseen, accepted)
  assert.equal(decision.do === 'wait' && decision.state, 'accepted')
  assert.equal(reconcileRenewal(found({ expires_at: after(1) }), unseen, accepted).do, 'capture')
  assert.equal(reconcileRenewal(unmoved, renewal(1), accepted).do, 'release')
})

test('captures an already added year only while the registry still shows it', () => {
  assert.equal(reconcileRenewal(found({ expires_at: fence }), renewal(0), silent).do, 'capture')
  const leaving = found({ expires_at: fence, rgp_statuses: ['redemptionPeriod'] })
  assert.equal(reconcileRenewal(leaving, renewal(0), silent).do, 'park')
  assert.equal(reconcileRenewal(found({ expires_at: after(-1) }), renewal(0), silent).do, 'park')
})

test('renewal across 29 February: 28 February and 1 March are both that day', () => {
  const leap = {
    ...renewal(1),
    command: { ...renewal(1).command, registry_expiry: '2028-02-29T00:00:00Z' },
  }
  for (const expires_at of ['2029-02-28T00:00:00Z', '2029-03-01T00:00:00Z'])
    assert.equal(reconcileRenewal(found({ expires_at }), leap, silent).do, 'capture', expires_at)
  assert.equal(
    reconcileRenewal(found({ expires_at: '2028-02-29T23:59:59Z' }), leap, silent).do,
    'send',
  )
})

test('no unknown reading of any kind releases, captures or sends', () => {
  for (const cause of causes)
    for (const why of whys)
      for (const decision of [
        reconcileRenewal(unknown(cause), renewal(1), why),
        reconcileTransfer(unknown(cause), order, why),
        moved(unknown(cause), why),
        reconcileRestore(unknown(cause), order, why),
      ])
        assert.equal(decision.do, 'wait', cause)
})

test('parks the order of a renewed domain that another registrar holds now', () => {
  for (const why of whys) {
    assert.equal(reconcileRenewal(found({ sponsor: 'them' }), renewal(1), why).do, 'park')
    assert.equal(reconcileRenewal(refused('not_ours'), renewal(1), why).do, 'park')
  }
})

function asked(facts: Partial<RegistryTransfer>): Outcome<RegistryTransfer> {
  const value: RegistryTransfer = {
    domain: 'a.com',
    status: 'pending',
    requested_by: 'us',
    requested_at: '2026-11-21T10:00:01Z',
    acts: 'them',
    acts_at: '2026-11-26T10:00:01Z',
    expires_at: null,
    ...facts,
  }
  return { kind: 'done', value, sv_trid: null }
}

test('2300 to a re-sent transfer is our own request if that is ours and recent', () => {
  const why = refusedBy('pending_transfer')
  assert.equal(reconcileTransfer(asked({}), order, why).do, 'wait')
  assert.equal(reconcileTransfer(asked({ requested_by: 'third' }), order, why).do, 'release')
})

test('a transfer ends by the decision of either registrar, or of the registry', () => {
  for (const why of whys) {
    assert.equal(
      reconcileTransfer(asked({ status: 'clientApproved' }), order, why).do,
      'read_domain',
    )
    assert.equal(
      reconcileTransfer(asked({ status: 'serverApproved' }), order, why).do,
      'read_domain',
    )
    for (const status of ['clientRejected', 'clientCancelled', 'serverCancelled'] as const)
      assert.equal(
        reconcileTransfer(asked({ status }), order, why).do,
        // It may be an earlier order's end while nothing of this one has been seen.
        why.after === 'silence' ? 'send' : 'release',
      )
  }
})

test('a pending transfer of ours is never released because two clocks differ', () => {
  const why = refusedBy('pending_transfer')
  const early = { requested_at: '2026-11-21T09:50:00Z' }
  assert.equal(reconcileTransfer(asked(early), order, why).do, 'park')
  assert.equal(reconcileTransfer(asked({ ...early, requested_by: 'b' }), order, why).do, 'release')
})

test('an accepted order stays accepted while it cannot be read', () => {
  for (const decision of [
    reconcileRenewal(refused('policy'), renewal(1), accepted),
    moved(refused('policy'), accepted),
    reconcileRestore(refused('policy'), order, accepted),
    moved(unknown('unreachable'), accepted),
  ])
    assert.equal(decision.do === 'wait' && decision.state, 'accepted')
})

test('a transfer of another time decides nothing about this order', () => {
  const old = asked({ status: 'clientRejected', requested_at: '2026-01-01T00:00:00Z' })
  for (const why of whys) assert.equal(reconcileTransfer(old, order, why).do, 'read_domain')
})

test('without a date of the transfer, its record is the proof', () => {
  const ours = found({ transferred_at: null })
  const record = (at: Partial<RegistryTransfer>) => {
    const query = asked({ status: 'serverApproved', requested_at: sentAt.toISOString(), ...at })
    return query.kind === 'done' ? query.value : assert.fail()
  }
  for (const why of whys) {
    assert.equal(moved(ours, why, record({})).do, 'capture')
    assert.equal(moved(ours, why, record({ status: 'clientApproved' })).do, 'capture')
    assert.equal(moved(ours, why, record({ status: 'pending' })).do, 'park')
    assert.equal(moved(ours, why, record({ requested_by: 'them' })).do, 'park')
    assert.equal(moved(ours, why, record({ requested_at: '2026-01-01T00:00:00Z' })).do, 'park')
    const old = found({ transferred_at: '2026-01-01T00:00:00Z' })
    assert.equal(moved(old, why, record({})).do, 'park', 'a date that is shown counts')
  }
})

test('a renewal that no reading can show is parked, never released or paid by one', () => {
  const shown = found({ expiry_computed: true, expires_at: fence })
  assert.equal(reconcileRenewal(shown, renewal(1), silent).do, 'send')
  for (const why of [accepted, refusedBy('expiry_mismatch'), refusedBy('policy')])
    assert.equal(reconcileRenewal(shown, renewal(1), why).do, 'park')
  assert.equal(reconcileRenewal(shown, renewal(0), silent).do, 'capture', 'nothing is sent')
})

test('captures a transfer that made the name ours since the order, and waits while nothing shows it', () => {
  const ours = found({ transferred_at: '2026-11-22T00:00:00Z' })
  const theirs = found({ sponsor: 'them' })
  for (const why of whys) assert.equal(moved(ours, why).do, 'capture')
  assert.equal(moved(found({ transferred_at: null }), silent).do, 'park')
  assert.equal(moved(theirs, accepted).do, 'wait')
  assert.equal(moved(theirs, silent).do, 'send')
  assert.equal(moved(theirs, refusedBy('bad_auth_code')).do, 'release')
  assert.equal(moved(theirs, refusedBy('pending_transfer')).do, 'wait')
  assert.equal(moved(refused('absent'), silent).do, 'send')
  assert.equal(moved(refused('absent'), accepted).do, 'wait')
  assert.equal(moved(refused('absent'), refusedBy('absent')).do, 'release')
})

test('a restore is paid once the domain is out of redemption; its report comes first', () => {
  const pending = found({ rgp_statuses: ['pendingRestore'] })
  const redeemed = found({ rgp_statuses: ['redemptionPeriod'], epp_statuses: ['pendingDelete'] })
  for (const why of whys) {
    assert.equal(reconcileRestore(pending, order, why).do, 'report')
    assert.equal(reconcileRestore(found({}), order, why).do, 'capture')
    const late = reconcileRestore(found({ epp_statuses: ['pendingDelete'] }), order, why).do
    assert.equal(late, why.after === 'silence' ? 'park' : 'release')
  }
  assert.equal(reconcileRestore(redeemed, order, silent).do, 'send')
  assert.equal(reconcileRestore(redeemed, order, refusedBy('status')).do, 'release')
})

test('releases the hold for "does not exist" only where the command and the reading agree', () => {
  for (const why of whys) {
    assert.equal(reconcileRenewal(refused('absent'), renewal(1), why).do, 'park')
    assert.equal(reconcileRestore(refused('absent'), order, why).do, 'park')
  }
  const twice = refusedBy('absent')
  assert.equal(reconcileRenewal(refused('absent'), renewal(1), twice).do, 'release')
  assert.equal(reconcileRestore(refused('absent'), order, twice).do, 'release')
})
