// IP addresses: one text for each, and which of them a name server may have.
import assert from 'node:assert/strict'
import { SocketAddress } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPublicIp, parseIp } from './ip.ts'

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

test('what only looks like an address is none', () => {
  const texts =
    '|010.0.0.1|127.1|1.2.3|256.1.1.1|1.2.3.4 | 1.2.3.4|1.2.3.4/24|0x7f000001|2130706433|::1%lo|' +
    'fe80::1%eth0|[::1]|:::|1::2::3|12345::|١.١.١.١|ns1.example.net'
  for (const text of texts.split('|')) assert.equal(parseIp(text), undefined, text)
  fc.assert(fc.property(fc.string(), (text) => parseIp(text) === undefined || text.length > 1))
})

test('private, local and reserved addresses are not public', () => {
  const no =
    '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.31.255.255 192.168.0.1 224.0.0.1 ' +
    '240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:8.8.8.8 64:ff9b::808:808 100::1 fd00::1 ' +
    'fe80::1 ff02::1'
  for (const text of no.split(' ')) assert.equal(isPublicIp(parseIp(text) ?? ''), false, text)
  const yes = '8.8.8.8 172.32.0.1 100.128.0.1 192.0.2.1 2001:db8::1 2a00:1450:4001::1'
  for (const text of yes.split(' ')) assert.equal(isPublicIp(parseIp(text) ?? ''), true, text)
  assert.equal(isPublicIp('not an address'), false)
})
