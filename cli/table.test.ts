// Columns are aligned by their width on a terminal, and no text controls the terminal.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { facts, printable, shortened, table, widthOf } from './table.ts'

describe('tables', () => {
  for (const [text, width] of [
    ['abc', 3],
    ['münchen', 7],
    ['mu\u0308nchen', 7],
    ['例え', 4],
    ['🦊', 2],
  ] as const)
    it(`gives ${text} ${width} columns`, () => assert.equal(widthOf(text), width))

  it('aligns wide names', () => {
    const lines = table(
      ['NAME', 'STATUS'],
      [
        ['例え.example', 'free'],
        ['a.example', 'taken'],
      ],
    )
    assert.deepEqual(lines, ['NAME          STATUS', '例え.example  free', 'a.example     taken'])
  })

  it('aligns amounts to the right', () => {
    const lines = table(
      ['NAME', '>PRICE'],
      [
        ['a', '9.00'],
        ['b', '10.00'],
      ],
    )
    assert.deepEqual(lines, ['NAME  PRICE', 'a      9.00', 'b     10.00'])
  })

  it('aligns the facts of one thing', () =>
    assert.deepEqual(
      facts([
        ['Name', '例え'],
        ['Until', '-'],
      ]),
      ['Name   例え', 'Until  -'],
    ))

  for (const [text, columns, short] of [
    ['short', 5, 'short'],
    ['a longer line', 6, 'a lon…'],
    ['例え例え', 6, '例え…'],
  ] as const)
    it(`shortens "${text}" to ${columns} columns`, () => {
      assert.equal(shortened(text, columns), short)
      assert.ok(widthOf(short) <= columns)
    })

  it('takes control characters out', () => {
    assert.equal(printable('a\u001b[31mb\u009b'), 'a [31mb ')
    assert.ok(
      !table(['A'], [['\u001b]0;x\u0007']])
        .join('')
        .includes('\u001b'),
    )
  })
})
