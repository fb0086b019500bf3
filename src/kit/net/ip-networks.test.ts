// The networks of an address.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { countedAddress, networksOf, siteOf } from './ip.ts'

const namesOf = (address: string) => networksOf(address).map(({ name }) => name)

it('are its /24 in IPv4, its /56, /48 and /32 in IPv6, and none for what is no address', () => {
  assert.deepEqual(namesOf('192.0.2.77'), ['192.0.2.77', '192.0.2.0/24'])
  const address = countedAddress('2001:DB8:7:1234:5:6:7:8')
  const wider = ['2001:db8:7:1200::/56', '2001:db8:7::/48', '2001:db8::/32']
  assert.deepEqual(namesOf(address), ['2001:db8:7:1234::/64', ...wider])
  assert.deepEqual(namesOf(''), [''])
  assert.deepEqual([siteOf('192.0.2.77'), siteOf(address)], ['192.0.2.0/24', '2001:db8:7::/48'])
  assert.equal(siteOf('unix'), 'unix')
})

it('are the same for all addresses of a network, however they are written', () =>
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const [own, ...wider] = networksOf(countedAddress(address))
      if (address.includes('.')) return
      assert.equal(own.step, 0)
      assert.deepEqual(
        wider.map(({ step }) => step),
        [1, 2, 3],
      )
    }),
  ))
