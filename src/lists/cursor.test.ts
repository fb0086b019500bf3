// Cursors come back as the value that they were made of, and nothing else is taken for one.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { InvalidInput } from '../kit/fault.ts'
import { isLine } from '../kit/field-reader.ts'
import { newId } from '../kit/random.ts'
import {
  byBoth,
  byId,
  byMoment,
  byNumber,
  byText,
  cursorPattern,
  cursorWords,
  decodeCursor,
  encodeCursor,
  type Key,
} from './cursor.ts'

const numbers = fc.bigInt({ min: 0n, max: 9_223_372_036_854_775_807n })
const texts = fc
  .string({ unit: 'binary', maxLength: 300 })
  .filter((text) => text.length <= 300 && isLine(text))
const moments = fc.date({ min: new Date(0), noInvalidDate: true })
const ids = fc.nat({ max: 2_000_000_000 }).map((s) => newId('ord', s * 1_000))
const pattern = new RegExp(cursorPattern)

function assertRefused<T>(cursor: string, { list, key }: { list: string; key: Key<T> }) {
  assert.throws(
    () => decodeCursor(list, key, cursor),
    (error) => {
      assert.ok(error instanceof InvalidInput, String(error))
      const msg = `Input should be ${cursorWords}`
      const type = 'string_pattern_mismatch'
      assert.deepEqual(error.fields, [{ path: ['cursor'], msg, type }])
      return true
    },
    cursor,
  )
}

function comesBack<T>(name: string, key: Key<T>, values: fc.Arbitrary<T>): void {
  describe(`a cursor of ${name}`, () => {
    it('comes back as the value that it was made of', () => {
      fc.assert(
        fc.property(values, (value) => {
          const cursor = encodeCursor('list_holds', key, value)
          assert.match(cursor, pattern)
          assert.deepEqual(decodeCursor('list_holds', key, cursor), value)
        }),
      )
    })

    it('is refused by another list', () => {
      fc.assert(
        fc.property(values, (value) =>
          assertRefused(encodeCursor('list_mails', key, value), { list: 'list_holds', key }),
        ),
      )
    })

    it('is refused with another character, and cut off', () => {
      const change = fc.tuple(values, fc.nat(), fc.constantFrom(...'aZ3-_=+. '))
      fc.assert(
        fc.property(change, ([value, at, character]) => {
          const cursor = encodeCursor('list_holds', key, value)
          const i = at % cursor.length
          const changed = cursor.slice(0, i) + character + cursor.slice(i + 1)
          if (changed !== cursor) assertRefused(changed, { list: 'list_holds', key })
          assertRefused(cursor.slice(0, i), { list: 'list_holds', key })
        }),
      )
    })

    it('is refused where the value of a right checksum is of another kind', () => {
      const forged = fc.oneof(
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }),
        fc.constantFrom(['a\u0000b'], ['9'.repeat(20)], ['x'.repeat(301)], ['\ud800'], ['1e3']),
      )
      fc.assert(
        fc.property(forged, (parts) => {
          const given: Key<readonly string[]> = { parts: (all) => all, value: (all) => all }
          const cursor = encodeCursor('list_holds', given, parts)
          const value = key.value(parts)
          const isOwn = value !== undefined && isDeepStrictEqual(key.parts(value), parts)
          if (isOwn) assert.deepEqual(decodeCursor('list_holds', key, cursor), value)
          else assertRefused(cursor, { list: 'list_holds', key })
        }),
      )
    })
  })
}

comesBack('a number', byNumber, numbers)
comesBack('a text', byText, texts)
comesBack('an id', byId('ord'), ids)
comesBack('a moment', byMoment, moments)
comesBack('a number and a number', byBoth(byNumber, byNumber), fc.tuple(numbers, numbers))
comesBack('a moment and a text', byBoth(byMoment, byText), fc.tuple(moments, texts))

it('takes no text for a cursor that it did not make', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.base64String().map((text) => `c1_${text}`),
    fc.json().map((text) => `c1_${Buffer.from(`123456${text}`).toString('base64url')}`),
  )
  fc.assert(
    fc.property(texts, (text) => assertRefused(text, { list: 'list_holds', key: byText })),
    { numRuns: 500 },
  )
})
