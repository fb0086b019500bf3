// Answers larger than a client accepts: what is left out, and when TC is set.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decode } from 'dns-packet'
import { nameToWire } from '../../../dns/name.ts'
import { address, sample, storeOf } from '../zones.fixture.ts'
import { ask, askUdp, optIn, queryOf, serve } from './dns-server.fixture.ts'

it('sets TC where the answer does not fit the requested size', async () => {
  for (const edns of [undefined, { udpPayloadSize: 512 }, { udpPayloadSize: 100 }]) {
    const bytes = await askUdp(queryOf({ name: 'many.net', type: 2, ...(edns ? { edns } : {}) }))
    const cut = decode(bytes)
    assert.deepEqual([cut.flag_tc, cut.answers, cut.questions?.length], [true, [], 1])
    assert.ok(bytes.length <= 512)
    assert.equal(optIn(cut) !== undefined, edns !== undefined)
  }
  const whole = await ask({ name: 'many.net', type: 2, edns: { udpPayloadSize: 1232 } })
  assert.deepEqual([whole.flag_tc, whole.answers?.length], [false, 13])
})

it('omits additional data before it sets TC', async () => {
  const hosts = Array.from({ length: 15 }, (_, i) => `m${i}.example.com`)
  const rdata = hosts.map((host) => Buffer.concat([Buffer.from([0, 10]), nameToWire(host)]))
  const mail = { name: 'example.com', type: 15, ttl: 300, rdata }
  const sets = [mail, ...hosts.map((host) => address(host, '192.0.2.7'))]
  serve(storeOf([{ ...sample, sets }]))
  const small = await askUdp(queryOf({ name: 'example.com', type: 15 }))
  const { flag_tc, answers, additionals = [] } = decode(small)
  assert.deepEqual([flag_tc, answers?.length], [false, 15])
  // As many as fit, with 16 octets each.
  assert.equal(additionals.length, Math.floor((512 - small.length) / 16) + additionals.length)
  assert.ok(additionals.length > 0 && additionals.length < 15)
  const large = await ask({ name: 'example.com', type: 15, edns: {} })
  assert.equal(large.additionals?.length, 16)
  serve()
})

it('never exceeds the size, with or without EDNS, by a single octet', async () => {
  const whole: number[] = []
  const string = (size: number) => Buffer.concat([Buffer.of(size), Buffer.alloc(size, 97)])
  for (let size = 180; size < 250; size += 1) {
    const rdata = [Buffer.concat([string(240), string(size)])]
    serve(storeOf([{ ...sample, sets: [{ name: 'example.com', type: 16, ttl: 300, rdata }] }]))
    for (const edns of [null, { udpPayloadSize: 512 }]) {
      const query = queryOf({ name: 'example.com', type: 16, ...(edns ? { edns } : {}) })
      const bytes = await askUdp(query)
      const decoded = decode(bytes)
      const { flag_tc, answers } = decoded
      assert.equal(optIn(decoded) !== undefined, edns !== null)
      assert.ok(bytes.length <= 512)
      assert.deepEqual(flag_tc, answers?.length === 0)
      if (!flag_tc) whole.push(bytes.length)
    }
  }
  // Each size fits up to the limit itself.
  assert.equal(Math.max(...whole), 512)
  serve()
})

it('sets TC where the glue of a referral does not fit (RFC 9471)', async () => {
  const hosts = Array.from({ length: 18 }, (_, i) => `ns${i}.sub.example.com`)
  const delegation = { name: 'sub.example.com', type: 2, ttl: 300, rdata: hosts.map(nameToWire) }
  const addresses = hosts.map((host) => address(host, '192.0.2.7'))
  const six = { ...delegation, name: 'six.example.com' }
  serve(storeOf([{ ...sample, sets: [delegation, six, ...addresses] }]))
  const below = await ask({ name: 'www.sub.example.com' })
  assert.deepEqual([below.flag_tc, below.authorities?.length], [true, 18])
  assert.ok(below.additionals && below.additionals.length > 0)
  // Name servers elsewhere can be found without glue, so their addresses are left out silently.
  const beside = await ask({ name: 'www.six.example.com' })
  assert.deepEqual([beside.flag_tc, beside.authorities?.length], [false, 18])
  const whole = await ask({ name: 'www.sub.example.com', edns: {} })
  assert.deepEqual([whole.flag_tc, whole.additionals?.length], [false, 19])
  serve()
})
