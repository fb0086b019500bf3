// Columns are aligned by what a terminal shows, and no text controls the terminal.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { printable, table, widthOf } from './table.ts'

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

  it('takes control characters out', () => {
    assert.equal(printable('a\u001b[31mb\u009b'), 'a [31mb ')
    assert.ok(
      !table(['A'], [['\u001b]0;x\u0007']])
        .join('')
        .includes('\u001b'),
    )
  })
})
