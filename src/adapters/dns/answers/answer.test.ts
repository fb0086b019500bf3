// Answers rule by rule, on one zone in memory: each case is a question and the answer in text.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nameToWire } from '../../../dns/name.ts'
import type { ZoneContent, ZoneStore } from '../port.ts'
import { glue, sample, storeOf } from '../zones.fixture.ts'
import { numbers, replyText, to, zone } from './answer.fixture.ts'
import { answerTo } from './answer.ts'

const source = { store: storeOf([zone]), glue }

type Case = [question: string, ...answer: string[]]

function answers(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    for (const [question, ...expected] of cases)
      it(question, async () => {
        const [name = '', type = ''] = question.split(' ')
        const full = name === '@' ? 'example.com' : `${name}.example.com`
        const asked = { name: nameToWire(name.endsWith('.') ? name : full) }
        const reply = await answerTo({ ...asked, type: numbers.get(type) ?? Number(type) }, source)
        assert.deepEqual(replyText(reply), expected)
      })
  })
}

const nodataOf = (at: string) => ['NOERROR aa', `authority: ${at} SOA`]
const nodata = nodataOf('@')
const nxdomain = ['NXDOMAIN aa', 'authority: @ SOA'] as const
const host1 = ['additional: host1 A 192.0.2.2', 'additional: host1 AAAA'] as const

answers('a name that is there', [
  ['@ A', 'NOERROR aa', '@ A 192.0.2.1'],
  ['host1 AAAA', 'NOERROR aa', 'host1 AAAA'],
  ['host1 TXT', ...nodata],
  ['@ SOA', 'NOERROR aa', '@ SOA'],
  ['@ 46', ...nodata],
  ['@ DS', ...nodata],
  ['www.example.net. A', 'REFUSED'],
  ['com. NS', 'REFUSED'],
  ['. NS', 'REFUSED'],
  // The set of the lowest type is enough (RFC 8482).
  ['@ ANY', 'NOERROR aa', '@ A 192.0.2.1'],
  ['alias ANY', 'NOERROR aa', 'alias CNAME host1.example.com'],
  ['_tcp.host1 ANY', ...nodata],
])

answers('the name servers of the zone', [
  [
    '@ NS',
    'NOERROR aa',
    '@ NS ns1.example.com,ns2.example.net',
    'additional: ns1 A 192.0.2.53',
    'additional: ns2.example.net A 198.51.100.53',
  ],
  ['ns1 A', 'NOERROR aa', 'ns1 A 192.0.2.53'],
  ['ns1 TXT', ...nodata],
  ['below.ns1 TXT', ...nxdomain],
])

// The answers that RFC 4592 2.2.1 lists, and those of its 2.2.2 and 4.
answers('a wildcard', [
  ['host3 MX', 'NOERROR aa', 'host3 MX', ...host1],
  ['host3 A', ...nodata],
  ['foo.bar TXT', 'NOERROR aa', 'foo.bar TXT'],
  ['host1 MX', ...nodata],
  ['sub.* MX', ...nodata],
  ['_telnet._tcp.host1 SRV', ...nxdomain],
  ['host.cut A', 'NOERROR', ...referral()],
  ['ghost.* MX', ...nxdomain],
  ['_tcp.host2 TXT', ...nodata],
  ['x._tcp.host2 TXT', ...nxdomain],
  ['x.host2 TXT', ...nxdomain],
  ['* TXT', 'NOERROR aa', '* TXT'],
  ['* A', ...nodata],
  ['host3 ANY', 'NOERROR aa', 'host3 MX', ...host1],
  ['any.aliased TXT', 'NOERROR aa', 'any.aliased CNAME host1.example.com', 'authority: @ SOA'],
  ['any.aliased A', 'NOERROR aa', 'any.aliased CNAME host1.example.com', 'host1 A 192.0.2.2'],
  ['any.aliased CNAME', 'NOERROR aa', 'any.aliased CNAME host1.example.com'],
  ['host3 DS', ...nodata],
  // "*" exists, although only with a name below it.
  ['any.empty TXT', ...nodata],
])

function referral(): string[] {
  return [
    'authority: cut NS ns.cut.example.com,host1.example.com,ns.other.net',
    'glue: ns.cut A 192.0.2.3',
    ...host1,
  ]
}

