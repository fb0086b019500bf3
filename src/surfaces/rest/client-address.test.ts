// The client's address, from the socket or from a trusted proxy's X-Forwarded-For.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countedAddress } from '../../kit/net/ip.ts'
import { addressReader } from './request.ts'

test('without trusted proxies a forwarded address is never used', () => {
  const addressOf = addressReader([])
  assert.equal(addressOf({ socketAddress: '10.0.0.1', forwardedFor: '1.2.3.4' }), '10.0.0.1')
})

test('behind trusted proxies the nearest untrusted address counts', () => {
  const addressOf = addressReader(['10.0.0.0/8', '::1'])
  const of = (socketAddress: string, forwardedFor?: string) =>
    addressOf({ socketAddress, forwardedFor })
  assert.equal(of('10.0.0.1', '1.2.3.4'), '1.2.3.4')
  assert.equal(of('::ffff:10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9'), '1.2.3.4')
  assert.equal(of('10.0.0.1', 'nonsense'), '10.0.0.1')
  assert.equal(of('10.0.0.1'), '10.0.0.1')
  assert.equal(of('8.8.8.8', '1.2.3.4'), '8.8.8.8')
})

test('an element with a port, or in brackets, is its address', () => {
  const addressOf = addressReader(['10.0.0.0/8', 'fd00::/8'])
  const of = (forwardedFor: string) => addressOf({ socketAddress: '10.0.0.1', forwardedFor })
  assert.equal(of('1.2.3.4:56789'), '1.2.3.4')
  assert.equal(of('6.6.6.6, 1.2.3.4:5, 10.0.0.2:80'), '1.2.3.4')
  assert.equal(of('[2001:db8::1]:443'), '2001:db8::1')
  assert.equal(of('[2001:db8::1]'), '2001:db8::1')
  assert.equal(of('2001:db8::1, [fd00::2]:8080'), '2001:db8::1')
  assert.equal(of('[::ffff:1.2.3.4]:443'), '1.2.3.4')
  for (const odd of ['unknown', '_hidden', '1.2.3.4:', '1.2.3.4:x', '[2001:db8::1', '', '1.2.3'])
    assert.equal(of(odd), '10.0.0.1', odd)
})

test('one address has one form, however it is written', () => {
  const addressOf = addressReader(['10.0.0.1'])
  const of = (forwardedFor: string) => addressOf({ socketAddress: '10.0.0.1', forwardedFor })
  for (const written of ['2001:DB8:0:0:0:0:0:1', '2001:0db8::0001', '2001:db8::1%eth0'])
    assert.equal(of(written), '2001:db8::1', written)
  for (const written of ['::FFFF:1.2.3.4', '::ffff:102:304', '0:0:0:0:0:ffff:1.2.3.4'])
    assert.equal(of(written), '1.2.3.4', written)
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const canonical = of(address)
      assert.equal(of(`[${address}]:1`), canonical)
      assert.equal(of(canonical), canonical)
      assert.equal(countedAddress(address), countedAddress(canonical))
    }),
  )
})

test('a range that is none stops the start with a clear line', () => {
  const odd = ['proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/x', '::/129', '10.0.0.0/8/8']
  for (const range of odd) assert.throws(() => addressReader([range]), /TRUSTED_PROXIES/, range)
})

test('IPv6 counts by its /64', () => {
  assert.equal(countedAddress('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(countedAddress('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(countedAddress('1.2.3.4'), '1.2.3.4')
})
