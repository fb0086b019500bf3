// Prerequisites and updates by the tables of RFC 2136, on a zone in memory.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rrClass } from '../../../../dns/message/read-message.ts'
import { readRdata, writeRdata } from '../../../../dns/rdata/rdata.ts'
import { rrType, typeName, typeNumber } from '../../../../dns/types.ts'
import { type RecordSet, setKey, sortedRdata, wholeName } from '../record-sets/record-set.ts'
import { planUpdate } from './plan-update.ts'
import { requirePrerequisites } from './prerequisites.ts'
import { type MessageRecord, UpdateRefused } from './update-message.ts'

const domain = 'example.com'

function octets(type: number, text: string): Buffer {
  const read = readRdata(type, text, { names: 'api', origin: domain })
  assert.ok('rdata' in read, JSON.stringify(read))
  return read.rdata
}

function setOf(text: string): RecordSet {
  const [host = '', name = '', ...values] = text.split(' ')
  const type = name === 'SOA' ? rrType.soa : (typeNumber(name) ?? 0)
  return { host, type, ttl: 3600, rdata: sortedRdata(values.map((one) => octets(type, one))) }
}

const sets = ['@ A 192.0.2.1', 'www A 192.0.2.1 192.0.2.2', 'alias CNAME b.example.net.', 'b TXT x']
const stored = new Map(sets.map(setOf).map((one) => [setKey(one), one]))
const managed = [setOf('@ NS ns1.example.net. ns2.example.net.')]
const whole = new Map([...stored, ...managed.map((one) => [setKey(one), one] as const)])

/**
 * "www A 192.0.2.1", "ANY www A", "NONE www A 192.0.2.1", with "ANY" for the type, and a TTL. A
 * host with a final dot is a name elsewhere.
 */
function recordOf(text: string): MessageRecord {
  const words = text.split(' ')
  const of = words[0] === 'ANY' ? rrClass.any : words[0] === 'NONE' ? rrClass.none : rrClass.in
  const [host = '', name = '', value, ttl] = of === rrClass.in ? words : words.slice(1)
  const types: Record<string, number> = { ANY: rrType.any, AXFR: rrType.axfr, SOA: rrType.soa }
  const type = types[name] ?? typeNumber(name) ?? 0
  const rdata = value === undefined || value === '-' ? Buffer.of() : octets(type, value)
  const full = host.endsWith('.') ? host.slice(0, -1) : wholeName(host, domain)
  return { name: full, type, class: of, ttl: Number(ttl ?? 0), value: { rdata } }
}

function outcome(work: () => unknown): string {
  try {
    work()
    return 'NOERROR'
  } catch (error) {
    assert.ok(error instanceof UpdateRefused)
    return String(error.rcode)
  }
}

describe('prerequisites (RFC 2136 2.4)', () => {
  const [formerr, nxdomain, yxdomain, yxrrset, nxrrset, notzone] = ['1', '3', '6', '7', '8', '10']
  const table: readonly (readonly [string, string | undefined])[] = [
    ['ANY www A', 'NOERROR'],
    ['ANY www AAAA', nxrrset],
    ['ANY nothing ANY', nxdomain],
    ['ANY b ANY', 'NOERROR'],
    ['ANY @ NS', 'NOERROR'],
    ['NONE www A', yxrrset],
    ['NONE www AAAA', 'NOERROR'],
    ['NONE www ANY', yxdomain],
    ['NONE nothing ANY', 'NOERROR'],
    ['NONE @ ANY', yxdomain],
    ['www A 192.0.2.1', nxrrset],
    ['www A 192.0.2.2;www A 192.0.2.1', 'NOERROR'],
    ['nothing A 192.0.2.1', nxrrset],
    ['www A 192.0.2.1 60', formerr],
    ['ANY www A 192.0.2.1', formerr],
    ['NONE www A 192.0.2.1', formerr],
    ['ANY www AXFR', nxrrset],
    ['www ANY -', formerr],
    ['ANY www.example.net. A', notzone],
    ['www.example.net. A 192.0.2.1 60', formerr],
    // The first that does not hold; values are compared at the end.
    ['NONE www A;ANY nothing ANY', yxrrset],
    ['ANY nothing ANY;ANY www.example.net. A', nxdomain],
    ['www A 192.0.2.9;NONE @ ANY', yxdomain],
    ['www A 192.0.2.9;www.example.net. A 192.0.2.1', notzone],
  ]
  for (const [text, expected] of table)
    it(`${text} is answered with ${expected}`, () => {
      const wanted = text.split(';').map(recordOf)
      assert.equal(
        outcome(() => requirePrerequisites(wanted, { domain, sets: whole })),
        expected,
      )
    })
})

