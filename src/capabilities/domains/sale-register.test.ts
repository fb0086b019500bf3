// What a registration makes of the registry's dates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenOrder } from './sale.ts'
import { registration } from './sale-register.ts'

const first_sent_at = new Date('2026-11-21T10:00:00Z')
const order: OpenOrder = {
  id: 'ord_1',
  type: 'register',
  customer_id: 'cus_1',
  domain: 'a.com',
  currency: 'USD',
  command: { period_years: 2, nameservers: [], contacts: {}, fee: null },
  attempts: 1,
  fingerprints: [],
  first_sent_at,
  created_at: first_sent_at,
  sealed: null,
  lease_token: 't',
  send_by_ms: 0,
}
const created_at = '2026-11-21T10:00:01.000Z'

test('paid until what the registry says, a leap day or a time zone aside', () => {
  for (const expires_at of ['2028-11-21T10:00:01.000Z', '2028-11-22T00:00:00.000Z']) {
    const holding = registration.holding(order, { expires_at, created_at })
    assert.equal(holding.expires_at, expires_at)
    assert.equal(holding.registry_expiry, expires_at)
  }
})

test('a year that the registry added before the order was settled is not paid', () => {
  const expires_at = '2029-11-21T10:00:01.000Z'
  const holding = registration.holding(order, { expires_at, created_at })
  assert.equal(holding.expires_at, '2028-11-21T10:00:01.000Z')
  assert.equal(holding.registry_expiry, expires_at)
})
