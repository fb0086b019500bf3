// Header fields of x402: a payment must match one of the offers, and no other payment is accepted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  authorizationFor,
  networkId,
  nonceOf,
  payloadOf,
  paymentRequired,
  paymentResponse,
  payToOf,
  readPayment,
} from './payment-headers.ts'
import type { Authorization, Hex, Terms } from './port.ts'

const now = new Date('2026-11-23T00:00:00Z')
const now_s = now.getTime() / 1000
const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((octets): Hex => `0x${Buffer.from(octets).toString('hex')}`)
const anyTerms: fc.Arbitrary<Terms> = fc.record({
  chain_id: fc.integer({ min: 1 }),
  token: hexOf(20),
  domain: fc.constant({ name: 'USD Coin', version: '2' }),
  pay_to: hexOf(20),
  units: fc.bigInt({ min: 1n, max: 2n ** 200n }),
})
const anySigned = fc.record({
  payer: hexOf(20),
  nonce: hexOf(32),
  signature: hexOf(65),
  valid_after: fc.integer({ min: 0, max: now_s }),
  valid_before: fc.integer({ min: now_s + 30, max: now_s + 86_400 }),
})
const encoded = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64')
const decoded = (text: string) => JSON.parse(Buffer.from(text, 'base64').toString())
const withUnits = (terms: Terms, signed: Omit<Authorization, 'value'>) => ({
  ...signed,
  value: terms.units,
})

test('a payment of the offer is read as it was signed', () => {
  fc.assert(
    fc.property(anyTerms, anySigned, (terms, signed) => {
      const authorization = withUnits(terms, signed)
      const payment = readPayment(encoded(payloadOf(terms, authorization)))
      assert.ok(payment)
      assert.equal(payToOf(payment), terms.pay_to)
      assert.deepEqual(nonceOf(payment), { payer: signed.payer, nonce: signed.nonce })
      assert.deepEqual(authorizationFor(payment, terms, now), authorization)
    }),
  )
})

test('a payment of another offer, amount or time is refused', () => {
  fc.assert(
    fc.property(anyTerms, anyTerms, anySigned, (terms, other, signed) => {
      const of = (given: Terms, at = now) => {
        const payment = readPayment(encoded(payloadOf(given, withUnits(given, signed))))
        assert.ok(payment)
        return authorizationFor(payment, terms, at)
      }
      assert.equal(typeof of({ ...terms, pay_to: other.pay_to }), 'string')
      assert.equal(typeof of({ ...terms, token: other.token }), 'string')
      assert.equal(of({ ...terms, units: terms.units + 1n }), 'no_matching_requirements')
      assert.equal(
        of({ ...terms, chain_id: terms.chain_id + 1 }),
        'invalid_exact_evm_network_mismatch',
      )
      const late = new Date(now.getTime() + 86_400_000)
      assert.equal(of(terms, late), 'invalid_exact_evm_payload_authorization_valid_before')
    }),
  )
})

test('a header of another form is no payment, and no exception', () => {
  fc.assert(
    fc.property(fc.string(), fc.json(), (text, json) => {
      assert.equal(readPayment(text), undefined)
      assert.equal(readPayment(Buffer.from(json).toString('base64')), undefined)
    }),
  )
  assert.equal(readPayment(encoded({ x402Version: 1, scheme: 'exact' })), undefined)
})

test('the requirements and the response are those of version 2', () => {
  const [terms] = fc.sample(anyTerms, 1)
  assert.ok(terms)
  const resource = { url: 'https://registrar.example/top-ups', description: 'Top-up' }
  const required = decoded(paymentRequired({ terms, error: 'pay', resource }))
  assert.equal(required.x402Version, 2)
  const [accepted] = required.accepts
  assert.deepEqual(
    [accepted.scheme, accepted.network, accepted.amount, accepted.payTo.toLowerCase()],
    ['exact', networkId(terms), String(terms.units), terms.pay_to],
  )
  assert.deepEqual(accepted.extra, { ...terms.domain, assetTransferMethod: 'eip3009' })
  const payer = terms.pay_to
  const failed = decoded(paymentResponse({ terms, payer, transaction_id: null, error: 'reverted' }))
  assert.deepEqual(
    [failed.success, failed.errorReason, failed.transaction],
    [false, 'reverted', ''],
  )
  const settled = decoded(paymentResponse({ terms, payer, transaction_id: '0xab', error: null }))
  assert.deepEqual([settled.success, 'errorReason' in settled], [true, false])
})