const zone = { domain, sets: stored, managed }

function planned(text: string): string[] {
  return planUpdate(text.split(';').map(recordOf), zone).map(({ host, type, ttl, rdata }) =>
    [host, typeName(type), ttl, ...rdata.map((one) => writeRdata(type, one))].join(' '),
  )
}

describe('updates (RFC 2136 2.5 and 3.4.2)', () => {
  const table: Readonly<Record<string, readonly string[]>> = {
    'www A 192.0.2.3 600': ['www A 600 192.0.2.1 192.0.2.2 192.0.2.3'],
    'www A 192.0.2.1 600': ['www A 600 192.0.2.1 192.0.2.2'],
    'ANY www A;www A 192.0.2.9 60': ['www A 60 192.0.2.9'],
    'NONE www A 192.0.2.1': ['www A 3600 192.0.2.2'],
    'NONE www A 192.0.2.1;NONE www A 192.0.2.2': ['www A 3600'],
    'NONE www A 192.0.2.7': ['www A 3600 192.0.2.1 192.0.2.2'],
    'ANY www ANY': ['www A 3600'],
    'ANY @ ANY': ['@ A 3600'],
    'ANY nothing ANY': [],
    'ANY @ NS': [],
    'ANY @ SOA': [],
    'NONE @ NS ns9.example.net.': [],
    '@ NS ns1.example.net. 60': [],
    'new TXT x 1': ['new TXT 60 "x"'],
    'new TXT x 604800': ['new TXT 86400 "x"'],
    'www CNAME a.example.net. 60': [],
    'alias A 192.0.2.1 60': [],
    '@ CNAME a.example.net. 60': [],
    'alias CNAME c.example.net. 60': ['alias CNAME 60 c.example.net.'],
    'ANY alias ANY;alias A 192.0.2.1 60': ['alias CNAME 3600', 'alias A 60 192.0.2.1'],
  }
  for (const [text, expected] of Object.entries(table))
    it(text, () => assert.deepEqual(planned(text), expected))

  it('refuses what the service keeps, and malformed ones before anything else', () => {
    assert.equal(
      outcome(() => planned('@ NS ns9.example.net. 60')),
      '5',
    )
    assert.equal(
      outcome(() => planned('NONE @ NS ns1.example.net.')),
      '5',
    )
    for (const text of ['www AXFR - 60', 'www ANY - 60', 'ANY www A 192.0.2.1', 'NONE www ANY'])
      assert.equal(
        outcome(() => planned(text)),
        '1',
        text,
      )
  })

  it('ignores an SOA that is not newer or is elsewhere, and refuses a newer one', () => {
    const soa = (serial: number) =>
      octets(rrType.soa, `ns1.example.net. h.example.net. ${serial} 3600 600 86400 300`)
    const own = { host: '@', type: rrType.soa, ttl: 3600, rdata: [soa(7)] }
    const update = (host: string, serial: number) =>
      outcome(() => {
        const one = { ...recordOf(`${host} SOA - 60`), value: { rdata: soa(serial) } }
        assert.deepEqual(planUpdate([one], { ...zone, managed: [...managed, own] }), [])
      })
    for (const serial of [7, 6, 7 + 2 ** 31]) assert.equal(update('@', serial), 'NOERROR')
    assert.equal(update('www', 9), 'NOERROR')
    for (const serial of [8, 6 + 2 ** 31]) assert.equal(update('@', serial), '5')
  })

  it('is NOTZONE with one name elsewhere, before anything is changed', () => {
    assert.equal(
      outcome(() => planned('new TXT x 60;www.example.net. A 192.0.2.1 60')),
      '10',
    )
  })
})
