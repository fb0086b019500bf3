// DNS updates (RFC 2136) on the wire: the code of every class and error, signed also where it is a
// refusal, and what becomes of values and TTLs.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { MessageWriter } from '../../../src/dns/message/write-message.ts'
import { nameToWire } from '../../../src/dns/name.ts'
import { rrType } from '../../../src/dns/types.ts'
import {
  answered,
  overTcp,
  overUdp,
  recordOf,
  signed,
  transferOf,
  updateOf,
} from '../../support/dns/dns-update.ts'
import { openUpdates, rcode } from './dns-updates.fixture.ts'

const { domain, place, ...held } = await openUpdates()
const key = await held.tsigKey()

test('the answer that gives a key names the server that takes its updates', () => {
  assert.deepEqual(key.server, place)
})

const www = `www.${domain}`
const a = `${www} 5 IN A 192.0.2.1`
type Case = readonly [string, { updates?: string[]; prerequisites?: string[] }, number, string[]]
const cases: readonly Case[] = [
  ['adds, with the nearest TTL', { updates: [a] }, rcode.noerror, ['www A 60 192.0.2.1']],
  [
    'with a prerequisite that does not hold changes nothing',
    { prerequisites: [`${www} 0 NONE A`], updates: [`${www} 60 IN A 192.0.2.2`] },
    rcode.yxrrset,
    ['www A 60 192.0.2.1'],
  ],
  [
    'is answered by its prerequisite before a name elsewhere',
    { prerequisites: [`x.${domain} 0 ANY ANY`], updates: ['www.example.net 60 IN A 192.0.2.2'] },
    rcode.nxdomain,
    ['www A 60 192.0.2.1'],
  ],
  [
    'of a name elsewhere changes nothing',
    { updates: [`${www} 60 IN A 192.0.2.2`, 'www.example.net 60 IN A 192.0.2.2'] },
    rcode.notzone,
    ['www A 60 192.0.2.1'],
  ],
  [
    'of a class that is none of an update is malformed',
    { updates: [`${www} 60 3 TYPE65400 \\# 1 00`] },
    rcode.formerr,
    ['www A 60 192.0.2.1'],
  ],
  [
    'with values of the whole set gets it, whatever their order',
    {
      prerequisites: [`${www} 0 IN A 192.0.2.1`],
      updates: [`${www} 999999 IN A 192.0.2.2`],
    },
    rcode.noerror,
    ['www A 86400 192.0.2.1 192.0.2.2'],
  ],
  [
    'deletes one value',
    { updates: [`${www} 0 NONE A 192.0.2.1`] },
    rcode.noerror,
    ['www A 86400 192.0.2.2'],
  ],
  [
    'leaves SOA and NS of the domain where it deletes all of its name',
    { updates: [`${domain} 0 ANY ANY`, `${www} 0 ANY ANY`] },
    rcode.noerror,
    [],
  ],
  [
    'of other name servers of the domain is refused',
    { updates: [`${domain} 60 IN NS ns1.example.net.`] },
    rcode.refused,
    [],
  ],
  [
    'that breaks a rule of zones is refused',
    { updates: [`sub.${domain} 60 IN NS ns.example.net.`, `a.sub.${domain} 60 IN A 192.0.2.1`] },
    rcode.refused,
    [],
  ],
  [
    'of malformed octets is malformed, also behind a prerequisite that does not hold',
    { prerequisites: [`x.${domain} 0 ANY ANY`], updates: [`${www} 60 IN A`] },
    rcode.formerr,
    [],
  ],
]

describe('an update', () => {
  for (const [title, change, expected, after] of cases)
    it(title, async () => {
      const code = await held.send(key, change)
      assert.equal(code, expected)
      assert.deepEqual(await held.sets(), after)
    })

  it('of another zone is refused, or NOTAUTH where there is none', async () => {
    const other = await openUpdates()
    const updates = [`a.${other.domain} 60 IN A 192.0.2.1`]
    assert.equal(await held.send(key, { zone: other.domain, updates }), rcode.refused)
    const nowhere = { zone: 'nothing.example', updates: ['a.nothing.example 60 IN A 192.0.2.1'] }
    assert.equal(await held.send(key, nowhere), rcode.notauth)
    assert.deepEqual(await other.sets(), [])
  })
})

