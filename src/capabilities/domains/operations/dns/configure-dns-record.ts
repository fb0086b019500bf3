// Sets the one A record set of a host on our own name servers, and queries them: POST
// /v1/domains/{domain}/dns-record.

import { isIPv4 } from 'node:net'
import Type from 'typebox'
import type { App } from '../../../../app.ts'
import { rrType } from '../../../../dns/types.ts'
import type { Fault } from '../../../../kit/fault.ts'
import { FieldReader } from '../../../../kit/field-reader.ts'
import { readHost } from '../../../../kit/net/host.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { withDefault } from '../../../../kit/schema.ts'
import { freshLogInNeeded } from '../../../account/index.ts'
import { dnsRecordNotAllowed } from '../../../limits/index.ts'
import { changeRecords } from '../../dns/records/change-records.ts'
import { dnsUnreachable, dnsZoneFull } from '../../dns/zone-faults.ts'
import { pushZone } from '../../dns/zone-push.ts'
import { ownNameservers } from '../../dns/zones.ts'
import { dnsNotHosted, domainNotFound, domainPending } from '../../faults.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import { hostOf } from '../../names.ts'
import { statusWithOrder } from '../../orders/order-presenter.ts'
import { lastOrder } from '../../orders/orders.sql.ts'
import { approvalFaults, domainOperation, requireHolding } from '../domain-operation.ts'
import { domainInPath } from '../paid-request.ts'

const ttl = 300
const push_wait_ms = 5_000

export const configureDnsRecord = domainOperation({
  name: 'configure_dns_record',
  does: 'Point a host of one of your domains to an IPv4 address, on our name servers.',
  more:
    'Creates or replaces the one A record set of that host. dns.served in the response shows the ' +
    'present answer of our name server; resolvers follow within 300 s, as they cache answers.',
  at: 'POST /v1/domains/{domain}/dns-record',
  // The contract's own scope for this route; `dns:write`, which came later, is included in it.
  scope: 'domains:write',
  takes: Type.Object(
    {
      domain: domainInPath,
      record_value: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The IPv4 address, as four decimal numbers: "192.0.2.1".',
      }),
      host: withDefault(
        Type.String({
          minLength: 1,
          maxLength: 253,
          description:
            'The host relative to the domain: "www", "*" (all that are not set), or "@" (itself).',
        }),
        '@',
      ),
    },
    { title: 'ConfigureDnsRecordRequest' },
  ),
  fails: [
    ...[domainNotFound, domainPending, dnsNotHosted, dnsZoneFull, dnsUnreachable],
    ...[freshLogInNeeded, dnsRecordNotAllowed, ...approvalFaults],
  ],
  tools: [
    {
      group: 'name servers and DNS',
      title: 'Set a DNS record',
      examples: [{ domain: 'my-agent.com', host: 'www', record_value: '192.0.2.1' }],
      destructive: true,
      idempotent: true,
    },
  ],
  async run(input, call, app) {
    const domain = hostOf(input.domain)
    const record = recordOf(input, domain)
    const order = await call.sql.maybe(lastOrder, { customer_id: call.customer_id, domain })
    const holding = await requireHolding(call, domain, 'configure_dns_record')
    const { host, name, value } = record
    const { zone, change_id } = await changeRecords(app, call, {
      ...{ holding, input, action: 'configure_dns_record' },
      metadata: { host, value, type: 'A' },
      edits: ({ hosted }) => {
        if (!hosted) throw notHosted(app, holding)
        const rdata = [Buffer.from(value.split('.').map(Number))]
        return { sets: [{ host, type: rrType.a, ttl, rdata, loc: ['host'] }] }
      },
    })
    const { serial } = zone
    const pushed = await pushZone(app, domain, push_wait_ms)
    if (pushed.kind === 'failed')
      throw dnsUnreachable({ retry_after_s: 30, facts: { host, value, serial, change_id } })
    const served = await app.dns.ask(name)
    const status = statusWithOrder(holding, order, app.calendar.now())
    return { ...status, dns: { host, value, serial, served } }
  },
})

type Wanted = DnsHost & { value: string }

/** Throws 422 for a value that is no address, and for a host that is none, both at once. */
function recordOf({ record_value: value, host }: Given, domain: DomainName): Wanted {
  const reading = new FieldReader()
  const read = parseDnsHost(host, domain)
  if ('problem' in read) reading.refuse(['host'], `Input ${read.problem}`, 'dns_host')
  // Only four decimal numbers without leading zeros, which some programs read as octal.
  if (!isIPv4(value))
    reading.refuse(
      ['record_value'],
      'Input should be an IPv4 address such as "192.0.2.1"',
      'ip_address',
    )
  reading.finish()
  return 'problem' in read ? { host, name: domain, value } : { ...read, value }
}
type Given = { record_value: string; host: string }

type DnsHost = { host: string; name: string }

/**
 * Reads "@" (the domain itself), a relative name in any spelling ("www", "a.b", "bücher"), or a
 * wildcard ("*", "*.b"), where "*" may only be the whole first label. It is kept as lower-case
 * A-labels.
 */
export function parseDnsHost(text: string, domain: DomainName): DnsHost | { problem: string } {
  if (text === '@') return { host: '@', name: domain }
  if (text.endsWith('.')) return { problem: 'must be relative to the domain, without a final dot' }
  const folded = text.toLowerCase()
  if (folded === domain || folded.endsWith(`.${domain}`)) {
    const relative = folded === domain ? '@' : folded.slice(0, -domain.length - 1)
    return { problem: `must be relative to the domain: "${relative}"` }
  }
  if (text === '*') return { host: '*', name: `*.${domain}` }
  const star = text.startsWith('*.') ? '*.' : ''
  const read = readHost(`${text.slice(star.length)}.${domain}`, { within: domain })
  if ('problem' in read && read.problem !== '')
    return { problem: read.problem.replace(`.${domain}"`, '"') }
  const whole = 'host' in read ? `${star}${read.host}` : ''
  if (whole === '' || whole.length > 253)
    return { problem: 'must be a host name relative to the domain, such as "www", or "@"' }
  return { host: whole.slice(0, -domain.length - 1), name: whole }
}

function notHosted(app: App, { name }: Pick<Holding, 'name'>): Fault {
  const nameservers = ownNameservers(app)
  const path = `/v1/domains/${name}`
  return dnsNotHosted({
    hint:
      `update_nameservers: PATCH ${path} with ${JSON.stringify({ nameservers })}, ` +
      'then send this again.',
    url: `${app.settings.base_url}${path}`,
    facts: { nameservers },
  })
}
