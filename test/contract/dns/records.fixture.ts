// A buyer with domains on our name servers, and calls about their records.
import pg from 'pg'
import type { Answer } from '../../support/service.ts'
import { startBuyerService } from '../support/buyer-service.ts'
import { fresh, must } from '../support/fixture.ts'

export const registrar = await startBuyerService()
const { request, buyer, buy, service } = registrar
const token = buyer.key

export type Body = Record<string, unknown>
export type SetGiven = { host: string; type: string; ttl?: number; values: string[] }

export async function sql(
  text: string,
  params: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: service.settings.database_url ?? '' })
  await client.connect()
  const { rows } = await client.query(text, params)
  await client.end()
  return rows
}

type Call = (method: string, path: string, options?: object) => Promise<Answer>
type Held = {
  domain: string
  call: Call
  /** A text such as "www A 3600 192.0.2.1" for each set that is not managed. */
  sets: () => Promise<string[]>
  patch: (given: Body) => Promise<Answer>
}

/** A new domain on our name servers, unless `body` says otherwise. */
export async function held(body: object = {}): Promise<Held> {
  const domain = `${fresh()}.com`
  await must(buy({ domain, ...body }))
  const call: Call = (method, path, options = {}) =>
    request(method, `/v1/domains/${domain}${path}`, { token, ...options })
  return {
    domain,
    call,
    async sets() {
      const { body: listed } = await must(call('GET', '/records'))
      return listed.sets
        .filter(({ managed }: { managed: boolean }) => !managed)
        .map(({ host, type, ttl, values }: SetGiven) => [host, type, ttl, ...values].join(' '))
    },
    patch: (given) => call('PATCH', '/records', { body: given }),
  }
}

/** A set of every type that can be set. */
export const everything: SetGiven[] = [
  { host: '@', type: 'A', values: ['192.0.2.1', '192.0.2.2'] },
  { host: '@', type: 'AAAA', values: ['2001:DB8::1'] },
  { host: 'www', type: 'CNAME', values: ['example.net'] },
  { host: '@', type: 'MX', values: ['10 mail.example.net.', '0 first.example.net.'] },
  { host: '@', type: 'TXT', values: ['v=spf1 mx -all'] },
  { host: '_sip._tcp', type: 'SRV', ttl: 600, values: ['10 5 5060 sip.example.net.'] },
  { host: '@', type: 'CAA', values: ['0 issue "letsencrypt.org"'] },
  { host: 'sub', type: 'NS', values: ['ns1.example.net.'] },
  { host: 'sub', type: 'DS', values: [`1 13 2 ${'AB'.repeat(32)}`] },
  { host: '_443._tcp', type: 'TLSA', values: [`3 1 1 ${'cd'.repeat(32)}`] },
  { host: 'ssh', type: 'SSHFP', values: [`4 2 ${'ef'.repeat(32)}`] },
  { host: '@', type: 'HTTPS', values: ['1 . alpn=h2,h3'] },
  { host: '_dns', type: 'SVCB', values: ['1 dns.example.net. alpn=dot'] },
  { host: 'odd', type: 'TYPE65400', values: ['\\# 2 ABCD'] },
  { host: '*', type: 'TYPE16', values: ['wild'] },
]
