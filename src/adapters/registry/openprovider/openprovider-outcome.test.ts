// Mapping of Openprovider's codes, dates and prices, without I/O.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amountOf, decimalOf, momentOf, nameserverList, partsOf } from './openprovider-answers.ts'
import { meaningOf, readAnswer } from './openprovider-outcome.ts'

const answerOf = (status: number, body: unknown) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return readAnswer({ status, body: Buffer.from(text) }, 'order')
}

test('code 0 is success only with a successful HTTP status; any other code never is', () => {
  assert.deepEqual(answerOf(200, { code: 0, data: { id: 1 } }), { data: { id: 1 } })
  fc.assert(
    fc.property(
      fc.integer({ min: -10, max: 9_999 }),
      fc.integer({ min: 200, max: 599 }),
      (code, status) => {
        fc.pre(code !== 0 || status >= 300)
        assert.ok('outcome' in answerOf(status, { code, desc: 'x' }))
      },
    ),
  )
})

test('an undocumented code leaves the order open, whatever the status', () => {
  for (const code of [1, 11, 199, 341, 399, 502, 999, 4004, 7_777, -1])
    for (const status of [200, 400, 500]) {
      const answered = answerOf(status, { code, desc: 'An unknown error has occurred!' })
      assert.ok('outcome' in answered && answered.outcome.kind === 'unknown', String(code))
      assert.equal(answered.outcome.cause, 'server_failed')
    }
})

const meanings = [
  [311, 'exists'],
  [320, 'absent'],
  [318, 'bad_auth_code'],
  [514, 'pending_transfer'],
  [366, 'status'],
  [513, 'policy'],
  [379, 'fee_required'],
  [329, 'unsupported'],
  [146, 'bad_request'],
  [221, 'bad_request'],
  [303, 'bad_request'],
] as const
test('a definite refusal is refused with its reason', () => {
  for (const [code, reason] of meanings) {
    const meant = meaningOf(code, 'order')
    assert.equal(meant?.kind === 'refused' && meant.reason, reason, String(code))
  }
  const own = meaningOf(326, 'transfer')
  assert.equal(own?.kind === 'refused' && own.reason, 'status')
})

test('our log-in and our empty account are not a customer mistake', () => {
  for (const [code, cause] of [
    [196, 'authentication'],
    [309, 'authentication'],
    [900, 'authentication'],
    [310, 'registry_credit'],
    [920, 'registry_credit'],
  ] as const) {
    const meant = meaningOf(code, 'order')
    assert.equal(meant?.kind === 'unknown' && meant.cause, cause, String(code))
  }
})

test('no answer during maintenance is final', () => {
  const answered = answerOf(500, { code: 311, desc: 'not free', maintenance: true })
  assert.ok('outcome' in answered && answered.outcome.kind === 'unknown')
})

test('anything but their answer is silence or a failure, never a refusal', () => {
  for (const [status, cause] of [
    [200, 'silence'],
    [302, 'silence'],
    [401, 'authentication'],
    [404, 'server_failed'],
    [429, 'session_limit'],
    [502, 'server_failed'],
  ] as const)
    for (const body of ['', '<html>', '[]', '{"code":"0"}', '{"desc":"no code"}', '\u0000']) {
      const answered = answerOf(status, body)
      assert.ok('outcome' in answered && answered.outcome.kind === 'unknown', body)
      assert.equal(answered.outcome.cause, cause)
    }
})

test('reads dates as they are written, and an absent one as none', () => {
  assert.equal(momentOf('2020-04-29 17:15:19'), '2020-04-29T17:15:19.000Z')
  assert.equal(momentOf('2020-01-29 0:00:00'), '2020-01-29T00:00:00.000Z')
  assert.equal(momentOf('2014-04-18 7:13:05'), '2014-04-18T07:13:05.000Z')
  assert.equal(momentOf('2021-02-03'), '2021-02-03T00:00:00.000Z')
  for (const none of ['0000-00-00 00:00:00', '', 'soon', '2021-13-01 00:00:00', undefined])
    assert.equal(momentOf(none), null)
})

test('a price is never reported lower than it is, and cents stay what they are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
      assert.equal(decimalOf(cents / 100), (cents / 100).toFixed(2))
    }),
  )
  assert.equal(decimalOf(8.061), '8.07')
  assert.equal(amountOf({ reseller: { currency: 'USD', price: 8.06 } }, 'USD'), '8.06')
  assert.equal(amountOf({ reseller: { currency: 'EUR', price: 8.06 } }, 'USD'), null)
  assert.equal(amountOf(undefined, 'USD'), null)
})

test('names are cut at their first dot; addresses go by their kind', () => {
  assert.deepEqual(partsOf('a.co.uk'), { name: 'a', extension: 'co.uk' })
  assert.deepEqual(nameserverList(['ns1.a.nl', 'ns.b.nl'], { 'ns1.a.nl': ['2001:db8::1'] }), [
    { name: 'ns1.a.nl', ip6: '2001:db8::1', seq_nr: 1 },
    { name: 'ns.b.nl', seq_nr: 2 },
  ])
})
