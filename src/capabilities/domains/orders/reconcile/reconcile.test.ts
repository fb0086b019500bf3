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
import { fingerprintOf } from '../order.ts'
import { judgeAnswer, judgeRead, type Why } from './reconcile.ts'

const sentAt = new Date('2026-11-21T10:00:00Z')
const ours = 'Aa0-ours!'
const order = {
  sponsor: 'us',
  first_sent_at: sentAt,
  fingerprints: [fingerprintOf(ours)],
  held: false,
}
const accepted: Why = { after: 'acceptance' }
const silent: Why = { after: 'silence' }
const after = (reason: Refusal): Why => ({
  after: 'refusal',
  refused: { reason, message: '' },
})
const bought = { expires_at: '2027-11-21T10:00:01Z', created_at: '2026-11-21T10:00:01Z' }
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
    created_at: bought.created_at,
    updated_at: null,
    expires_at: bought.expires_at,
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

const whys: Why[] = [accepted, silent, after('exists')]

test('a done answer captures, whichever attempt it is of', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), (attempt) => {
      const verdict = judgeAnswer({ kind: 'done', value: bought, sv_trid: 'x' }, attempt)
      assert.deepEqual(verdict, { do: 'capture', bought })
    }),
  )
})

test('only the first attempt is released by a refusal alone', () => {
  for (const reason of refusals) {
    assert.equal(judgeAnswer(refused(reason), 1).do, 'release', reason)
    assert.equal(judgeAnswer(refused(reason), 2).do, 'read', reason)
  }
})

test('no unknown outcome ever releases, and what only operators can end rings', () => {
  for (const cause of unknowns)
    for (const attempt of [1, 2, 9]) {
      const verdict = judgeAnswer({ kind: 'unknown', cause, message: '' }, attempt)
      assert.equal(verdict.do, 'wait', cause)
      const rings = cause === 'registry_credit' || cause === 'authentication'
      if (verdict.do === 'wait') assert.equal(verdict.alarm, rings, cause)
    }
})

test('an unknown read never releases', () => {
  for (const cause of unknowns)
    for (const why of whys)
      assert.equal(judgeRead({ kind: 'unknown', cause, message: '' }, order, why).do, 'wait')
})

test('exists, and the registry shows the authorization information of one of our attempts: captured', () => {
  const verdict = judgeRead(found({}), order, after('exists'))
  assert.deepEqual(verdict, { do: 'capture', bought })
})

test('exists, and somebody else sponsors it: released', () => {
  const verdict = judgeRead(found({ sponsor: 'them' }), order, after('exists'))
  assert.equal(verdict.do, 'release')
  const secret = judgeRead(refused('not_ours'), order, after('exists'))
  assert.equal(secret.do, 'release')
})

test('ours but older than the order: what was bought then is not what was bought now', () => {
  const old = found({ created_at: '2026-01-01T00:00:00Z', auth_info: null })
  assert.equal(judgeRead(old, { ...order, held: true }, after('exists')).do, 'release')
  assert.equal(judgeRead(old, order, after('exists')).do, 'park', 'nobody holds it: whose is it?')
})

test('ours and new, but a holding explains it: it is never sold twice', () => {
  for (const auth_info of [null, 'somebody-elses'])
    for (const why of whys)
      assert.equal(judgeRead(found({ auth_info }), { ...order, held: true }, why).do, 'release')
})

test('ours and new, without authorization information to see: captured', () => {
  const verdict = judgeRead(found({ auth_info: null }), order, after('exists'))
  assert.equal(verdict.do, 'capture')
})

test('ours and new, but made by no attempt of this order: a person decides', () => {
  const other = found({ auth_info: 'somebody-elses' })
  assert.equal(judgeRead(other, order, after('exists')).do, 'park')
})

test('exists, yet not found: a contradiction waits, any other final refusal releases', () => {
  const absent = refused('absent')
  assert.equal(judgeRead(absent, order, after('exists')).do, 'wait')
  assert.equal(judgeRead(absent, order, after('policy')).do, 'release')
  assert.equal(judgeRead(absent, order, after('fee_mismatch')).do, 'release')
})

test('an accepted order waits while the registry decides, and ends as the registry decided', () => {
  const pending = found({ epp_statuses: ['pendingCreate'] })
  assert.equal(judgeRead(pending, order, accepted).do, 'wait')
  assert.equal(judgeRead(found({}), order, accepted).do, 'capture')
  assert.equal(judgeRead(refused('absent'), order, accepted).do, 'release')
})

test('before a sending that nothing fences: what is there is not sent again, what is not is', () => {
  assert.equal(judgeRead(found({}), order, silent).do, 'capture')
  assert.equal(judgeRead(found({ sponsor: 'them' }), order, silent).do, 'release')
  assert.deepEqual(judgeRead(refused('absent'), order, silent), { do: 'send' })
})
