// Scans of zones at NSD and Knot, through the whole service, and the import of what they found: by
// questions alone, by a copy of the zone, and where two servers differ.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { must } from '../../contract/support/fixture.ts'
import { type Answer, startService, type TestService } from '../../support/service.ts'
import {
  skipNameServers,
  startKnot,
  startNsd,
  writeZones,
} from '../dns-differential/name-servers.ts'

const head = (domain: string, serial: number) => [
  `$ORIGIN ${domain}.`,
  `$TTL 600`,
  `@ SOA ns1.nsd.test. admin.nsd.test. ${serial} 3600 600 86400 300`,
  '@ NS ns1.nsd.test.',
  '@ NS ns1.knot.test.',
]
/** Usual names alone, and names that these lead to. */
const usual = [
  '@ 600 A 192.0.2.1',
  '@ 600 AAAA 2001:db8::1',
  '@ 600 MX 10 in.example.com.',
  '@ 600 TXT "v=spf1 mx -all"',
  '@ 600 CAA 0 issue "letsencrypt.org"',
  '@ 600 HTTPS 1 . alpn=h2,h3',
  'www 300 CNAME site',
  'site 300 CNAME host',
  'host 300 A 192.0.2.2',
  'mail 600 A 192.0.2.25',
  'autodiscover 600 CNAME autodiscover.outlook.com.',
  '_dmarc 600 TXT "v=DMARC1; p=reject"',
  'selector1._domainkey 600 CNAME selector1.dkim.example.net.',
  'google._domainkey 600 TXT "v=DKIM1; k=rsa; p=abc"',
  '_sip._tls 600 SRV 100 1 443 sipdir.online.lync.com.',
  '_caldavs._tcp 600 SRV 0 1 443 cal',
  'cal 600 A 192.0.2.3',
  `_25._tcp.mail 600 TLSA 3 1 1 ${'ab'.repeat(32)}`,
  'dev 600 NS ns.dev',
  'ns.dev 600 A 192.0.2.53',
]
/** Names that are in no list of usual ones. */
const odd = ['odd.name 900 TXT "seen by a copy alone"', 'app77 900 TYPE65400 \\# 2 abcd']

type Set = { host: string; type: string; ttl: number; values: string[] }
const whole = (text: string, domain: string) =>
  text.replace(/ (in\.example\.com\.|site|host|cal|ns\.dev)$/, (_, name) =>
    name.endsWith('.') ? ` ${name}` : ` ${name}.${domain}.`,
  )
const linesOf = (sets: Set[]) =>
  sets.flatMap(({ host, type, ttl, values }) =>
    values.map((value) => `${host} ${ttl} ${type} ${value}`),
  )

const domains = { wild: 'scan-wild.com', both: 'scan-both.com' }

/** Knot starts from the same files, after the zone "both" has changed. */
async function started(): Promise<TestService> {
  const { wild, both } = domains
  const wildcards = ['* 600 A 192.0.2.4', 'blog 600 A 192.0.2.4', 'shop 600 A 192.0.2.5']
  const older = [...usual.slice(1), '@ 600 A 192.0.2.99']
  writeZones([
    { name: wild, text: [...head(wild, 1), ...usual, ...wildcards, ''].join('\n') },
    { name: both, text: [...head(both, 1), ...older, ''].join('\n') },
  ])
  const zones = [wild, both].map((name) => ({ name, text: '' }))
  const nsd = await startNsd(zones)
  writeZones([{ name: both, text: [...head(both, 2), ...usual, ...odd, ''].join('\n') }])
  const knot = await startKnot(zones, { transfers: true })
  const at = ({ host, port }: typeof nsd) => `${host}:${port}`
  const settings = { NAME_SERVER_PLACES: `ns1.nsd.test=${at(nsd)},ns1.knot.test=${at(knot)}` }
  return await startService({ settings })
}
// This is not in a hook, because it would end with that.
const service = skipNameServers === false ? await started() : null

async function scanned(domain: string, nameservers: string[]) {
  assert.ok(service)
  const { key: token } = await service.customer()
  const { request } = service
  const post = (path: string, body?: object): Promise<Answer> =>
    must(request('POST', `/v1/domains${path}`, { token, ...(body && { body }) }))
  await post('', { domain, nameservers })
  const { body } = await post(`/${domain}/records/scan`)
  return { body, call: (path: string, sent: object) => post(`/${domain}${path}`, sent) }
}

describe('a scan', { skip: skipNameServers }, () => {
  it('finds usual names by questions, and one wildcard, at a server that gives no copy', async () => {
    const { wild } = domains
    const { body, call } = await scanned(wild, ['ns1.nsd.test', 'ns2.nsd.test'])
    assert.equal(body.servers[0].zone_transfer, 'refused')
    const expected = [
      ...usual.map((text) => whole(text, wild)),
      '* 600 A 192.0.2.4',
      'shop 600 A 192.0.2.5',
    ]
    assert.deepEqual(linesOf(body.sets).sort(), expected.sort())
    assert.deepEqual(body.differences, [])
    const { body: imported } = await call('/zonefile', { zonefile: body.zonefile })
    assert.equal(imported.diff.length, body.sets.length)
    assert.deepEqual(imported.left_out, [])
  })

  it('takes a copy where one is given, and shows where the other server differs', async () => {
    const { both } = domains
    const { body } = await scanned(both, ['ns1.nsd.test', 'ns1.knot.test'])
    const copies = body.servers.map(({ name, zone_transfer }: Record<string, string>) => [
      name,
      zone_transfer,
    ])
    assert.deepEqual(copies, [
      ['ns1.knot.test', 'whole'],
      ['ns1.nsd.test', 'refused'],
    ])
    assert.equal(body.complete, true)
    const expected = [...usual.map((text) => whole(text, both)), ...odd]
    assert.deepEqual(linesOf(body.sets).sort(), expected.sort())
    assert.deepEqual(
      body.differences.map(({ host, type, servers }: Set & { servers: Set[] }) => [
        `${host} ${type}`,
        ...servers.map(({ values }) => values.join()),
      ]),
      [
        ['@ A', '192.0.2.1', '192.0.2.99'],
        ['app77 TYPE65400', '\\# 2 abcd', ''],
        ['odd.name TXT', '"seen by a copy alone"', ''],
      ],
    )
    assert.match(body.not_seen[0], /copy of the whole zone/)
  })
})
