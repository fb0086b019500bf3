// Each difference between a registry's reading and a holding, and names without a holding.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Outcome, RegistryDomain } from '../../../adapters/registry/port.ts'
import { compareHolding, compareUnownedName, type KnownDomain } from './compare-domain.ts'
import { listedNames } from './compare-registries.ts'

const now = new Date('2026-11-24T12:00:00Z')
const paid = new Date('2027-06-01T00:00:00Z')
const holding: KnownDomain = {
  name: 'a.com',
  registry: 'thin',
  expiry: paid,
  registry_expiry: paid,
  registered_at: new Date('2025-06-01T00:00:00Z'),
  created_at: new Date('2025-06-01T00:00:01Z'),
  synced_at: new Date('2026-11-20T00:00:00Z'),
  deletion_at: null,
  missing_since: null,
  epp_statuses: ['ok'],
  rgp_statuses: [],
}
const shown: RegistryDomain = {
  domain: 'a.com',
  roid: 'D1-SANDBOX',
  sponsor: 'us',
  created_at: '2025-06-01T00:00:00Z',
  updated_at: null,
  expires_at: '2027-06-01T00:00:00Z',
  epp_statuses: ['ok'],
  rgp_statuses: [],
  nameservers: [],
  registrant: null,
  contacts: [],
  auth_info: null,
  transferred_at: null,
}
const read = (facts: Partial<RegistryDomain> = {}): Outcome<RegistryDomain> => {
  return { kind: 'done', value: { ...shown, ...facts }, sv_trid: null }
}
const refused = (reason: 'absent' | 'not_ours'): Outcome<RegistryDomain> => {
  return { kind: 'refused', reason, message: reason, code: null, sv_trid: null }
}
const silent: Outcome<RegistryDomain> = { kind: 'unknown', cause: 'silence', message: 'no answer' }

describe('a holding', () => {
  const found = (outcome: Outcome<RegistryDomain>, known: Partial<KnownDomain> = {}) =>
    compareHolding(outcome, { ...holding, ...known }, { sponsor: 'us', now })

  test('that the registry shows as it is known is no finding', () => {
    assert.equal(found(read()), null)
    assert.equal(found(read({ expires_at: '2027-06-01T20:00:00Z' })), null)
    assert.equal(found(read({ transferred_at: '2025-06-01T00:00:00Z' })), null)
  })

  test('that expires later was renewed, perhaps by the registry itself', () => {
    const further = found(read({ expires_at: '2029-06-01T00:00:00Z' }))
    assert.equal(further?.kind, 'renewed')
    assert.equal(further?.detail, 'until 2029-06-01, paid until 2027-06-01: 2 y further')
    const ended = { expiry: new Date('2026-06-01T00:00:00Z') }
    const known = { ...ended, registry_expiry: ended.expiry }
    assert.match(found(read(), known)?.detail ?? '', /may have renewed it automatically$/)
    assert.match(
      found(read({ expires_at: '2027-09-09T00:00:00Z' }))?.detail ?? '',
      /no whole years/,
    )
  })

  test('that expires earlier, that left, that is absent or unread is each its own finding', () => {
    assert.equal(found(read({ expires_at: '2026-12-01T00:00:00Z' }))?.kind, 'shortened')
    assert.equal(found(read({ sponsor: 'other' }))?.kind, 'left')
    assert.equal(found(refused('not_ours'))?.kind, 'left')
    assert.equal(found(refused('absent'))?.kind, 'absent')
    assert.equal(found(refused('absent'), { deletion_at: now })?.kind, 'absent')
    assert.equal(found(silent)?.kind, 'unread')
  })

  test('that came to us again since it was read may be of another customer', () => {
    const again = found(read({ created_at: '2026-11-22T00:00:00Z' }))
    assert.equal(again?.kind, 'acquired_again')
    assert.equal(found(read({ transferred_at: '2026-11-22T00:00:00Z' }))?.kind, 'acquired_again')
  })
})

describe('a name that no customer holds', () => {
  const name = { name: 'b.com', registry: 'thin', sponsor: 'us' }
  const none = { open_order: null }

  test('is unknown where we sponsor it, unless an order of it is open', () => {
    assert.equal(compareUnownedName(read(), name, none)?.kind, 'unknown')
    assert.equal(compareUnownedName(read(), name, { open_order: 'ord_2' })?.kind, 'ordered')
  })

  test('is no finding where it is gone or of others', () => {
    assert.equal(compareUnownedName(read({ sponsor: 'other' }), name, none), null)
    assert.equal(compareUnownedName(refused('absent'), name, none), null)
    assert.equal(compareUnownedName(silent, name, none)?.kind, 'unread')
  })
})

test('a list of names is the first column of a text or CSV file', () => {
  const text =
    'Domain;Expires\r\n"A.com";2027\r\nb.net.\nb.net,x\n\n# no name\nxn--p1ai.example\tx\n'
  assert.deepEqual(listedNames(text), ['a.com', 'b.net', 'xn--p1ai.example'])
})
