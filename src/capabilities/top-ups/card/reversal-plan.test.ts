// The plan of a payment's reversals: for any refunds and disputes, and any time of reading, the
// customer loses what is withdrawn, and never more than was paid.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { type Movement, planReversals } from './reversal-plan.ts'

const paid = { currency: 'USD', amount: 1_000n }
const movement = (id: string, amount: bigint, isWithdrawn = true): Movement => ({
  id,
  kind: id.startsWith('re') ? 'refund' : 'dispute',
  amount,
  currency: 'USD',
  funds: isWithdrawn ? 'withdrawn' : 'here',
})

/** A payment's reversals so far, to which each reading adds. */
function emptyLedger() {
  const reversals: { id: string; taken: bigint }[] = []
  const total = () => reversals.reduce((sum, one) => sum + one.taken, 0n)
  return {
    reversals,
    total,
    read(movements: Movement[]) {
      const plan = planReversals({ ...paid, reversals, movements })
      for (const { id, kind, amount } of plan.postings) {
        assert.ok(amount > 0n && !reversals.some((one) => one.id === id), id)
        reversals.push({ id, taken: kind === 'reinstatement' ? -amount : amount })
        assert.ok(total() >= 0n && total() <= paid.amount, `${total()} of ${paid.amount}`)
      }
      return plan
    },
  }
}

it('posts a refund once, and gives it again once when it fails', () => {
  const payment = emptyLedger()
  const [first] = payment.read([movement('re_1', 300n)]).postings
  assert.deepEqual(first, {
    id: 'processor/re_1',
    kind: 'refund',
    amount: 300n,
    movement: 're_1',
  })
  assert.deepEqual(payment.read([movement('re_1', 300n)]), { postings: [], parked: 0n })
  const [again] = payment.read([movement('re_1', 300n, false)]).postings
  assert.deepEqual(
    [again?.id, again?.kind, again?.amount],
    ['processor/re_1/2', 'reinstatement', 300n],
  )
})

it('takes the rest of a dispute as soon as a failed refund leaves it', () => {
  const payment = emptyLedger()
  const capped = payment.read([movement('re_1', 600n), movement('du_1', 1_000n)])
  assert.deepEqual([payment.total(), capped.parked], [1_000n, 600n])
  const rest = payment.read([movement('re_1', 600n, false), movement('du_1', 1_000n)])
  assert.deepEqual(
    rest.postings.map(({ id, amount }) => [id, amount]),
    [
      ['processor/re_1/2', 600n],
      ['processor/du_1/2', 600n],
    ],
  )
  assert.deepEqual([payment.total(), rest.parked], [1_000n, 0n])
})

it('parks another currency, and what an operator has given again already', () => {
  const payment = emptyLedger()
  assert.deepEqual(payment.read([{ ...movement('re_1', 5n), currency: 'EUR' }]), {
    postings: [],
    parked: 5n,
  })
  payment.read([movement('du_1', 400n)])
  payment.reversals.push({ id: 'operator/goodwill', taken: -400n })
  assert.deepEqual(payment.read([movement('du_1', 400n, false)]), { postings: [], parked: 400n })
})

it('depends on the last state alone, whichever states were read before', () => {
  const amount = fc.bigInt({ min: 1n, max: 1_500n })
  const states = fc
    .array(fc.tuple(amount, fc.boolean()), { minLength: 1, maxLength: 6 })
    .chain((known) =>
      fc
        .array(fc.array(fc.boolean(), { minLength: known.length, maxLength: known.length }), {
          minLength: 1,
          maxLength: 8,
        })
        .map((readings) => ({ known, readings })),
    )
  fc.assert(
    fc.property(states, ({ known, readings }) => {
      const payment = emptyLedger()
      for (const withdrawn of readings) {
        const movements = known.map(([cents, isRefund], i) =>
          movement(`${isRefund ? 're' : 'du'}_${i}`, cents, withdrawn[i]),
        )
        const { parked } = payment.read(movements)
        const gone = movements.reduce(
          (sum, one) => sum + (one.funds === 'withdrawn' ? one.amount : 0n),
          0n,
        )
        assert.equal(payment.total(), gone < paid.amount ? gone : paid.amount)
        assert.equal(parked, gone - payment.total())
        assert.deepEqual(payment.read(movements).postings, [])
      }
    }),
    { numRuns: 2_000 },
  )
})
