// Cells of CSV: quoted by RFC 4180, and never run as a formula by a spreadsheet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

test('quotes what has a comma, a quote or a line end', () => {
  assert.equal(csvLine(['a', 'b,c', 'd"e', 'f\ng', null, 5]), 'a,"b,c","d""e","f\ng",,5\r\n')
})

test('keeps numbers, and marks every other text that a spreadsheet would run', () => {
  for (const number of ['-1', '-12.34', '0.50', '12'])
    assert.equal(csvLine([number]), `${number}\r\n`)
  for (const text of ['=1+1', '+1', '@SUM(A1)', '-A1', '-1+1', '-2e3|x', "-1.5'", '-', '\t=1'])
    assert.equal(csvLine([text]), `'${text}\r\n`, text)
})
