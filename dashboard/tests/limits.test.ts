// Limits in forms and in words: the request body, the field of each refusal, and inherited limits.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expiryDraftOf, expiryOf } from '../src/lib/limits/expiry-draft.ts'
import { ancestorsOf, isLimited } from '../src/lib/limits/inherited.ts'
import {
  changesOf,
  draftOf,
  emptyDraft,
  inCurrency,
  type Limits,
  limitsOf,
  problemsOfLimits,
} from '../src/lib/limits/limit-draft.ts'
import { fillOf, summaryOf, wordsOfLimits, wordsOfSpend } from '../src/lib/limits/limit-words.ts'

const none: Limits = {
  spend_limit: null,
  max_price: null,
  approval_above: null,
  outside_allowed: 'refuse',
  allowed_tlds: null,
  allowed_domains: null,
  allowed_ips: null,
  dns: null,
}
const budget = { amount: '50.00', currency: 'USD', window: 'month' } as const
const spent = { spent: '12.50', left: '37.50', until: '2026-12-01T00:00:00.000Z' }
const limits: Limits = {
  spend_limit: { ...budget, ...spent },
  max_price: { amount: '15.00', currency: 'USD' },
  approval_above: { amount: '8.00', currency: 'USD' },
  outside_allowed: 'ask',
  allowed_tlds: ['com', 'net'],
  allowed_domains: ['shop-*.com'],
  allowed_ips: ['192.0.2.0/24'],
  dns: { hosts: ['_acme-challenge*', 'www'], types: ['TXT'] },
}

describe('a draft of limits', () => {
  it('without text is no limit', () => {
    assert.deepEqual(limitsOf(emptyDraft('EUR')), none)
    assert.deepEqual(limitsOf({ ...emptyDraft(), amount: ' ', allowed_tlds: ' , ' }), none)
  })

  it('sends amounts as the service writes them, and leaves others for it to refuse', () => {
    const sent = limitsOf({ ...emptyDraft('EUR'), amount: '50', price: ' 1e3 ' })
    assert.deepEqual(sent.spend_limit, { amount: '50.00', currency: 'EUR', window: 'month' })
    assert.deepEqual(sent.max_price, { amount: '1e3', currency: 'EUR' })
    assert.equal(limitsOf({ ...emptyDraft(), amount: '0' }).spend_limit?.amount, '0')
  })

  it('of stored limits changes nothing until it is edited, and then only that', () => {
    assert.deepEqual(changesOf(draftOf(limits), limits), {})
    assert.deepEqual(changesOf(draftOf(none), none), {})
    const draft = { ...draftOf(limits), price: '', allowed_tlds: 'com;net\norg' }
    assert.deepEqual(changesOf(draft, limits), {
      max_price: null,
      allowed_tlds: ['com', 'net', 'org'],
    })
    assert.deepEqual(changesOf({ ...draftOf(limits), dns_types: '' }, limits), {
      dns: { hosts: ['_acme-challenge*', 'www'], types: null },
    })
    const freed = { ...draftOf(limits), dns_types: ' ', dns_hosts: ',' }
    assert.deepEqual(changesOf(freed, limits), { dns: null })
    assert.deepEqual(changesOf({ ...draftOf(limits), window: 'day' }, limits), {
      spend_limit: { amount: '50.00', currency: 'USD', window: 'day' },
    })
  })

  it('has one currency, unless it was given two', () => {
    assert.equal(inCurrency(draftOf(limits), 'EUR').price_currency, 'EUR')
    const two = { ...draftOf(limits), price_currency: 'EUR' as const }
    assert.equal(inCurrency({ ...two, price: '' }, 'USD').price_currency, 'USD')
    assert.equal(inCurrency(two, 'USD').price_currency, 'EUR')
  })
})

describe('a refusal of limits', () => {
  it('is shown at its field, also where two have an amount', () => {
    const some = { allowed_tlds: 'com, x_y', allowed_ips: '1', dns_hosts: 'b c!', dns_types: 'A' }
    const draft = { ...emptyDraft(), ...some }
    const same = { sent: draft, draft }
    const problems = problemsOfLimits(
      {
        ...{ amount: 'No.', 'max_price.amount': 'No.' },
        ...{ allowed_tlds: 'Bad.', 'allowed_tlds.1': 'Bad.' },
        ...{ 'dns.hosts.1': 'Bad.', 'dns.types': 'Many.' },
      },
      same,
    )
    assert.equal(problems.spend_limit, undefined)
    assert.equal(problems.max_price, 'No.')
    assert.equal(problems.allowed_tlds, 'x_y: Bad.')
    assert.deepEqual([problems.dns_hosts, problems.dns_types], ['c!: Bad.', 'Many.'])
    assert.equal(problemsOfLimits({ allowed_ips: 'Too many.' }, same).allowed_ips, 'Too many.')
    const edited = { sent: draft, draft: { ...draft, allowed_ips: '2' } }
    assert.equal(problemsOfLimits({ allowed_ips: 'Too many.' }, edited).allowed_ips, undefined)
    assert.equal(problemsOfLimits({ expires_at: 'Past.' }, same).expires_at, 'Past.')
  })
})

