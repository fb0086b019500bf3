// Records of every type, stored by their canonical octets, are served as they are: by the name
// server in this process, and by a real PowerDNS, which takes only its own canonical text.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import type { Dns, ZoneContent } from '../../src/adapters/dns/port.ts'
import { openPowerDns } from '../../src/adapters/dns/powerdns/powerdns.ts'
import { openEmbeddedDns } from '../../src/adapters/dns/server/dns-server.ts'
import { glue, sample, storeOf } from '../../src/adapters/dns/zones.fixture.ts'
import { readRdata } from '../../src/dns/rdata/rdata.ts'
import { fileTypeNumber } from '../../src/dns/types.ts'
import { skipPowerDns, startPowerDns } from '../support/powerdns.ts'

const digest = '0123456789abcdef'.repeat(4)
const origin = 'example.com'

/** Presentation forms; each line is one value of the set "name type". */
const values: readonly [set: string, ...values: string[]][] = [
  ['example.com A', '192.0.2.1', '192.0.2.2'],
  ['example.com AAAA', '2001:db8::1', '::1', '2001:db8:0:1::'],
  ['example.com MX', '10 mail.example.com.', '20 mx.other.test.'],
  ['example.com TXT', '"v=spf1 -all"', '"a \\"quoted\\" \\\\ one; two"', '"\\195\\188\\000"', '""'],
  [
    'example.com CAA',
    '0 issue "ca.test; policy=ev"',
    '128 iodef "mailto:a@example.com"',
    '0 issuewild ";"',
  ],
  ['example.com HTTPS', '1 . alpn=h2,h3 ipv4hint=192.0.2.1 ipv6hint=2001:db8::1'],
  ['long.example.com TXT', `"${'x'.repeat(255)}" "${'y'.repeat(145)}"`, '"a" "b" ""'],
  ['null.example.com MX', '0 .'],
  ['www.example.com CNAME', 'Web.Example.COM.'],
  ['*.example.com TXT', '"any"'],
  ['_sip._tcp.example.com SRV', '0 5 5060 sip.example.com.', '1 0 0 .'],
  ['_443._tcp.example.com TLSA', `3 1 1 ${digest}`, `2 0 2 ${digest}${digest}`],
  ['host.example.com SSHFP', `4 2 ${digest}`],
  ['alias.example.com HTTPS', '0 www.other.test.'],
  ['svc.example.com SVCB', '16 svc.other.test. mandatory=alpn alpn=doq no-default-alpn port=853'],
  ['dns.example.com SVCB', '1 . alpn=h2 ech="AEX+DQA=" key7="/dns-query{?dns}" key667="a b"'],
  ['sub.example.com NS', 'ns.sub.example.com.', 'ns.other.test.'],
  ['sub.example.com DS', `12345 13 2 ${digest}`],
  ['ns.sub.example.com A', '192.0.2.53'],
  ['ns.sub.example.com AAAA', '2001:db8::53'],
  ['ptr.example.com PTR', 'host.example.com.'],
  ['enum.example.com NAPTR', '100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .'],
  ['place.example.com LOC', '52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m'],
  ['_http._tcp.example.com URI', '10 1 "https://example.com/a?b=\\"c\\""'],
  ['other.example.com TYPE65280', '\\# 4 c0000201', '\\# 0'],
  ['other.example.com TYPE260', '\\# 3 010203'],
]

const sets = values.map(([set, ...texts]): ZoneContent['sets'][number] => {
  const [name = '', typeText = ''] = set.split(' ')
  const type = fileTypeNumber(typeText) ?? 0
  const rdata = texts.map((text) => {
    const read = readRdata(type, text, { names: 'zone_file', origin })
    assert.ok('rdata' in read, `${set} ${text}: ${'problem' in read && read.problem}`)
    return read.rdata
  })
  return { name, type, ttl: 60 + type, rdata }
})
const zone: ZoneContent = { ...sample, sets }

type Opened = { dns: Dns; put: (content: ZoneContent) => Promise<unknown> }

async function embedded(): Promise<Opened> {
  const zones: ZoneContent[] = []
  const place = { host: '127.0.0.1', port: 0 }
  const log = pino({ level: 'silent' })
  const dns = await openEmbeddedDns({ place, store: storeOf(zones), glue, log })
  return { dns, put: async (content) => void zones.splice(0, 1, content) }
}