describe('a message', () => {
  const add = { updates: [`a.${domain} 60 IN A 192.0.2.1`] }
  const codeOf = async (bytes: Buffer) => {
    const { rcode: code, isSigned, message } = answered(await overUdp(bytes, place))
    return [code, isSigned, message.tsig?.error ?? null]
  }

  it('that is not signed, or by another secret, at another time, is refused', async () => {
    const bytes = updateOf(domain, add)
    assert.deepEqual(await codeOf(bytes), [rcode.refused, false, null])
    const other = { ...key, secret: Buffer.alloc(32).toString('base64') }
    assert.deepEqual(await codeOf(signed(bytes, other)), [rcode.notauth, false, 16])
    const unknown = { ...key, key: { ...key.key, name: 'tsk-nothing' } }
    assert.deepEqual(await codeOf(signed(bytes, unknown)), [rcode.notauth, false, 17])
    assert.deepEqual(await codeOf(signed(bytes, key, 310)), [rcode.notauth, false, 18])
    assert.deepEqual(await codeOf(signed(bytes, key, -310)), [rcode.notauth, false, 18])
    assert.deepEqual(await held.sets(), [])
  })

  it('with another class, type or number of zones gets NOTAUTH or FORMERR, signed', async () => {
    const chaos = signed(updateOf(domain, { ...add, zone_class: 3 }), key)
    assert.deepEqual(await codeOf(chaos), [rcode.notauth, true, 0])
    const ofType = (type: number) => Buffer.concat([nameToWire(domain), Buffer.of(0, type, 0, 1)])
    const head = { id: 9, flags: 5 << 11 }
    const other = new MessageWriter({ ...head, question: ofType(1) }).finish()
    assert.deepEqual(await codeOf(signed(other, key)), [rcode.formerr, true, 0])
    const none = new MessageWriter({ ...head, question: Buffer.of() }).finish()
    assert.deepEqual(await codeOf(signed(none, key)), [rcode.formerr, true, 0])
    const two = new MessageWriter({
      ...head,
      question: Buffer.concat([ofType(6), ofType(6)]),
    }).finish()
    two.writeUInt16BE(2, 4)
    assert.deepEqual(await codeOf(signed(two, key)), [rcode.formerr, true, 0])
  })

  it('of a later version of EDNS gets BADVERS', async () => {
    const question = Buffer.concat([nameToWire(domain), Buffer.of(0, 6, 0, 1)])
    const writer = new MessageWriter({ id: 9, flags: 5 << 11, question })
    writer.add('authority', [recordOf(add.updates[0] ?? '')])
    const opt = { name: Buffer.of(0), type: rrType.opt, class: 1232, ttl: 1 << 16 }
    writer.add('additional', [{ ...opt, rdata: Buffer.of() }])
    assert.deepEqual(await codeOf(signed(writer.finish(), key)), [16, true, 0])
    assert.deepEqual(await held.sets(), [])
  })

  it('that was sent before gets its answer again, and changes nothing', async () => {
    const bytes = signed(updateOf(domain, add), key)
    assert.deepEqual(await codeOf(bytes), [rcode.noerror, true, 0])
    assert.equal((await held.call('DELETE', '/records/a/A')).status, 200)
    assert.deepEqual(await codeOf(bytes), [rcode.noerror, true, 0])
    assert.deepEqual(await held.sets(), [])
  })

  it('of a transfer is answered once, over TCP, to a key without limits', async () => {
    const bytes = signed(transferOf(domain), key)
    assert.deepEqual(await codeOf(bytes), [rcode.refused, true, 0])
    const first = answered(await overTcp(bytes, place))
    assert.deepEqual([first.rcode, first.isSigned], [rcode.noerror, true])
    const soas = first.message.answer.filter(({ type }) => type === rrType.soa)
    assert.equal(soas.length, 2)
    const again = answered(await overTcp(bytes, place))
    assert.deepEqual([again.rcode, again.message.answer], [rcode.refused, []])
    const limited = await held.tsigKey({ types: ['TXT'] })
    const refused = answered(await overTcp(signed(transferOf(domain), limited), place))
    assert.deepEqual([refused.rcode, refused.isSigned], [rcode.refused, true])
    const unsigned = answered(await overTcp(transferOf(domain), place))
    assert.equal(unsigned.rcode, rcode.refused)
  })
})
