// Which addresses a stranger may make us reach.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPublicUnicast, resolvePublic } from './ssrf-address-policy.ts'

test('addresses of hosts on the Internet are reached', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '100.128.0.1', '172.32.0.1', '223.255.255.255'])
    assert.ok(isPublicUnicast(address), address)
  for (const address of ['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1'])
    assert.ok(isPublicUnicast(address), address)
})

test('no address of this machine, of a private network or of a special purpose is', () => {
  for (const address of [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::FFFF:7F00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::a00:1',
    '100::1',
    '2001::1',
    '2001:0:53aa:64c::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '2002:a00:1::',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ])
    assert.ok(!isPublicUnicast(address), address)
})

test('what is no address, or one written otherwise, is not reached', () => {
  for (const text of ['', 'localhost', '127.1', '0x7f.1', '2130706433', '010.0.0.1', '8.8.8.8:443'])
    assert.ok(!isPublicUnicast(text), text)
})

test('whatever the rest of it, an IPv6 address outside 2000::/3 is not reached', () => {
  const group = fc.nat(0xffff).map((number) => number.toString(16))
  fc.assert(
    fc.property(fc.nat(0xffff), fc.array(group, { minLength: 7, maxLength: 7 }), (first, rest) => {
      const address = [first.toString(16), ...rest].join(':')
      if (first >> 13 !== 1) assert.ok(!isPublicUnicast(address), address)
    }),
  )
})

test('a name that nobody answers for has no address, and the wait can be ended', async () => {
  const aborted = AbortSignal.timeout(50)
  const started = performance.now()
  assert.deepEqual(await resolvePublic('name.invalid', aborted), [])
  assert.ok(performance.now() - started < 2_000)
})
