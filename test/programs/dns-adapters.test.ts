// Both adapters answer dig alike: the name server in this process, and a real PowerDNS.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import type { Dns, ZoneContent } from '../../src/adapters/dns/port.ts'
import { openPowerDns } from '../../src/adapters/dns/powerdns/powerdns.ts'
import { openEmbeddedDns } from '../../src/adapters/dns/server/dns-server.ts'
import { address, glue, sample, storeOf } from '../../src/adapters/dns/zones.fixture.ts'
import { type Dug, dig, skipDig } from '../support/dig.ts'
import { type PowerDns, skipPowerDns, startPowerDns } from '../support/powerdns.ts'

const log = pino({ level: 'silent' })
const soaData = 'ns1.example.com. hostmaster.example.com. 1700000001 3600 600 1209600 300'
const soa = (ttl: number) => [`example.com. ${ttl} IN SOA ${soaData}`]

type Opened = { dns: Dns; put: (zone: ZoneContent) => Promise<void>; drop: () => Promise<void> }

async function embedded(): Promise<Opened> {
  const zones: ZoneContent[] = []
  const place = { host: '127.0.0.1', port: 0 }
  const dns = await openEmbeddedDns({ place, store: storeOf(zones), glue, log })
  const put = async (zone: ZoneContent) => void zones.splice(0, 1, zone)
  return { dns, put, drop: async () => void zones.splice(0) }
}

let pdns: PowerDns | undefined
async function powerdns(): Promise<Opened> {
  pdns = await startPowerDns()
  const dns = openPowerDns({ ...pdns, glue })
  const done = { kind: 'done' }
  return {
    dns,
    put: async (zone) => assert.deepEqual(await dns.provider?.put(zone), done),
    drop: async () => assert.deepEqual(await dns.provider?.drop(sample.name), done),
  }
}

answersDig('the name server in this process', embedded, skipDig)
answersDig('PowerDNS', powerdns, skipDig || skipPowerDns)

function answersDig(name: string, open: () => Promise<Opened>, skip: string | false): void {
  describe(`${name} answers dig`, { skip }, () => {
    let opened: Opened
    const ask = (...words: string[]) => dig(opened.dns.place, ...words)
    before(async () => {
      opened = await open()
      // This way, an early question gets no stale refusal later.
      assert.equal((await ask('example.com', 'SOA')).status, 'REFUSED')
      await opened.put(sample)
    })
    after(() => opened.dns.close())
    answersWhatIsThere(ask)
    answersWhatIsNot(ask)
    it('after a change of the whole zone: what is new, and nothing that is gone', async () => {
      const sets = [
        { ...address('new.example.com', '192.0.2.9'), ttl: 60 },
        address('www.example.com', '192.0.2.10'),
      ]
      await opened.put({ ...sample, serial: sample.serial + 5, sets })
      const [made, changed, gone, one] = await Promise.all([
        ask('new.example.com', 'A'),
        ask('www.example.com', 'A'),
        ask('real.star.example.com', 'A'),
        ask('example.com', 'SOA'),
      ])
      assert.deepEqual(made.answer, ['new.example.com. 60 IN A 192.0.2.9'])
      assert.deepEqual(changed.answer, ['www.example.com. 300 IN A 192.0.2.10'])
      assert.equal(gone.status, 'NXDOMAIN')
      assert.match(one.answer.join(), /1700000006/)
      assert.equal(await opened.dns.ask('new.example.com'), '192.0.2.9')
      assert.equal(await opened.dns.ask('NEW.example.com'), '192.0.2.9')
      assert.equal(await opened.dns.ask('gone.example.com'), null)
    })
    it('no longer once the zone is dropped', async () => {
      await opened.drop()
      assert.equal((await ask('www.example.com', 'A')).status, 'REFUSED')
      await opened.drop()
    })
  })
}

type Ask = (...words: string[]) => Promise<Dug>

