// Each limit is described in words.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { limitsOf } from './limits.ts'

const none = {
  ...{ expires_at: null, spend_limit: null, max_price: null, approval_above: null },
  ...{ allowed_tlds: null, allowed_domains: null, allowed_ips: null },
  outside_allowed: 'refuse',
  dns: null,
} as const
const spend = { amount: '50.00', currency: 'USD', spent: '8.00', left: '42.00' } as const

it('has no words where there is no limit', () => assert.deepEqual(limitsOf(none), []))

it('shows the rest of a budget, and the end of its window', () => {
  const until = '2027-02-01T12:00:00Z'
  const month = limitsOf({ ...none, spend_limit: { ...spend, window: 'month', until } })
  assert.deepEqual(month, ['50.00 USD each month, 42.00 left until 2027-02-01'])
  const total = limitsOf({ ...none, spend_limit: { ...spend, window: 'total', until: null } })
  assert.deepEqual(total, ['50.00 USD in total, 42.00 left'])
})

it('shows the allowed names and addresses, and whether the owner is asked for others', () => {
  const lists = { allowed_tlds: ['com', 'net'], allowed_ips: ['192.0.2.0/24'] }
  assert.deepEqual(limitsOf({ ...none, ...lists, outside_allowed: 'ask' }), [
    'only .com, .net (others ask the owner)',
    'only from 192.0.2.0/24',
  ])
})

it('shows the hosts and the types of DNS records', () => {
  const words = (hosts: string[] | null, types: string[] | null) =>
    limitsOf({ ...none, dns: { hosts, types } })
  assert.deepEqual(words(['_acme-challenge*', 'www'], ['TXT', 'A']), [
    'only TXT, A records at _acme-challenge*, www',
  ])
  assert.deepEqual(words(['@'], null), ['only records at @'])
  assert.deepEqual(words(null, ['TXT']), ['only TXT records'])
})
