// The visual order of words in right-to-left scripts on a page that runs from left to right.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seenOrder, wrapped } from './right-to-left.ts'

const seen = (line: string) => seenOrder(line).join('')

test('leaves a line from left to right as it is', () => {
  for (const line of ['Ada Lovelace', '12 St James, SW1Y 4JH', '', ' a  b '])
    assert.equal(seen(line), line)
})

test('turns words of one run, with the numbers in and after it', () => {
  assert.equal(seen('שלום עולם'), 'עולם שלום')
  assert.equal(seen('شارع الملك فهد 12'), '12 فهد الملك شارع')
  assert.equal(seen('12 شارع فهد'), '12 فهد شارع')
})

test('ends a run at a word from left to right, and cuts one that mixes both', () => {
  assert.equal(seen('אבג דהו for Acme זחט יכל'), 'דהו אבג for Acme יכל זחט')
  assert.deepEqual(seenOrder('אבג-x y'), ['אבג', '-x y'])
})

test('wraps by the spaces, and cuts a word that is wider than a line', () => {
  const widthOf = (text: string) => [...text].length
  assert.deepEqual(wrapped('aa bb cc', 5, widthOf), ['aa bb', 'cc'])
  assert.deepEqual(wrapped('a bbbbbbb c', 3, widthOf), ['a', 'bbb', 'bbb', 'b c'])
  assert.deepEqual(wrapped('𞤀𞤁𞤂', 2, widthOf), ['𞤀𞤁', '𞤂'])
  assert.deepEqual(wrapped('aa', 0, widthOf), ['a', 'a'])
})