describe('an expiry', () => {
  const now = Date.parse('2026-11-23T12:00:00.000Z')
  const old = '2027-01-01T00:00:00.000Z'

  it('is kept, removed, or a number of days from now', () => {
    assert.equal(expiryOf(expiryDraftOf(old), old, now), old)
    assert.equal(expiryOf(expiryDraftOf(null), null, now), null)
    assert.equal(expiryOf({ choice: 'never', day: '' }, old, now), null)
    assert.equal(expiryOf({ choice: '30', day: '' }, old, now), '2026-12-23T12:00:00.000Z')
  })

  it('is the end of a day, and is empty without a day, so that the service refuses it', () => {
    const end = expiryOf({ choice: 'day', day: '2026-12-01' }, old, now)
    assert.deepEqual(new Date(String(end)), new Date(2026, 11, 1, 23, 59, 59))
    assert.equal(expiryOf({ choice: 'day', day: '' }, old, now), '')
  })
})

describe('limits in words', () => {
  it('show the spent and the remaining amount, and the other limits', () => {
    assert.deepEqual(wordsOfLimits(limits), [
      '$12.50 of $50.00 spent, $37.50 left this month, resets on December 1',
      'At most $15.00 for one purchase',
      'Asks you above $8.00',
      'Buys only under .com, .net',
      'Sees and buys only shop-*.com',
      'Asks you before buying other names',
      'Only from 192.0.2.0/24',
      'Changes only TXT records at _acme-challenge*, www',
    ])
    assert.deepEqual(wordsOfLimits(none), [])
  })

  it('name the hosts or the types of DNS records, where it is bound to one of them', () => {
    const ofDns = (dns: Limits['dns']) => wordsOfLimits({ ...none, dns })
    const hosts = ['@', 'a', 'b', 'c', 'd', 'e']
    assert.deepEqual(ofDns({ hosts, types: null }), [
      'Changes only DNS records at @, a, b, c, d and 1 more',
    ])
    assert.deepEqual(ofDns({ hosts: null, types: ['MX', 'A'] }), ['Changes only MX, A records'])
  })

  it('name five of a list', () => {
    const allowed_tlds = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    assert.deepEqual(wordsOfLimits({ ...none, allowed_tlds }), [
      'Buys only under .a, .b, .c, .d, .e and 2 more',
    ])
  })

  it('fill a bar, up to its end', () => {
    const fill = (amount: string, taken: string) =>
      fillOf({ ...budget, ...spent, amount, spent: taken })
    assert.deepEqual(
      [fill('50.00', '12.50'), fill('3.00', '1.00'), fill('5.00', '9.00'), fill('0.00', '0.00')],
      [25, 33, 100, 100],
    )
  })

  it('show the limit of a new key, once that is an amount', () => {
    assert.equal(wordsOfSpend({ ...emptyDraft(), amount: '50' }), '$50.00 a month')
    assert.equal(wordsOfSpend({ ...emptyDraft(), amount: 'much' }), null)
  })

  it('count the amount above which the owner is asked', () => {
    const asking = { ...emptyDraft(), ask_above: '20' }
    assert.equal(summaryOf(asking), 'asks above $20.00')
    assert.equal(summaryOf({ ...asking, amount: '50' }), '$50.00 a month · asks above $20.00')
    assert.equal(summaryOf(emptyDraft()), '')
  })
})

describe('the limits that a key inherits', () => {
  it('are those of all keys that it was made with, the closest first', () => {
    const keys = [
      { id: 3, parent_key_id: 2 },
      { id: 2, parent_key_id: 1 },
      { id: 1, parent_key_id: null },
      { id: 4, parent_key_id: 99 },
    ] as const
    const [three, , , four] = keys
    assert.deepEqual(
      ancestorsOf<{ id: number; parent_key_id: number | null }>(three, keys).map(({ id }) => id),
      [2, 1],
    )
    assert.deepEqual(ancestorsOf<{ id: number; parent_key_id: number | null }>(four, keys), [])
    assert.deepEqual([isLimited(none), isLimited(limits)], [false, true])
  })
})
