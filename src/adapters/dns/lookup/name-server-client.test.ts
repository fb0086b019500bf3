// Addresses of name servers that clients name, resolved by DNS on real sockets: which of them may
// be asked, and how fast.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Delegation, startNameServer } from '../../../../sandbox/dns/index.ts'
import { AddressForbidden } from '../../../kit/net/outbound-network.ts'
import { openNameServerClient } from './name-server-client.ts'

const zones = new Map<string, Delegation>()
const resolver = await startNameServer({ host: '127.0.0.1', port: 0 }, (domain) => {
  return zones.get(domain) ?? null
})
after(() => resolver.close())
const reserved: string[] = []
const client = openNameServerClient({
  resolvers: [`127.0.0.1:${resolver.port}`],
  places: new Map([['ns.trusted.test', { host: '127.0.0.1', port: 5300 }]]),
  reserve: async (address) => {
    reserved.push(address)
    return 0
  },
})
const signal = new AbortController().signal
const placesOf = (host: string, given: string[] = []) => client.placesOf(host, given, signal)
const at = (...addresses: string[]) => addresses.map((host) => ({ host, port: 53 }))
const named = (domain: string, ...addresses: string[]) =>
  zones.set(domain, [{ name: `ns.${domain}`, addresses }])

test('are public addresses, IPv4 first, four of them at most', async () => {
  named('public.test', '2a00:1450::1', '198.41.0.4', '199.9.14.201')
  const found = await placesOf('ns.public.test')
  assert.deepEqual(found, at('198.41.0.4', '199.9.14.201', '2a00:1450::1'))
  named('many.test', ...Array.from({ length: 6 }, (_, i) => `198.41.0.${i + 1}`))
  assert.equal((await placesOf('ns.many.test')).length, 4)
})

test('are none where the name has no address', async () => {
  assert.deepEqual(await placesOf('ns.nowhere.test'), [])
})

for (const address of [
  ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.0.2.1', '0.0.0.0', '224.0.0.1'],
  ...['::1', 'fd00::1', 'fe80::1', '::ffff:10.0.0.1', '64:ff9b::a00:1'],
])
  test(`refuse a name with ${address}, also beside a public one, and as glue`, async () => {
    named('inside.test', '198.41.0.4', address)
    await assert.rejects(placesOf('ns.inside.test'), AddressForbidden)
    await assert.rejects(placesOf('ns.glued.test', ['198.41.0.4', address]), AddressForbidden)
  })

test('are those of the setting for its names alone', async () => {
  assert.deepEqual(await placesOf('ns.trusted.test'), [{ host: '127.0.0.1', port: 5300 }])
})

test('are asked at a reserved time', async () => {
  const closed = { host: '127.0.0.1', port: 1 }
  assert.equal(await client.ask(closed, 'example.com', 1), null)
  assert.deepEqual(reserved, ['127.0.0.1'])
})
