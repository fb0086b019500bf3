// Name servers in requests (security 61): accepted and refused values, and the field of each
// refusal.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInput } from '../../kit/fault.ts'
import { readNameservers } from './names.ts'

const domain = 'xn--kln-agent-07a.com'
const outside = ['ns1.example.net', 'ns2.example.net']

function refusals(given: Parameters<typeof readNameservers>[1]): string[] {
  try {
    readNameservers(domain, given)
  } catch (error) {
    if (error instanceof InvalidInput) return error.fields.map(({ path }) => path.join('.'))
    throw error
  }
  return []
}

test('hosts are folded to lower-case A-labels, addresses to their usual text', () => {
  const read = readNameservers(domain, {
    nameservers: ['NS1.Example.NET.', 'ns1.köln-agent.com', `ns2.${domain}`],
    glue: { 'NS1.KÖLN-agent.com.': ['2A00:1450:0::1', '192.0.2.1'] },
  })
  assert.deepEqual(read, {
    nameservers: ['ns1.example.net', `ns1.${domain}`, `ns2.${domain}`],
    glue: { [`ns1.${domain}`]: ['2a00:1450::1', '192.0.2.1'] },
  })
  assert.equal(readNameservers(domain, {}), undefined)
})

test('invalid and duplicate host names are refused with their position', () => {
  const wrong = [
    '192.0.2.1',
    '::1',
    'localhost',
    'a..b',
    '-a.net',
    'a b.net',
    '',
    'ns1.example.net/',
    '*.a.net',
    'xn--a.net',
    'ns_1.example.net',
  ]
  for (const host of wrong)
    assert.deepEqual(refusals({ nameservers: ['ns1.example.net', host] }), ['nameservers.1'], host)
  const twice = ['ns1.example.net', 'NS1.example.net.', 'ns2.example.net']
  assert.deepEqual(refusals({ nameservers: twice }), ['nameservers.1'])
})

test('glue is only for name servers below the domain, each once, with the field that fails', () => {
  const own = `ns1.${domain}`
  const given = (glue: Record<string, string[]>) => ({ nameservers: [...outside, own], glue })
  const ip = ['192.0.2.1']
  assert.deepEqual(refusals(given({ 'ns1.example.net': ip })), ['glue.ns1.example.net'])
  assert.deepEqual(refusals(given({ [`ns9.${domain}`]: ip })), [`glue.ns9.${domain}`])
  assert.deepEqual(refusals(given({ [domain]: ip })), [`glue.${domain}`])
  assert.deepEqual(refusals(given({ [`x${domain}`]: ip })), [`glue.x${domain}`])
  assert.deepEqual(refusals(given({ __proto__x: ip })), ['glue.__proto__x'])
  assert.deepEqual(refusals(given(JSON.parse('{"__proto__": ["192.0.2.1"]}'))), ['glue.__proto__'])
  assert.deepEqual(refusals(given({ [own]: ip, [`${own}.`]: ip })), [`glue.${own}.`])
  assert.deepEqual(refusals({ glue: { [own]: ip } }), ['nameservers'])
})

test('an address that is none, that is not public, or that is there twice is refused', () => {
  const own = `ns1.${domain}`
  const wrong = [
    '010.0.0.1',
    '127.1',
    '1.2.3.4 ',
    '1.2.3',
    'fe80::1%eth0',
    '127.0.0.1',
    '10.0.0.1',
    '::1',
    'fd00::1',
    '::ffff:192.0.2.1',
    '64:ff9b:1::1',
    '2001:db8::1',
    '2002:808:808::1',
    'fec0::1',
    '0.0.0.0',
  ]
  for (const address of wrong) {
    const given = { nameservers: [own, 'ns1.example.net'], glue: { [own]: ['192.0.2.1', address] } }
    assert.deepEqual(refusals(given), [`glue.${own}.1`], address)
  }
  const twice = { [own]: ['2a00:1450::1', '2A00:1450::0:1'] }
  assert.deepEqual(refusals({ nameservers: [own, 'ns1.example.net'], glue: twice }), [
    `glue.${own}.1`,
  ])
})