answers('a delegation', [
  ['cut A', 'NOERROR', ...referral()],
  ['cut NS', 'NOERROR', ...referral()],
  ['cut SOA', 'NOERROR', ...referral()],
  ['cut ANY', 'NOERROR', ...referral()],
  ['cut DS', 'NOERROR aa', 'cut DS'],
  ['plain DS', ...nodata],
  ['ns.cut A', 'NOERROR', ...referral()],
  ['ns.cut DS', 'NOERROR', ...referral()],
  // The topmost delegation counts, so a wildcard below it is not ours.
  ['x.deeper.cut A', 'NOERROR', ...referral()],
  ['any.cut TXT', 'NOERROR', ...referral()],
  ['x.plain A', 'NOERROR', 'authority: plain NS ns.other.net'],
  [
    'x.own A',
    'NOERROR',
    'authority: own NS ns2.example.net',
    'additional: ns2.example.net A 198.51.100.53',
  ],
])

// RFC 4592 4.2 leaves its meaning open. NSD does the same, Knot refers to the delegation.
answers('a delegation at a wildcard', [
  ['*.cuts A', 'NOERROR', 'authority: *.cuts NS ns.other.net'],
  ['x.cuts A', ...nodata],
  ['x.cuts NS', 'NOERROR aa', 'x.cuts NS ns.other.net'],
])

answers('an alias', [
  ['alias A', 'NOERROR aa', 'alias CNAME host1.example.com', 'host1 A 192.0.2.2'],
  ['alias CNAME', 'NOERROR aa', 'alias CNAME host1.example.com'],
  [
    'two AAAA',
    'NOERROR aa',
    'two CNAME alias.example.com',
    'alias CNAME host1.example.com',
    'host1 AAAA',
  ],
  ['alias TXT', 'NOERROR aa', 'alias CNAME host1.example.com', 'authority: @ SOA'],
  ['alias DS', 'NOERROR aa', 'alias CNAME host1.example.com', 'authority: @ SOA'],
  ['out A', 'NOERROR aa', 'out CNAME www.example.net'],
  // The code is that of the last name (RFC 2308 2.1, RFC 6604).
  ['missing A', 'NXDOMAIN aa', 'missing CNAME nothing.host1.example.com', 'authority: @ SOA'],
  ['down A', 'NOERROR aa', 'down CNAME www.cut.example.com', ...referral()],
  ['wild TXT', 'NOERROR aa', 'wild CNAME any.example.com', 'any TXT'],
  ['wild MX', 'NOERROR aa', 'wild CNAME any.example.com', 'any MX', ...host1],
  ['self A', 'NOERROR aa', 'self CNAME self.example.com'],
  ['round A', 'NOERROR aa', 'round CNAME and.example.com', 'and CNAME round.example.com'],
  [
    'c0 A',
    'NOERROR aa',
    ...Array.from({ length: 11 }, (_, i) => `c${i} CNAME c${i + 1}.example.com`),
  ],
])

answers('targets within the zone', [
  ['mail MX', 'NOERROR aa', 'mail MX ,', ...host1],
  ['null MX', 'NOERROR aa', 'null MX'],
  ['_ssh._tcp.host1 SRV', 'NOERROR aa', '_ssh._tcp.host1 SRV', ...host1],
  ['service HTTPS', 'NOERROR aa', 'service HTTPS ,', 'additional: service A 192.0.2.8', ...host1],
  ['aliasmode HTTPS', 'NOERROR aa', 'aliasmode HTTPS'],
  ['svcb SVCB', 'NOERROR aa', 'svcb SVCB', ...host1],
  ['xmpp SRV', 'NOERROR aa', 'xmpp SRV', 'additional: ns1 A 192.0.2.53'],
])

