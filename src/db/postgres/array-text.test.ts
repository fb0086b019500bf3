// Arrays as PostgreSQL writes them, with elements of any text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../kit/arbitrary-text.fixture.ts'
import { type ArrayText, parseArray, typeParsers } from './column-types.ts'

/** As array_out writes: every element quoted, which it may. */
function write(list: ArrayText): string {
  const words = list.map((one) => {
    if (one === null) return 'NULL'
    if (Array.isArray(one)) return write(one)
    return `"${one.replace(/[\\"]/g, '\\$&')}"`
  })
  return `{${words.join(',')}}`
}

test('reads bare words, quoted ones, NULL, nesting and bounds', () => {
  assert.deepEqual(parseArray('{}'), [])
  assert.deepEqual(parseArray('{1,2}'), ['1', '2'])
  assert.deepEqual(parseArray('{a b,"c,d","NULL",NULL,""}'), ['a b', 'c,d', 'NULL', null, ''])
  assert.deepEqual(parseArray('{{1,2},{3,4}}'), [
    ['1', '2'],
    ['3', '4'],
  ])
  assert.deepEqual(parseArray('[0:1]={x,y}'), ['x', 'y'])
})

test('returns every text that was written', () => {
  const element = fc.option(unicodeText())
  const list = fc.array(fc.oneof(element, fc.array(element)))
  fc.assert(fc.property(list, (one) => assert.deepEqual(parseArray(write(one)), one)))
})

test('refuses what is no array', () => {
  for (const text of ['', 'x', '{', '{a', '{"a}', '{a}b', '}{'])
    assert.throws(() => parseArray(text), SyntaxError, text)
})

test('reads octets, which are written in hexadecimal', () => {
  const parse = typeParsers.getTypeParser(1001)
  const octets = fc.array(fc.uint8Array({ maxLength: 40 }).map((one) => Buffer.from(one)))
  const text = (list: readonly Buffer[]) => write(list.map((one) => `\\x${one.toString('hex')}`))
  fc.assert(fc.property(octets, (list) => assert.deepEqual(parse(text(list)), list)))
  assert.deepEqual(parse('[0:0]={"\\\\x00"}'), [Buffer.of(0)])
  assert.deepEqual(parse('{{"\\\\x00"}}'), [[Buffer.of(0)]])
  for (const wrong of ['{"\\\\x00",NULL}', '{"\\\\x00"', '{"\\\\x00"}"', 'x'])
    assert.throws(() => parse(wrong), wrong)
})
