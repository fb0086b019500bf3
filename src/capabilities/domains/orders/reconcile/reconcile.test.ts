// The rules of every capture and release, without I/O.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type {
  Outcome,
  Refusal,
  RegistryDomain,
  Unknown,
} from '../../../../adapters/registry/port.ts'
import { fingerprintOf } from '../../../../kit/random.ts'
import { type ReadReason, reconcileAnswer, reconcileRegistration } from './reconcile.ts'

const sentAt = new Date('2026-11-21T10:00:00Z')
const ours = 'Aa0-ours!'
const order = {
  sponsor: 'us',
  first_sent_at: sentAt,
  fingerprints: [fingerprintOf(ours)],
  held: false,
}
const accepted: ReadReason = { after: 'acceptance' }
const silent: ReadReason = { after: 'silence' }
const after = (reason: Refusal): ReadReason => ({
  after: 'refusal',
  refused: { reason, message: '' },
})
const purchased = { expires_at: '2027-11-21T10:00:01Z', created_at: '2026-11-21T10:00:01Z' }
const refusals: Refusal[] = [
  'exists',
  'absent',
  'fee_mismatch',
  'fee_required',
  'expiry_mismatch',
  'status',
  'not_ours',
  'bad_auth_code',
  'pending_transfer',
  'policy',
  'bad_request',
  'unsupported',
]
const unknowns: Unknown[] = [
  'not_sent',
  'silence',
  'server_failed',
  'session_limit',
  'registry_credit',
  'authentication',
  'unreachable',
]

function refused(reason: Refusal): Outcome<never> {
  return { kind: 'refused', reason, code: null, message: reason, sv_trid: null }
}
function found(facts: Partial<RegistryDomain>): Outcome<RegistryDomain> {
  const value: RegistryDomain = {
    domain: 'a.com',
    roid: 'R1',
    sponsor: 'us',
    created_at: purchased.created_at,
    updated_at: null,
    expires_at: purchased.expires_at,
    epp_statuses: ['ok'],
    rgp_statuses: [],
    nameservers: [],
    registrant: null,
    contacts: [],
    auth_info: ours,
    transferred_at: null,
    ...facts,
  }
  return { kind: 'done', value, sv_trid: null }
}

const whys: ReadReason[] = [accepted, silent, after('exists')]

test('captures for a done answer of any attempt', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), (attempt) => {
      const decision = reconcileAnswer({ kind: 'done', value: purchased, sv_trid: 'x' }, attempt)
      assert.deepEqual(decision, { do: 'capture', purchased })
    }),
  )
})

test('only the first attempt is released by a refusal alone', () => {
  for (const reason of refusals) {
    assert.equal(reconcileAnswer(refused(reason), 1).do, 'release', reason)
    assert.equal(reconcileAnswer(refused(reason), 2).do, 'read', reason)
  }
})

test('no unknown outcome ever releases, and causes for operators raise an alarm', () => {
  for (const cause of unknowns)
    for (const attempt of [1, 2, 9]) {
      const decision = reconcileAnswer({ kind: 'unknown', cause, message: '' }, attempt)
      assert.equal(decision.do, 'wait', cause)
      const alarm = cause === 'registry_credit' || cause === 'authentication'
      if (decision.do === 'wait') assert.equal(decision.alarm, alarm, cause)
    }
})

test('an unknown read never releases', () => {
  for (const cause of unknowns)
    for (const why of whys)
      assert.equal(
        reconcileRegistration({ kind: 'unknown', cause, message: '' }, order, why).do,
        'wait',
      )
})

test('captures when it exists with the authorization information of one of our attempts', () => {
  const decision = reconcileRegistration(found({}), order, after('exists'))
  assert.deepEqual(decision, { do: 'capture', purchased })
})

test('releases when it exists and another registrar sponsors it', () => {
  const decision = reconcileRegistration(found({ sponsor: 'them' }), order, after('exists'))
  assert.equal(decision.do, 'release')
  const secret = reconcileRegistration(refused('not_ours'), order, after('exists'))
  assert.equal(secret.do, 'release')
})

test('does not capture a domain of ours that is older than the order', () => {
  const old = found({ created_at: '2026-01-01T00:00:00Z', auth_info: null })
  assert.equal(reconcileRegistration(old, { ...order, held: true }, after('exists')).do, 'release')
  assert.equal(
    reconcileRegistration(old, order, after('exists')).do,
    'park',
    'no customer holds it',
  )
})

test('never sells a domain twice: releases when a holding explains the new domain of ours', () => {
  for (const auth_info of [null, 'another-ones'])
    for (const why of whys)
      assert.equal(
        reconcileRegistration(found({ auth_info }), { ...order, held: true }, why).do,
        'release',
      )
})

test('captures a new domain of ours when no authorization information is shown', () => {
  const decision = reconcileRegistration(found({ auth_info: null }), order, after('exists'))
  assert.equal(decision.do, 'capture')
})

test('parks a domain of ours that is new, and made by no attempt of this order', () => {
  const other = found({ auth_info: 'another-ones' })
  assert.equal(reconcileRegistration(other, order, after('exists')).do, 'park')
})

test('waits for a contradiction (exists, yet not found), and releases for other final refusals', () => {
  const absent = refused('absent')
  assert.equal(reconcileRegistration(absent, order, after('exists')).do, 'wait')
  assert.equal(reconcileRegistration(absent, order, after('policy')).do, 'release')
  assert.equal(reconcileRegistration(absent, order, after('fee_mismatch')).do, 'release')
})

test('an accepted order waits while the registry decides, and ends as the registry decided', () => {
  const pending = found({ epp_statuses: ['pendingCreate'] })
  assert.equal(reconcileRegistration(pending, order, accepted).do, 'wait')
  assert.equal(reconcileRegistration(found({}), order, accepted).do, 'capture')
  assert.equal(reconcileRegistration(refused('absent'), order, accepted).do, 'release')
})

test('before an unfenced resend: sends only a name that the registry does not have', () => {
  assert.equal(reconcileRegistration(found({}), order, silent).do, 'capture')
  assert.equal(reconcileRegistration(found({ sponsor: 'them' }), order, silent).do, 'release')
  assert.deepEqual(reconcileRegistration(refused('absent'), order, silent), { do: 'send' })
})
