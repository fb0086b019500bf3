// Exact limits that stand against an approval at this moment, of each key or app with which the
// asker was made.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { approvalObstacle, type Holder } from '../src/lib/limits/approval-obstacles.ts'

const usd = (amount: string) => ({ amount, currency: 'USD' as const })
const spend = (left: string) => ({
  ...usd('50.00'),
  ...{ window: 'month' as const, spent: '0.00', left, until: null },
})
const holder = (limits: Partial<Holder['limits']>): Holder => ({
  ...{ of: 'api_key', id: '1', name: 'agent' },
  limits: { spend_limit: null, max_price: null, ...limits },
})
const kindOf = (prices: string[], holders: Holder[], available?: string) =>
  approvalObstacle({ prices: prices.map(usd), holders, available })?.kind ?? null

describe('an approval', () => {
  it('is within what is left of each limit, to the cent', () => {
    assert.equal(kindOf(['9.15'], [holder({ spend_limit: spend('9.15') })]), null)
    assert.equal(kindOf(['9.16'], [holder({ spend_limit: spend('9.15') })]), 'spend')
    assert.equal(kindOf(['9.16'], [holder({}), holder({ spend_limit: spend('9.15') })]), 'spend')
  })

  it('counts several purchases of one key together', () => {
    const holders = [holder({ spend_limit: spend('20.00'), max_price: usd('11.00') })]
    assert.equal(kindOf(['10.00', '10.00'], holders), null)
    assert.equal(kindOf(['10.00', '10.01'], holders), 'spend')
    assert.equal(kindOf(['11.01'], holders), 'price')
  })

  it('is in the currency of the limits', () => {
    const found = approvalObstacle({
      prices: [{ amount: '1.00', currency: 'EUR' }],
      holders: [holder({ max_price: usd('11.00') })],
      available: '10.00',
    })
    assert.deepEqual(found?.kind === 'currency' && found.currency, 'USD')
  })

  it('is covered by the balance, once that is known', () => {
    assert.equal(kindOf(['10.00'], [], undefined), null)
    assert.equal(kindOf(['10.00'], [], '10.00'), null)
    const found = approvalObstacle({ prices: [usd('10.00')], holders: [], available: '9.50' })
    assert.deepEqual(found, { kind: 'balance', available: '9.50', missing: usd('0.50') })
  })
})
