// A zone as a small company has it: sites, mail with all that proves it, and services, of every
// type that a zone usually has. TTLs are within our bounds, so that none is changed by the move.
import { fileTypeNumber, rrType } from '../../../src/dns/types.ts'

const dkim = 'v=DKIM1; k=rsa; p='
const long = `"${dkim}${'A'.repeat(200)}" "${'B'.repeat(192)}"`

/** Host, TTL, type and data; the name servers and the SOA are added by `zoneFile`. */
function lines(): string[] {
  const hosts = Array.from({ length: 24 }, (_, at) => `host-${at} 300 A 198.51.100.${at + 1}`)
  return [
    ...['@ 300 A 192.0.2.1', '@ 300 A 192.0.2.2', '@ 300 AAAA 2001:db8::1'],
    ...['@ 3600 MX 10 mail', '@ 3600 MX 20 mail-2', '@ 3600 MX 30 mx.example.net.'],
    ...['@ 3600 TXT "v=spf1 mx -all"', '@ 3600 TXT "site-verification=abc"'],
    ...['@ 3600 CAA 0 issue "letsencrypt.org"', '@ 300 HTTPS 1 . alpn=h2'],
    ...['www 300 CNAME @', 'shop 300 CNAME shops.example.net.', 'blog 300 CNAME www'],
    ...['mail 3600 A 192.0.2.25', 'mail 3600 AAAA 2001:db8::25', 'mail-2 3600 A 192.0.2.26'],
    ...['_dmarc 3600 TXT "v=DMARC1; p=reject"', `s1._domainkey 3600 TXT ${long}`],
    ...[`s2._domainkey 3600 TXT ${long}`, 'k1._domainkey 300 CNAME k1.example.net.'],
    ...['_mta-sts 300 TXT "v=STSv1; id=1"', 'mta-sts 300 A 192.0.2.27'],
    ...['_smtp._tls 300 TXT "v=TLSRPTv1; rua=mailto:a@example.net"'],
    ...['autodiscover 300 CNAME autodiscover.example.net.', 'autoconfig 300 CNAME mail'],
    ...['_imaps._tcp 3600 SRV 0 1 993 mail', '_submission._tcp 3600 SRV 0 1 587 mail'],
    ...['_sip._tls 600 SRV 10 60 5061 sip.example.net.', '_xmpp._tcp 600 SRV 5 0 5222 chat'],
    ...['chat 600 A 192.0.2.40', `_25._tcp.mail 3600 TLSA 3 1 1 ${'cd'.repeat(32)}`],
    ...['ssh 300 A 192.0.2.41', `ssh 300 SSHFP 4 2 ${'ef'.repeat(32)}`],
    ...['_dns 300 SVCB 1 dns.example.net. alpn=dot', '*.apps 60 A 192.0.2.50'],
    ...['*.apps 60 TXT "wild"', 'api.apps 60 A 192.0.2.51', 'deep.a.b.c 300 A 192.0.2.52'],
    ...['lab 3600 NS ns1.lab', 'lab 3600 NS ns.example.net.', 'ns1.lab 3600 A 192.0.2.53'],
    ...[
      `lab 3600 DS 1 13 2 ${'ab'.repeat(32)}`,
      `large 300 TXT${` "${'x'.repeat(250)}"`.repeat(8)}`,
    ],
    ...hosts,
  ]
}

export function zoneFile(domain: string, nameservers: readonly string[]): string {
  const [first = ''] = nameservers
  return [
    `$ORIGIN ${domain}.`,
    `@ 3600 IN SOA ${first}. hostmaster.${domain}. 1 3600 600 1209600 300`,
    ...nameservers.map((name) => `@ 3600 IN NS ${name}.`),
    ...lines().map((line) => line.replace(/^(\S+) (\d+) /, '$1 $2 IN ')),
    '',
  ].join('\n')
}

/** The number of its records without SOA and its own NS. */
export const records = lines().length

type Question = { name: string; type: number }

/** The questions of a client: every set, the targets of mail, and names that are not there. */
export function questions(domain: string): Question[] {
  const nameOf = (host: string) => (host === '@' ? domain : `${host}.${domain}`)
  const sets = lines().map((line) => {
    const [host = '', , type = ''] = line.split(' ')
    return { name: nameOf(host.replace('*', 'any')), type: fileTypeNumber(type) ?? 0 }
  })
  const mail = [domain, nameOf('mail'), nameOf('mail-2')]
  const known = mail.flatMap((name) => [rrType.mx, rrType.a].map((type) => ({ name, type })))
  const none = ['nothing', 'b.c', 'x.host-1', 'y.lab'].map((host) => {
    return { name: nameOf(host), type: rrType.a }
  })
  const unique = new Map(
    [...sets, ...known, ...none].map((one) => [`${one.name} ${one.type}`, one]),
  )
  return [...unique.values()]
}
