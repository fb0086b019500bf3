// The small tools: money, identifiers, secrets, the health of a peer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { basisPoints, formatAmount, parseAmount } from './money.ts'
import {
  hashSecret,
  idPattern,
  isWellFormedSecret,
  newId,
  newSecret,
  sameSecret,
} from './random.ts'
import { PeerHealth } from './telemetry.ts'

test('an amount that was written is read back as it was', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), (cents) => {
      assert.equal(parseAmount(formatAmount(cents)), cents)
    }),
  )
  assert.equal(formatAmount(-5n), '-0.05')
})

test('an amount with more than two decimals, a sign, an exponent or other digits is none', () => {
  const cases = [
    '0.005',
    '1e3',
    '1,00',
    '１',
    '-0',
    '-1',
    '+1',
    'NaN',
    '',
    ' 1',
    '1.',
    '.5',
    '01',
    '1.234',
    '99999999999999',
  ]
  for (const text of cases) assert.equal(parseAmount(text), undefined, text)
  assert.equal(parseAmount('0.5'), 50n)
  assert.equal(parseAmount('12'), 1200n)
})

test('basis points round half up, by less than one minor unit', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.bigInt({ min: 0n, max: 20_000n }),
      (a, p) => {
        const exact = a * p
        const rounded = basisPoints(a, p) * 10_000n
        assert.ok(rounded - exact <= 5_000n && exact - rounded < 5_000n)
      },
    ),
  )
})

test('identifiers are unique, fit their pattern, and sort by time', () => {
  const ids = Array.from({ length: 1000 }, () => newId('cus'))
  assert.equal(new Set(ids).size, 1000)
  for (const id of ids) assert.match(id, new RegExp(idPattern('cus')))
  assert.ok(newId('ord', 1_000_000_000_000) < newId('ord', 1_000_000_000_001))
})

test('a secret with one character changed is refused without a look-up', () => {
  const secret = newSecret('ar_test_')
  assert.ok(isWellFormedSecret('ar_test_', secret.value))
  assert.ok(secret.value.startsWith(secret.shown_prefix))
  assert.deepEqual(secret.hash, hashSecret(secret.value))
  for (let i = 0; i < secret.value.length; i += 1) {
    const other = secret.value[i] === 'x' ? 'y' : 'x'
    const changed = secret.value.slice(0, i) + other + secret.value.slice(i + 1)
    assert.equal(isWellFormedSecret('ar_test_', changed), false, changed)
  }
  assert.equal(sameSecret('a', 'a'), true)
  assert.equal(sameSecret('a', 'ab'), false)
})

test('health is that of the last call, and is unknown ten minutes later', () => {
  let now_ms = 0
  const health = new PeerHealth(() => now_ms)
  assert.deepEqual(health.read(), { state: 'idle', trouble: null })
  health.note('does not respond')
  assert.deepEqual(health.read(), { state: 'down', trouble: 'does not respond' })
  health.note(null)
  assert.deepEqual(health.read(), { state: 'up', trouble: null })
  now_ms = 600_001
  assert.deepEqual(health.read(), { state: 'idle', trouble: null })
})

test('a refused key, a limit and a failure are problems; the refusal of one request is none', () => {
  const health = new PeerHealth()
  for (const status of [401, 403, 429, 500, 503]) {
    health.noteStatus(status)
    assert.deepEqual(health.read(), { state: 'down', trouble: `answered ${status}` })
  }
  for (const status of [200, 303, 400, 402, 404, 409]) {
    health.noteStatus(status)
    assert.equal(health.read().state, 'up', String(status))
  }
})
