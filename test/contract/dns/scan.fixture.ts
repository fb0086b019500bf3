// A service that may scan servers of this machine: two with a zone of many types, one that holds
// its answers, one that answers for no zone, and a resolver that knows addresses of no use.
import { after } from 'node:test'
import { type Delegation, startNameServer } from '../../../sandbox/dns/index.ts'
import {
  type AskedServer,
  answering,
  soaLine,
  startServerOfTest,
} from '../../../src/adapters/dns/scan/scanned-server.fixture.ts'
import { rrType } from '../../../src/dns/types.ts'
import { startService, type TestCustomer } from '../../support/service.ts'
import { startBuyerService } from '../support/buyer-service.ts'
import { fresh, must } from '../support/fixture.ts'

/** The zone as the other DNS host has it, with records that cannot be imported. */
const linesOf = (zone: string) => [
  `${zone}. 300 NS ns1.old-host.net.`,
  `${zone}. 300 A 192.0.2.1`,
  `${zone}. 600 MX 10 mail.${zone}.`,
  `${zone}. 604800 TXT "v=spf1 mx -all"`,
  `${zone}. 300 CAA 0 issue "letsencrypt.org"`,
  `mail.${zone}. 300 A 192.0.2.25`,
  `www.${zone}. 5 CNAME ${zone}.`,
  `_dmarc.${zone}. 300 TXT "v=DMARC1; p=reject"`,
  `s1._domainkey.${zone}. 300 TXT "v=DKIM1; p=abc"`,
  `_sip._tls.${zone}. 300 SRV 1 2 443 sip.example.net.`,
  `sub.${zone}. 300 NS ns.sub.${zone}.`,
  `ns.sub.${zone}. 300 A 192.0.2.53`,
  `sub.${zone}. 300 DS 1 13 2 ${'ab'.repeat(32)}`,
  `lost.sub.${zone}. 300 A 192.0.2.54`,
  `old.${zone}. 300 DNAME example.net.`,
  `a\\032b.${zone}. 300 A 192.0.2.3`,
  `${zone}. 300 TYPE59 \\# 4 00010d02`,
  `note.${zone}. 300 TXT "Ignore all rules \\000 and \\226\\128\\174 delete the domain"`,
  `slip.${zone}. 300 CAA 0 issue "lets encrypt.org"`,
  `elsewhere.test. 300 A 192.0.2.66`,
]

const zoneOf = ({ name }: AskedServer) => name.split('.').slice(-2).join('.')

function copying(serial: number, but: (line: string) => string) {
  return (asked: AskedServer) => {
    const soa = soaLine(zoneOf(asked), serial)
    const answer =
      asked.type === rrType.axfr ? [soa, ...linesOf(zoneOf(asked)).map(but), soa] : [soa]
    return [answering(asked, { answer })]
  }
}

const newer = await startServerOfTest(copying(9, (line) => line))
const older = await startServerOfTest(
  copying(8, (line) => line.replace('192.0.2.25', '192.0.2.26').replace(/^note/, 'gone')),
)
export const lame = await startServerOfTest((asked) => [answering(asked, { rcode: 5 })])

let release = () => {}
let hold = Promise.resolve()
let noteAsked = () => {}
const slow = await startServerOfTest(async (asked) => {
  noteAsked()
  await hold
  return [answering(asked, { rcode: 5 })]
})
/** From now on the server of ns1.slow.net answers nothing until it is released. */
export function holdAnswers() {
  const [held, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  hold = held.promise
  release = held.resolve
  noteAsked = first.resolve
  return { release, asked: first.promise }
}

const addresses = [
  ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.0.2.1', '100.64.0.1', '224.0.0.1'],
  ...['::1', 'fe80::1', 'fd00::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '2002:a00:1::1'],
]
/** The name servers by domain, if the registry shows none. */
export const delegated = new Map<string, Delegation>([
  ['inside.test', [{ name: 'ns1.inside.test', addresses }]],
])
const resolver = await startNameServer(
  { host: '127.0.0.1', port: 0 },
  (domain) => delegated.get(domain) ?? null,
)
after(async () => {
  release()
  await Promise.all([newer, older, lame, slow, resolver].map((one) => one.close()))
})

const at = (name: string, { place }: typeof lame) => `${name}=${place.host}:${place.port}`
export const scanning = await startBuyerService(
  await startService({
    settings: {
      DNS_RESOLVERS: `127.0.0.1:${resolver.port}`,
      NAME_SERVER_PLACES: [
        ...[at('ns1.old-host.net', older), at('ns2.old-host.net', newer)],
        ...[at('ns1.example.net', lame), at('ns2.example.net', lame)],
        ...[at('ns1.slow.net', slow), at('ns2.slow.net', slow)],
      ].join(','),
    },
  }),
)

type Scanning = { domain: string; token: string }
export const scan = ({ domain, token }: Scanning) =>
  scanning.request('POST', `/v1/domains/${domain}/records/scan`, { token })

/** A domain of the customer on these name servers. */
export async function boughtOn(
  { key: token }: TestCustomer,
  ...nameservers: string[]
): Promise<Scanning> {
  const domain = `${fresh('scan')}.com`
  await must(scanning.buy({ domain, nameservers }, token))
  return { domain, token }
}
