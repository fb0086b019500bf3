// Properties of the parts without a socket: names, amounts, XML text, frames, bounded memory.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formatCents, parseCents } from '../../support/money.ts'
import { Refused } from '../protocol/reply.ts'
import { escapeXml, parseXml, XmlError } from '../protocol/xml.ts'
import { encodeFrame, FrameError, FrameReader } from '../server/epp-frame.ts'
import { Seen } from '../server/registry-state.ts'
import { parseName } from './names.ts'

describe('a name', () => {
  it('is accepted in any case and stored in lower case', () => {
    assert.equal(parseName('Example.COM'), 'example.com')
  })

  it('is refused with 2005 unless it has only letters, digits and hyphens', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        try {
          assert.match(parseName(text), /^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
        } catch (error) {
          assert.ok(error instanceof Refused)
          assert.equal(error.code, 2005)
        }
      }),
    )
  })
})

describe('an amount', () => {
  it('survives formatting and parsing', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (cents) => {
        assert.equal(parseCents(formatCents(cents)), cents)
      }),
    )
  })

  it('is refused in any other notation', () => {
    for (const text of ['', '1,00', '1e2', '-1', '.5', '1.005', '١', 'NaN']) {
      assert.equal(parseCents(text), null, text)
    }
    assert.equal(parseCents('9.5900'), 959)
  })
})

describe('XML', () => {
  it('unescapes any text that was escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'ä€😀 x') }), (text) => {
        const { text: inside, attributes } = parseXml(
          `<a b="${escapeXml(text)}">${escapeXml(text)}</a>`,
        )
        assert.equal(inside, text)
        assert.equal(attributes.get('b'), text)
      }),
    )
  })

  it('is refused without a crash when it is malformed', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>/a&;!?[]"= ') }), (text) => {
        try {
          assert.equal(typeof parseXml(text).name, 'string')
        } catch (error) {
          assert.ok(error instanceof XmlError)
        }
      }),
    )
  })
})

describe('frames', () => {
  it('are the same however the bytes are split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 50 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 40 }),
        (texts, step) => {
          const bytes = Buffer.concat(texts.map(encodeFrame))
          const reader = new FrameReader()
          const read: string[] = []
          for (let at = 0; at < bytes.length; at += step) {
            reader.push(bytes.subarray(at, at + step))
            for (let frame = reader.next(); frame !== null; frame = reader.next()) {
              read.push(frame.toString())
            }
          }
          assert.deepEqual(
            read,
            texts.map((text) => Buffer.from(text).toString()),
          )
          assert.equal(reader.cut, false)
        },
      ),
    )
  })

  it('of an impossible length are refused', () => {
    const reader = new FrameReader()
    reader.push(Buffer.from([0, 1, 0, 1]))
    assert.throws(() => reader.next(), FrameError)
  })
})

describe('the set of recent clTRIDs', () => {
  it('has the newest and evicts the oldest', () => {
    const seen = new Seen()
    for (let n = 0; n < 120_000; n += 1) assert.equal(seen.check('a', `id-${n}`), false)
    assert.equal(seen.check('a', 'id-119999'), true)
    assert.equal(seen.check('a', 'id-75000'), true)
    assert.equal(seen.check('a', 'id-1'), false)
    assert.equal(seen.check('b', 'id-119999'), false)
  })
})
