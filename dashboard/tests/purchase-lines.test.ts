// The statement: one line for each purchase, and columns of the file that add up.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sumOf } from '../src/lib/money/amounts.ts'
import { balanceChangesOf, foldHolds } from '../src/lib/money/purchase-lines.ts'

type After = [balance_after: string, held_after: string]
const line = (type: string, operation_id: string | null, [balance_after, held_after]: After) => ({
  ...{ type, operation_id, balance_after, held_after },
})

/** The lines of three purchases, newest first: one paid, one released, one open. */
const lines = [
  line('hold', 'open', ['78.30', '10.85']),
  line('release', 'refused', ['89.15', '0.00']),
  line('capture', 'paid', ['78.30', '10.85']),
  line('hold', 'refused', ['78.30', '21.70']),
  line('hold', 'paid', ['89.15', '10.85']),
  line('top_up', null, ['100.00', '0.00']),
]

it('folds the hold of each purchase into what ended it', () => {
  const shown = foldHolds(lines)
  assert.deepEqual(
    shown.map(({ line: { type, operation_id }, hold }) => [type, operation_id, hold?.type]),
    [
      ['hold', 'open', undefined],
      ['release', 'refused', 'hold'],
      ['capture', 'paid', 'hold'],
      ['top_up', null, undefined],
    ],
  )
  // Here the page of lines ends before the hold.
  const [cut] = foldHolds(lines.slice(2, 3))
  assert.deepEqual([cut?.line.type, cut?.hold], ['capture', null])
})

it('has changes whose sums are the newest line', () => {
  const changes = balanceChangesOf(lines)
  assert.equal(sumOf(changes.map(({ available }) => available)), '78.30')
  assert.equal(sumOf(changes.map(({ held }) => held)), '10.85')
  assert.equal(sumOf(changes.map(({ balance }) => balance)), '89.15')
  // A purchase is paid once, by its payment, and one that was refused costs nothing.
  assert.deepEqual(
    changes.map(({ balance }) => balance),
    ['0.00', '0.00', '-10.85', '0.00', '0.00', '100.00'],
  )
})