function answersWhatIsThere(ask: Ask): void {
  for (const more of [[], ['+tcp'], ['+noedns'], ['+dnssec']])
    it(`addresses at the apex and below it, with authority ${more.join()}`, async () => {
      const apex = await ask('example.com', 'A', ...more)
      assert.deepEqual(apex.answer, ['example.com. 300 IN A 192.0.2.1'])
      assert.deepEqual([apex.status, apex.flags.includes('aa')], ['NOERROR', true])
      const below = await ask('www.example.com', 'A', ...more)
      assert.deepEqual(below.answer, ['www.example.com. 300 IN A 192.0.2.2'])
      assert.equal(below.flags.includes('ra'), false)
      assert.equal(/EDNS: version: 0/.test(below.text), more[0] !== '+noedns')
    })
  it('names in any case, repeating the case', async () => {
    const { answer } = await ask('wWw.ExAmPlE.cOm', 'A')
    assert.deepEqual(answer, ['wWw.ExAmPlE.cOm. 300 IN A 192.0.2.2'])
  })
  it('SOA and NS of the apex, with the address of the name server within it', async () => {
    assert.deepEqual((await ask('example.com', 'SOA')).answer, soa(3600))
    const { answer, additional } = await ask('example.com', 'NS')
    assert.deepEqual(answer.sort(), [
      'example.com. 3600 IN NS ns1.example.com.',
      'example.com. 3600 IN NS ns2.example.net.',
    ])
    assert.ok(additional.includes('ns1.example.com. 3600 IN A 192.0.2.53'))
    const own = await ask('ns1.example.com', 'A')
    assert.deepEqual(own.answer, ['ns1.example.com. 3600 IN A 192.0.2.53'])
  })
  it('a wildcard for absent names, and only directly below its place', async () => {
    const [any, real, deep] = await Promise.all([
      ask('any.star.example.com', 'A'),
      ask('real.star.example.com', 'A'),
      ask('two.levels.star.example.com', 'A'),
    ])
    assert.deepEqual(any.answer, ['any.star.example.com. 300 IN A 192.0.2.4'])
    assert.deepEqual(real.answer, ['real.star.example.com. 300 IN A 192.0.2.5'])
    assert.deepEqual(deep.answer, ['two.levels.star.example.com. 300 IN A 192.0.2.4'])
    assert.equal((await ask('below.real.star.example.com', 'A')).status, 'NXDOMAIN')
  })
}

function answersWhatIsNot(ask: Ask): void {
  const negative = async (status: string, ...words: string[]) => {
    const dug = await ask(...words)
    const result = [dug.status, dug.answer, dug.authority, dug.flags.includes('aa')]
    assert.deepEqual(result, [status, [], soa(300), true], dug.text)
  }
  it('NXDOMAIN with the SOA and its negative time to live', async () => {
    await negative('NXDOMAIN', 'nothing.example.com', 'A')
    await negative('NXDOMAIN', 'nothing.example.com', 'TXT', '+tcp')
    await negative('NXDOMAIN', 'below.www.example.com', 'A')
  })
  it('NODATA where the name is there without such a record', async () => {
    await negative('NOERROR', 'www.example.com', 'AAAA')
    await negative('NOERROR', 'example.com', 'MX', '+noedns')
    await negative('NOERROR', 'any.star.example.com', 'TXT')
  })
  it('NODATA for a name that only has names below it', async () => {
    await negative('NOERROR', 'deep.name.example.com', 'A')
    await negative('NOERROR', 'name.example.com', 'A')
    await negative('NOERROR', 'star.example.com', 'A')
  })
  it('REFUSED for other zones, without authority', async () => {
    for (const name of ['example.org', 'com', '.', 'notexample.com']) {
      const { status, flags, answer } = await ask(name, 'A')
      assert.deepEqual([status, flags.includes('aa'), answer], ['REFUSED', false, []], name)
    }
  })
}

describe('PowerDNS that takes the question and says nothing', () => {
  it('is given up after 8 s', { timeout: 20_000 }, async () => {
    const silent = createServer(() => undefined)
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    assert.ok(typeof address === 'object' && address)
    const url = `http://127.0.0.1:${address.port}`
    const place = { host: '127.0.0.1', port: 1 }
    const dns = openPowerDns({ url, api_key: 'k', place, glue })
    const began = performance.now()
    const result = await dns.provider?.put(sample)
    assert.equal(result?.kind === 'failed' && result.reason, 'unreachable')
    assert.ok(performance.now() - began < 12_000)
    silent.closeAllConnections()
    silent.close()
  })
})

describe('PowerDNS that is away', { skip: skipPowerDns }, () => {
  it('is unreachable, not refused, and has its zones when it is back', async () => {
    assert.ok(pdns)
    const dns = openPowerDns({ ...pdns, glue })
    await dns.provider?.put(sample)
    await pdns.stop()
    const result = await dns.provider?.put({ ...sample, serial: sample.serial + 1 })
    assert.equal(result?.kind === 'failed' && result.reason, 'unreachable')
    assert.equal(await dns.ask('www.example.com'), null)
    await pdns.start()
    assert.equal(await dns.ask('www.example.com'), '192.0.2.2')
  })
  it('refuses a wrong key, and says so without showing it', async () => {
    assert.ok(pdns)
    const dns = openPowerDns({ ...pdns, api_key: 'a-wrong-key', glue })
    const result = await dns.provider?.put(sample)
    assert.equal(result?.kind === 'failed' && result.reason, 'refused')
    assert.ok(!JSON.stringify(result).includes('a-wrong-key'))
    assert.equal((await dns.provider?.drop(sample.name))?.kind, 'failed')
  })
})