async function powerdns(): Promise<Opened> {
  const dns = openPowerDns({ ...(await startPowerDns()), glue })
  return { dns, put: async (content) => await dns.provider?.put(content) }
}

const sorted = (rdata: readonly Buffer[]) => rdata.map((one) => one.toString('hex')).sort()

servesEveryType('the name server in this process', embedded, false)
servesEveryType('PowerDNS', powerdns, skipPowerDns)

function servesEveryType(name: string, open: () => Promise<Opened>, skip: string | false): void {
  describe(`${name} serves`, { skip }, () => {
    let opened: Opened
    before(async () => {
      opened = await open()
      const put = await opened.put(zone)
      assert.deepEqual(put ?? { kind: 'done' }, { kind: 'done' })
    })
    after(() => opened.dns.close())

    for (const [i, [set]] of values.entries())
      it(`${set}`, async () => {
        const wanted = sets[i]
        assert.ok(wanted)
        const served = await opened.dns.askSet(wanted.name, wanted.type)
        assert.deepEqual(sorted(served?.rdata ?? []), sorted(wanted.rdata))
        assert.deepEqual([served?.rcode, served?.ttl], [0, wanted.ttl])
      })

    it('the same after a change of some, and no others', async () => {
      const less = sets.slice(2).map((set) => ({ ...set, ttl: set.ttl + 1 }))
      await opened.put({ ...zone, serial: zone.serial + 1, sets: less })
      const gone = await opened.dns.askSet('example.com', sets[0]?.type ?? 0)
      assert.deepEqual(gone, { rcode: 0, ttl: 0, rdata: [] })
      for (const { name: at, type, ttl, rdata } of less) {
        const served = await opened.dns.askSet(at, type)
        assert.deepEqual([served?.ttl, sorted(served?.rdata ?? [])], [ttl, sorted(rdata)])
      }
    })

    it('an alias where an address was, and back', async () => {
      const at = 'host.example.com'
      const alias = { name: at, type: 5, ttl: 60, rdata: [Buffer.from([1, 97, 1, 98, 0])] }
      const others = sets.filter((set) => set.name !== at)
      await opened.put({ ...zone, serial: zone.serial + 2, sets: [...others, alias] })
      assert.deepEqual((await opened.dns.askSet(at, 5))?.rdata, alias.rdata)
      await opened.put({ ...zone, serial: zone.serial + 3 })
      assert.deepEqual((await opened.dns.askSet(at, 5))?.rdata, [])
      assert.equal((await opened.dns.askSet(at, 44))?.rdata.length, 1)
    })
  })
}

describe('PowerDNS that does not take some sets', { skip: skipPowerDns }, () => {
  // This type accepts only host names as targets.
  const odd = [
    {
      name: 'a.example.com',
      type: 33,
      ttl: 60,
      rdata: [Buffer.from([0, 1, 0, 1, 0, 1, 2, 45, 97, 0])],
    },
    { name: 'b.example.com', type: 15, ttl: 60, rdata: [Buffer.from([0, 1, 2, 45, 97, 0])] },
  ]
  const without = ['a.example.com SRV', 'b.example.com MX']

  it('serves the zone without them, new or changed, and says which they are', async () => {
    const { dns } = await powerdns()
    const content = { ...zone, sets: [...sets.slice(0, 9), ...odd, ...sets.slice(9)] }
    for (const serial of [zone.serial, zone.serial + 1]) {
      const put = await dns.provider?.put({ ...content, serial })
      assert.deepEqual(put, { kind: 'done', without })
      for (const { name, type, rdata } of sets)
        assert.deepEqual(sorted((await dns.askSet(name, type))?.rdata ?? []), sorted(rdata))
      const soa = await dns.askSet('example.com', 6)
      assert.ok(soa?.rdata[0]?.includes(Buffer.from(serial.toString(16), 'hex')))
      assert.deepEqual((await dns.askSet('a.example.com', 33))?.rdata, [])
    }
    assert.deepEqual(await dns.provider?.put({ ...zone, serial: zone.serial + 2 }), {
      kind: 'done',
    })
  })

  it('fails where it is not even the SOA', async () => {
    const { dns } = await powerdns()
    assert.deepEqual(await dns.provider?.put(zone), { kind: 'done' })
    const nameservers = ['-no-host-.example.com', 'ns2.example.net']
    const put = await dns.provider?.put({ ...zone, serial: zone.serial + 1, nameservers })
    assert.equal(put?.kind === 'failed' && put.reason, 'refused')
  })
})
