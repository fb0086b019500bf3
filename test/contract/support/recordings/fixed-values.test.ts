// Values that time, chance and jobs give are the same in every recording.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { newId } from '../../../../src/kit/random.ts'
import { fixedValues } from './fixed-values.ts'

const minute_ms = 60_000
const day_ms = 86_400_000

/** An answer as a service gives it at this time, with random values of its own. */
function answerAt(sent_at: number) {
  const after = (ms: number) => new Date(sent_at + ms).toISOString()
  const row_hash = randomBytes(32).toString('hex')
  const value = {
    answer: {
      id: 7,
      created_at: after(-randomBytes(1).readUInt8()),
      expires_at: after(5 * minute_ms),
      locked_until: after(60 * day_ms).replace('Z', '+00:00'),
      day: after(0).slice(0, 10),
      row_hash,
      entries: [{ row_hash, etag: randomBytes(16).toString('base64url') }],
      secret: randomBytes(32).toString('base64'),
      url: `http://127.0.0.1:${1024 + randomBytes(1).readUInt8()}/i/${row_hash}`,
      latency_ms: randomBytes(1).readUInt8(),
      name: 'An app of 2026',
      address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      first_id: '-9223372036854775808',
    },
  }
  return fixedValues(value, { name: 'get_example', sent_at })
}

it('is the same of each run, whenever it is and whatever chance gave it', () => {
  const first = answerAt(Date.parse('2026-11-28T08:00:00.000Z'))
  for (const at of [
    '2026-11-28T23:59:59.999Z',
    '2028-02-28T10:00:01.000Z',
    '2030-01-31T00:00:00.000Z',
  ])
    assert.deepEqual(answerAt(Date.parse(at)), first)
})

it('keeps what no chance made, and what belongs together', () => {
  const { answer } = answerAt(Date.now())
  assert.equal(answer.name, 'An app of 2026')
  assert.equal(answer.address, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')
  assert.equal(answer.first_id, '-9223372036854775808')
  assert.equal(answer.row_hash, answer.entries[0]?.row_hash)
  assert.deepEqual(
    [answer.created_at, answer.expires_at, answer.day],
    ['2026-06-01T12:00:00.000Z', '2026-06-01T12:05:00.000Z', '2026-06-01'],
  )
})

it('keeps an id, which the recording names itself', () => {
  const id = newId('cus').replace(/_.*/, '_01kc8v3w6qf9t2x5y7z8a4b3c2')
  assert.equal(fixedValues(id, { name: 'get_example', sent_at: Date.now() }), id)
})
