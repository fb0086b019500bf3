// IP addresses: one text for each, and the ones that a name server may have.
import assert from 'node:assert/strict'
import { SocketAddress } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGlueAddress, isPublicIp, parseIp } from './ip.ts'

test('an address has one text, however it was written', () => {
  assert.equal(parseIp('192.0.2.1'), '192.0.2.1')
  for (const text of ['2001:DB8:0:0::1', '2001:db8::1', '2001:0db8:0:0:0:0:0:1'])
    assert.equal(parseIp(text), '2001:db8::1')
  fc.assert(fc.property(fc.ipV4(), (text) => parseIp(text) === text))
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const once = parseIp(text) ?? assert.fail(text)
      const same = new SocketAddress({ address: text, family: 'ipv6' }).address
      assert.deepEqual([parseIp(once), once], [once, same])
      assert.equal(parseIp(text.toUpperCase()), once)
    }),
  )
})

test('refuses text that only resembles an address', () => {
  const texts =
    '|010.0.0.1|127.1|1.2.3|256.1.1.1|1.2.3.4 | 1.2.3.4|1.2.3.4/24|0x7f000001|2130706433|::1%lo|' +
    'fe80::1%eth0|[::1]|:::|1::2::3|12345::|١.١.١.١|ns1.example.net'
  for (const text of texts.split('|')) assert.equal(parseIp(text), undefined, text)
  fc.assert(fc.property(fc.string(), (text) => parseIp(text) === undefined || text.length > 1))
})

test('addresses of hosts on the Internet are reached', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '100.128.0.1', '172.32.0.1', '223.255.255.255'])
    assert.ok(isPublicIp(address), address)
  for (const address of ['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1'])
    assert.ok(isPublicIp(address), address)
})

test('addresses of this machine, of a private network or of a special purpose are not reached', () => {
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
    assert.ok(!isPublicIp(address), address)
})

test('refuses to reach other texts, and addresses in another notation', () => {
  for (const text of ['', 'localhost', '127.1', '0x7f.1', '2130706433', '010.0.0.1', '8.8.8.8:443'])
    assert.ok(!isPublicIp(text), text)
})

test('whatever the rest of it, an IPv6 address outside 2000::/3 is not reached', () => {
  const group = fc.nat(0xffff).map((number) => number.toString(16))
  fc.assert(
    fc.property(fc.nat(0xffff), fc.array(group, { minLength: 7, maxLength: 7 }), (first, rest) => {
      const address = [first.toString(16), ...rest].join(':')
      if (first >> 13 !== 1) assert.ok(!isPublicIp(address), address)
    }),
  )
})

test('a name server may have a public address, or an IPv4 address for documentation', () => {
  const yes = '8.8.8.8 172.32.0.1 100.128.0.1 192.0.2.1 198.51.100.1 203.0.113.1 2a00:1450:4001::1'
  for (const text of yes.split(' ')) assert.equal(isGlueAddress(text), true, text)
  const no =
    '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.31.255.255 192.168.0.1 224.0.0.1 ' +
    '240.0.0.1 255.255.255.255 192.0.0.1 192.88.99.1 198.18.0.1 :: ::1 ::7f00:1 ::ffff:8.8.8.8 ' +
    '::ffff:192.0.2.1 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:808:808::1 ' +
    '3fff::1 4000::1 fd00::1 fe80::1 fec0::1 ff02::1 nonsense'
  for (const text of no.split(' ')) assert.equal(isGlueAddress(text), false, text)
})
