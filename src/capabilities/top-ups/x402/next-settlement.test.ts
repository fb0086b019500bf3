// The next step of a settlement: gas is spent again only where no earlier transaction can take
// effect.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GasTransaction } from '../../../adapters/x402/port.ts'
import { nextSettlement } from './next-settlement.ts'

const transaction_id = `0x${'ab'.repeat(32)}` as const
const made: GasTransaction = {
  transaction_id,
  gas_nonce: 7,
  gas: 90_000n,
  max_fee: 10n,
  priority_fee: 1n,
}
const open = { state: 'open', reverted: [] } as const
const waiting = { made, age_ms: 1_000, is_spent: false }

test('submits what is open, and sends the same again while it may be mined', () => {
  assert.deepEqual(nextSettlement(open, null), { do: 'submit', replaced: null })
  assert.deepEqual(nextSettlement(open, waiting), { do: 'send_again', made })
})

test('outbids a transaction that is not mined, and frees the nonce that another one took', () => {
  const late = { ...waiting, age_ms: 31_000 }
  assert.deepEqual(nextSettlement(open, late), { do: 'submit', replaced: made })
  assert.deepEqual(nextSettlement(open, { ...late, is_spent: true }), { do: 'free' })
})

test('ends what is settled, used, expired or reverted, whatever is in flight', () => {
  for (const in_flight of [null, waiting]) {
    const settled = { state: 'settled', transaction_id, is_final: false } as const
    assert.deepEqual(nextSettlement(settled, in_flight), {
      do: 'note',
      transaction_id,
      is_final: false,
    })
    const ends = [
      [{ state: 'used' }, 'failed', 'authorization_used'],
      [{ state: 'expired' }, 'expired', null],
      [{ state: 'open', reverted: [transaction_id] }, 'failed', 'reverted'],
    ] as const
    for (const [reading, state, reason] of ends)
      assert.deepEqual(nextSettlement(reading, in_flight), { do: 'end', state, reason })
  }
})
