// Framing: whole frames from any split of the stream, and rejection of dangerous lengths.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { GarbageInput } from '../errors.ts'
import { answer_limit_bytes, encodeFrame, FrameReader, greeting_limit_bytes } from './channel.ts'

function header(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}

test('the length counts its own four octets, in octets and not in characters', () => {
  const frame = encodeFrame('<ż/>')
  assert.equal(frame.readUInt32BE(0), 4 + 5)
  assert.equal(frame.subarray(4).toString(), '<ż/>')
})

test('frames come out whole and in order, however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' }), { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 97 }), { minLength: 1, maxLength: 20 }),
      (texts, sizes) => {
        const stream = Buffer.concat(texts.map(encodeFrame))
        const reader = new FrameReader()
        const got: string[] = []
        for (let at = 0, i = 0; at < stream.length; i += 1) {
          const size = sizes[i % sizes.length] ?? 1
          const chunk = stream.subarray(at, at + size)
          for (const payload of reader.push(chunk, answer_limit_bytes)) got.push(payload.toString())
          at += size
        }
        assert.deepEqual(got, texts)
        assert.equal(reader.pending_bytes, 0)
      },
    ),
  )
})

test('lengths without payload, beyond the limit, or with the sign bit are refused', () => {
  for (const length of [0, 3, 4, answer_limit_bytes + 1, 50 * 1024 * 1024, 2 ** 31, 2 ** 32 - 1]) {
    assert.throws(
      () => new FrameReader().push(header(length), answer_limit_bytes),
      GarbageInput,
      String(length),
    )
  }
  assert.deepEqual(new FrameReader().push(header(answer_limit_bytes), answer_limit_bytes), [])
  assert.throws(() => new FrameReader().push(header(70_000), greeting_limit_bytes), GarbageInput)
})
