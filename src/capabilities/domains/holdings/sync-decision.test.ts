// The decision of the sync for each reading of a holding.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome, RegistryDomain } from '../../../adapters/registry/port.ts'
import { decideSync, type KnownHolding } from './sync-decision.ts'

const now = new Date('2028-03-01T00:00:00Z')
const facts = { sponsor: 'registrar-a', now }
const well: KnownHolding = {
  deletion_at: null,
  missing_since: null,
  epp_statuses: ['ok'],
  rgp_statuses: [],
}
const found: RegistryDomain = {
  domain: 'a.com',
  roid: 'D1-THIN',
  sponsor: 'registrar-a',
  created_at: '2027-03-01T00:00:00Z',
  updated_at: null,
  expires_at: '2029-03-01T00:00:00Z',
  epp_statuses: ['ok'],
  rgp_statuses: [],
  nameservers: [],
  registrant: null,
  contacts: [],
  auth_info: null,
  transferred_at: null,
}
const refused = (reason: 'absent' | 'not_ours' | 'status'): Outcome<never> => {
  return { kind: 'refused', reason, code: null, message: 'no', sv_trid: null }
}
const done = (value: RegistryDomain): Outcome<RegistryDomain> => {
  return { kind: 'done', value, sv_trid: null }
}
const decide = (read: Outcome<RegistryDomain>, holding: Partial<KnownHolding> = {}) =>
  decideSync(read, { ...well, ...holding }, facts)

test("stores a reading of our domain; another sponsor's domain has left", () => {
  assert.deepEqual(decide(done(found)), { do: 'store', found })
  const gone = { do: 'end', ending: 'transferred_away' }
  assert.deepEqual(decide(done({ ...found, sponsor: 'registrar-b' })), gone)
  assert.deepEqual(decide(refused('not_ours')), gone)
})

test('"does not exist" ends only a holding that was leaving, or is missing for more than a day', () => {
  const absent = refused('absent')
  const dropped = { do: 'end', ending: 'dropped' }
  assert.deepEqual(decide(absent), { do: 'mark_missing' })
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  assert.deepEqual(decide(absent, { missing_since: ago(23) }), { do: 'mark_missing' })
  assert.deepEqual(decide(absent, { missing_since: ago(25) }), dropped)
  assert.deepEqual(decide(absent, { deletion_at: ago(1) }), dropped)
  assert.deepEqual(decide(absent, { epp_statuses: ['pendingDelete'] }), dropped)
  for (const status of ['redemptionPeriod', 'pendingDelete'])
    assert.deepEqual(decide(absent, { rgp_statuses: [status] }), dropped)
})

test('no usable answer changes nothing', () => {
  assert.deepEqual(decide(refused('status')), { do: 'nothing', message: 'no' })
  const silent = { kind: 'unknown', cause: 'silence', message: 'quiet' } as const
  assert.deepEqual(decide(silent), { do: 'nothing', message: 'quiet' })
  assert.equal(decide({ kind: 'accepted', sv_trid: null }).do, 'nothing')
})