describe('a name as it is asked', () => {
  const ask = (name: Buffer, type: number) => answerTo({ name, type }, source)

  it('is the owner in its own case, and of a wildcard, too', async () => {
    for (const name of ['hOst1.eXample.COM', 'hOst1.aLiased.eXample.COM', 'aLias.example.com']) {
      const { answers: sets } = await ask(nameToWire(name), 1)
      assert.deepEqual(sets[0]?.name, nameToWire(name))
    }
  })

  it('matches only a wildcard where it has octets that no host name has', async () => {
    const odd = (label: Buffer, rest: string) =>
      Buffer.concat([Buffer.from([label.length]), label, nameToWire(rest)])
    for (const label of ['\0', 'a.b', '\\', 'ho st1', '\xff', '?'].map((text) =>
      Buffer.from(text, 'latin1'),
    )) {
      const name = odd(label, 'example.com')
      const found = await ask(name, 16)
      assert.deepEqual([found.rcode, found.answers[0]?.name], [0, name])
      assert.equal((await ask(odd(label, 'host1.example.com'), 16)).rcode, 3)
      assert.equal((await ask(odd(label, 'cut.example.com'), 16)).authoritative, false)
      assert.equal((await ask(odd(label, 'com'), 16)).rcode, 5)
    }
  })

  it('is refused as a whole where the zone is another, also one that ends alike', async () => {
    for (const name of ['notexample.com', 'example.com.net', 'com'])
      assert.equal((await ask(nameToWire(name), 1)).rcode, 5)
  })
})

it('ends with the CNAME where the target is in another zone of ours', async () => {
  const other = { ...sample, name: 'below.example.com', sets: [] }
  const sets = [to('www.example.com', 'CNAME', 'x.below.example.com')]
  const store = storeOf([{ ...sample, sets }, other])
  const reply = await answerTo({ name: nameToWire('www.example.com'), type: 1 }, { store, glue })
  assert.deepEqual(replyText(reply), ['NOERROR aa', 'www CNAME x.below.example.com'])
})

it('looks up no target outside of the zone', async () => {
  const asked: (readonly string[])[] = []
  const find: ZoneStore['find'] = (names, type) => {
    asked.push(names)
    return source.store.find(names, type)
  }
  const store = { ...source.store, find }
  await answerTo({ name: nameToWire('out.example.com'), type: 1 }, { store, glue })
  assert.deepEqual(asked, [['out.example.com', 'example.com']])
})

it('looks addresses up once, and only where there are targets in the zone', async () => {
  const asked: (readonly string[])[] = []
  const store: ZoneStore = {
    ...source.store,
    addresses: (of, names) => {
      asked.push(names)
      return source.store.addresses(of, names)
    },
  }
  for (const [name, type] of [
    ['host1', 1],
    ['out', 1],
    ['plain', 1],
    ['null', 15],
  ] as const)
    await answerTo({ name: nameToWire(`${name}.example.com`), type }, { store, glue })
  assert.deepEqual(asked, [])
  await answerTo({ name: nameToWire('service.example.com'), type: 65 }, { store, glue })
  assert.deepEqual(asked, [['service.example.com', 'host1.example.com']])
})

describe('the DS of a zone whose delegation is ours, too,', () => {
  const child: ZoneContent = { ...sample, name: 'cut.example.com', sets: [] }
  const ask = async (name: string, type: string, zones: readonly ZoneContent[]) => {
    const asked = { name: nameToWire(name), type: numbers.get(type) ?? 0 }
    return replyText(await answerTo(asked, { store: storeOf(zones), glue }))
  }

  it('are answered from the zone above it (RFC 4035 3.1.4.1)', async () => {
    const both = [child, zone]
    assert.deepEqual(await ask('cut.example.com', 'DS', both), ['NOERROR aa', 'cut DS'])
    assert.deepEqual(await ask('CUT.example.com', 'DS', both), ['NOERROR aa', 'cut DS'])
    const plain = { ...child, name: 'plain.example.com' }
    assert.deepEqual(await ask('plain.example.com', 'DS', [plain, zone]), nodata)
    assert.deepEqual(await ask('cut.example.com', 'TXT', both), nodataOf('cut'))
  })

  it('are none where the zone above does not delegate it', async () => {
    for (const name of ['none.example.com', 'host1.example.com', 'below.plain.example.com']) {
      const here = { ...child, name }
      const expected = nodataOf(name.replace('.example.com', ''))
      assert.deepEqual(await ask(name, 'DS', [here, zone]), expected)
    }
    assert.deepEqual(await ask('cut.example.com', 'DS', [child]), nodataOf('cut'))
  })
})
