// Delegations as resolvers report them over real sockets, which are read in full or not at all.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { type Delegation, startNameServer } from '../../../sandbox/dns/index.ts'
import { openDelegations } from './delegation.ts'

const zones = new Map<string, Delegation>()
const server = await startNameServer({ host: '127.0.0.1', port: 0 }, (domain) => {
  return zones.get(domain) ?? null
})
after(() => server.close())
const { read } = openDelegations([`127.0.0.1:${server.port}`])

const host = (name: string, ...addresses: string[]) => ({ name, addresses })

test('reads hosts in canonical form, with the addresses of those below the name', async () => {
  zones.set('moved.example', [
    host('ns2.moved.example', '192.0.2.2'),
    host('ns1.moved.example', '192.0.2.1', '2A00:1450:0::1'),
    host('NS.Elsewhere.Test'),
  ])
  assert.deepEqual(await read('moved.example'), {
    nameservers: ['ns.elsewhere.test', 'ns1.moved.example', 'ns2.moved.example'],
    glue: {
      'ns1.moved.example': ['192.0.2.1', '2a00:1450::1'],
      'ns2.moved.example': ['192.0.2.2'],
    },
  })
})

test('reads the name servers alone, also one without a second', async () => {
  const { nameservers } = openDelegations([`127.0.0.1:${server.port}`])
  zones.set('odd.example', [host('NS1.odd.example')])
  assert.deepEqual(await nameservers('odd.example'), ['ns1.odd.example'])
  assert.deepEqual(await nameservers('none.example'), [])
})

const unusable: Record<string, Delegation | undefined> = {
  'an unregistered name': undefined,
  'no name server': [],
  'one name server': [host('ns1.elsewhere.test')],
  'the same one twice': [host('ns1.elsewhere.test'), host('ns1.elsewhere.test')],
  'fourteen name servers': Array.from({ length: 14 }, (_, i) => host(`ns${i}.elsewhere.test`)),
  'one that is no host name': [host('ns1.elsewhere.test'), host('n_s.elsewhere.test')],
  'an IP address as a name': [host('ns1.elsewhere.test'), host('192.0.2.1')],
  'one below the name without an address': [host('ns1.elsewhere.test'), host('ns.odd.example')],
  'one below the name with an unreachable address': [
    host('ns1.elsewhere.test'),
    host('ns.odd.example', '192.0.2.1', '10.0.0.1'),
  ],
}
for (const [what, delegation] of Object.entries(unusable))
  test(`${what} cannot be read`, async () => {
    zones.delete('odd.example')
    if (delegation) zones.set('odd.example', delegation)
    assert.equal(await read('odd.example'), undefined)
  })

test('returns any set of 2 to 13 usable hosts unchanged', async () => {
  const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,10})$/)
  const hosts = fc.uniqueArray(fc.tuple(label, fc.boolean()), {
    minLength: 2,
    maxLength: 13,
    selector: ([name]) => name,
  })
  const property = fc.asyncProperty(hosts, async (chosen) => {
    const delegation = chosen.map(([name, own]) =>
      own ? host(`${name}.any.example`, '192.0.2.1') : host(`${name}.elsewhere.test`),
    )
    zones.set('any.example', delegation)
    const found = await read('any.example')
    assert.deepEqual(found?.nameservers, delegation.map(({ name }) => name).sort())
    assert.deepEqual(
      Object.keys(found?.glue ?? {}).sort(),
      delegation.flatMap(({ name, addresses }) => (addresses.length > 0 ? [name] : [])).sort(),
    )
  })
  await fc.assert(property, { numRuns: 50 })
})

test('returns no delegation for a resolver that answers with garbage, or not at all', async () => {
  for (const reply of [Buffer.from('nonsense'), Buffer.alloc(12), null]) {
    const odd = createSocket('udp4')
    odd.on('message', (_message, from) => {
      if (reply) odd.send(reply, from.port, from.address)
    })
    odd.bind(0, '127.0.0.1')
    await once(odd, 'listening')
    const { read: ask } = openDelegations([`127.0.0.1:${odd.address().port}`])
    assert.equal(await ask('moved.example'), undefined)
    odd.close()
  }
})
