// Whose address a request counts for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressReader, countedAddress } from './address.ts'

test('without trusted proxies a forwarded address is never believed', () => {
  const addressOf = addressReader([])
  assert.equal(addressOf({ socketAddress: '10.0.0.1', forwardedFor: '1.2.3.4' }), '10.0.0.1')
})

test('behind trusted proxies the nearest stranger counts', () => {
  const addressOf = addressReader(['10.0.0.0/8', '::1'])
  const of = (socketAddress: string, forwardedFor?: string) =>
    addressOf({ socketAddress, forwardedFor })
  assert.equal(of('10.0.0.1', '1.2.3.4'), '1.2.3.4')
  assert.equal(of('::ffff:10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9'), '1.2.3.4')
  assert.equal(of('10.0.0.1', 'nonsense'), '10.0.0.1')
  assert.equal(of('10.0.0.1'), '10.0.0.1')
  assert.equal(of('8.8.8.8', '1.2.3.4'), '8.8.8.8')
})

test('a range that is none stops the start with a clear line', () => {
  assert.throws(() => addressReader(['proxy.example']), /TRUSTED_PROXIES/)
})

test('IPv6 counts by its /64', () => {
  assert.equal(countedAddress('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(countedAddress('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(countedAddress('1.2.3.4'), '1.2.3.4')
})
