// A domain on our name servers, from its registration to its end, queried by dig: served by the
// node itself, and by a real PowerDNS.
import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { describe, it } from 'node:test'
import pg from 'pg'
import { scopes } from '../../src/app.ts'
import { repairAllZones } from '../../src/capabilities/domains/dns/zones.ts'
import { must, until } from '../contract/support/fixture.ts'
import { connectAgent } from '../journeys/agent.ts'
import { type Dug, dig, skipDig } from '../support/dig.ts'
import { answered, overUdp, signed, updateOf } from '../support/dns/dns-update.ts'
import { type PowerDns, skipPowerDns, startPowerDns } from '../support/powerdns.ts'
import { type Answer, startService, type TestService } from '../support/service.ts'

const skip = skipDig || skipPowerDns
const pdns = skipPowerDns ? null : await startPowerDns()
const embedded = await startService({
  settings: { NAMESERVER_ADDRESSES: 'ns1.agent-registrar.net=192.0.2.53' },
})
const pushing = pdns && (await startService({ settings: powerDnsSettings(pdns) }))

function powerDnsSettings({ url, api_key, place }: PowerDns): Record<string, string> {
  return {
    DNS_ADAPTER: 'powerdns',
    DNS_UPDATE_PORT: '0',
    POWERDNS_URL: url,
    POWERDNS_API_KEY: api_key,
    DNS_HOST: place.host,
    DNS_PORT: String(place.port),
  }
}

/** Writes the effect of the sync, or of time. */
async function asTheSyncWrites({ service }: TestService, text: string, params: unknown[]) {
  const client = new pg.Client({ connectionString: service.settings.database_url ?? '' })
  await client.connect()
  await client.query(text, params)
  await client.end()
}

/** Polling by dig takes a new process each time, while a separate resolver has cached nothing. */
async function statusOf({ host, port }: Place, domain: string): Promise<string> {
  const resolver = new Resolver({ tries: 1, timeout: 5_000 })
  resolver.setServers([`${host}:${port}`])
  return resolver.resolveSoa(domain).then(
    () => 'NOERROR',
    ({ code }) => (code === 'EREFUSED' ? 'REFUSED' : String(code)),
  )
}

if (pushing) lives('PowerDNS', pushing)
lives('the node itself', embedded)

type Place = { host: string; port: number }
type Life = {
  registrar: TestService
  domain: string
  token: string
  ask: (...words: string[]) => Promise<Dug>
  answerOf: (name: string) => Promise<string[]>
  set: (body: object) => Promise<Answer>
  /** Polls until a query for the domain's SOA has this status, which dig's query has then, too. */
  untilStatus: (status: string) => Promise<void>
}

function lives(name: string, registrar: TestService): void {
  const domain = name === 'PowerDNS' ? 'by-powerdns.com' : 'by-the-node.com'
  describe(`a domain served by ${name}`, { skip }, async () => {
    const { key: token } = await registrar.customer()
    const { place } = registrar.service.app.dns
    const ask = (...words: string[]) => dig(place, ...words)
    const life: Life = {
      registrar,
      domain,
      token,
      ask,
      answerOf: async (host) => (await ask(host, 'A')).answer,
      set: (body) =>
        must(registrar.request('POST', `/v1/domains/${domain}/dns-record`, { token, body })),
      async untilStatus(status) {
        await until(async () => (await statusOf(place, domain)) === status)
        assert.equal((await ask(domain, 'SOA')).status, status)
      },
    }
    begins(life)
    answers(life)
    ends(life)
  })
}

function begins({ registrar, domain, token, ask, answerOf, untilStatus }: Life): void {
  it('is refused before it is registered', () => untilStatus('REFUSED'))

  it('has a zone once it is registered', async () => {
    await must(registrar.request('POST', '/v1/domains', { token, body: { domain } }))
    await untilStatus('NOERROR')
    const { answer, flags } = await ask(domain, 'NS')
    assert.deepEqual(answer.sort(), [
      `${domain}. 3600 IN NS ns1.agent-registrar.net.`,
      `${domain}. 3600 IN NS ns2.agent-registrar.net.`,
    ])
    assert.ok(flags.includes('aa'))
    assert.deepEqual(await answerOf(domain), [])
  })
}

function answers({ registrar, domain, token, ask, answerOf, set }: Life): void {
  it('answers with the records set over REST and over MCP', async () => {
    const { body } = await set({ record_value: '192.0.2.1' })
    assert.deepEqual([body.domain, body.status], [domain, 'active'])
    const { serial, ...dns } = body.dns
    assert.deepEqual(dns, { host: '@', value: '192.0.2.1', served: '192.0.2.1' })
    assert.deepEqual(await answerOf(domain), [`${domain}. 300 IN A 192.0.2.1`])
    const agent = await connectAgent(`${registrar.service.settings.mcp_url}/mcp`, token)
    const record = { domain, host: 'Bücher', record_value: '192.0.2.2' }
    const used = await agent.use('configure_dns_record', record)
    const { serial: next, ...second } = Object(used.dns)
    assert.deepEqual(second, { host: 'xn--bcher-kva', value: '192.0.2.2', served: '192.0.2.2' })
    assert.ok(next > serial)
    const { hosted, sets } = Object(await agent.use('list_dns_records', { domain, type: 'A' }))
    const hosts = sets.map(({ host, values }: { host: string; values: string[] }) => [
      host,
      ...values,
    ])
    assert.deepEqual([hosted, ...hosts], [true, ['@', '192.0.2.1'], ['xn--bcher-kva', '192.0.2.2']])
    const idn = `xn--bcher-kva.${domain}`
    assert.deepEqual(await answerOf(idn), [`${idn}. 300 IN A 192.0.2.2`])
    assert.match((await ask(domain, 'SOA', '+tcp')).answer.join(), new RegExp(` ${next} `))
    assert.equal((await ask(`nothing.${domain}`, 'A')).status, 'NXDOMAIN')
  })

  it('replaces a record set, and changes nothing when it is the same', async () => {
    const first = await set({ host: '*.shop', record_value: '192.0.2.3' })
    assert.equal(first.body.dns.served, '192.0.2.3')
    const again = await set({ host: '*.SHOP', record_value: '192.0.2.3' })
    assert.deepEqual(again.body.dns, first.body.dns)
    const other = await set({ host: '*.shop', record_value: '192.0.2.4' })
    assert.equal(other.body.dns.served, '192.0.2.4')
    assert.ok(other.body.dns.serial > first.body.dns.serial)
    const name = `any.shop.${domain}`
    assert.deepEqual(await answerOf(name), [`${name}. 300 IN A 192.0.2.4`])
  })
}

function ends({ registrar, domain, token, ask, answerOf, set, untilStatus }: Life): void {
  it('is served for a while on other name servers, and has its records again on return', async () => {
    const move = (...nameservers: string[]) =>
      must(registrar.request('PATCH', `/v1/domains/${domain}`, { token, body: { nameservers } }))
    const before = await answerOf(domain)
    assert.equal(before.length, 1)
    await move('ns1.example.net', 'ns2.example.net')
    const delegation = async () => (await ask(domain, 'NS')).answer.join()
    await until(async () => (await delegation()).includes('ns2.example.net.'))
    assert.deepEqual(await answerOf(domain), before)
    await asTheSyncWrites(registrar, 'update zones set leaves_at = now() where name = $1', [domain])
    await repairAllZones(registrar.service.app)
    await untilStatus('REFUSED')
    await move('ns1.agent-registrar.net', 'ns2.agent-registrar.net')
    await untilStatus('NOERROR')
    assert.deepEqual(await answerOf(domain), before)
    await set({ record_value: '192.0.2.9' })
    assert.deepEqual(await answerOf(domain), [`${domain}. 300 IN A 192.0.2.9`])
  })

  it('is refused again once the holding has ended', async () => {
    await asTheSyncWrites(
      registrar,
      `update domains set ended_at = now(), end_reason = 'dropped' where name = $1`,
      [domain],
    )
    await untilStatus('REFUSED')
    const body = { record_value: '192.0.2.1' }
    const gone = await registrar.request('POST', `/v1/domains/${domain}/dns-record`, {
      token,
      body,
    })
    assert.equal(gone.status, 404, gone.text)
  })
}

describe('records', { skip }, () => {
  it('survive a restart, and two nodes of one database answer alike', async () => {
    const { sandbox, service } = embedded
    const database_url = service.settings.database_url ?? ''
    const { key: token } = await embedded.customer()
    const domain = 'survives.com'
    await must(embedded.request('POST', '/v1/domains', { token, body: { domain } }))
    const path = `/v1/domains/${domain}/dns-record`
    await must(embedded.request('POST', path, { token, body: { record_value: '192.0.2.1' } }))
    const other = await startService({ sandbox, database_url, worker: false })
    const seen = async (registrar: TestService) =>
      (await dig(registrar.service.app.dns.place, domain, 'A')).answer
    assert.deepEqual(await seen(other), [`${domain}. 300 IN A 192.0.2.1`])
    await must(other.request('POST', path, { token, body: { record_value: '192.0.2.7' } }))
    assert.deepEqual(await seen(embedded), [`${domain}. 300 IN A 192.0.2.7`])
    await service.stop()
    await other.service.stop()
    const third = await startService({ sandbox, database_url, worker: false })
    assert.deepEqual(await seen(third), [`${domain}. 300 IN A 192.0.2.7`])
  })
})

describe('a DNS update', { skip }, () => {
  it('is taken by the node, and served by PowerDNS once it is answered', async () => {
    assert.ok(pdns && pushing)
    const { key: token } = await pushing.customer({ scopes: [...scopes] })
    const domain = 'updated-by-a-node.com'
    await must(pushing.request('POST', '/v1/domains', { token, body: { domain } }))
    await until(async () => (await statusOf(pdns.place, domain)) === 'NOERROR')
    const path = `/v1/domains/${domain}/tsig-keys`
    const { body } = await must(pushing.request('POST', path, { token, body: {} }), 201)
    const { key, secret } = body
    const server = pushing.service.app.dns.updates
    assert.ok(server)
    assert.deepEqual(body.server, server)
    assert.notDeepEqual(server, pdns.place)
    const send = async (address: string) => {
      const change = { updates: [`www.${domain} 300 IN A ${address}`] }
      return answered(await overUdp(signed(updateOf(domain, change), { key, secret }), server))
        .rcode
    }
    assert.equal(await send('192.0.2.1'), 0)
    const served = async () => (await dig(pdns.place, `www.${domain}`, 'A')).answer
    assert.deepEqual(await served(), [`www.${domain}. 300 IN A 192.0.2.1`])
    await pdns.stop()
    // The change is stored, and pushed once PowerDNS is back.
    assert.equal(await send('192.0.2.2'), 0)
    await pdns.start()
    await until(async () => (await served()).length === 2)
  })
})

describe('PowerDNS that is down', { skip }, () => {
  it('affects no purchase, and gets every record once it is back', async () => {
    assert.ok(pdns && pushing)
    const { key: token } = await pushing.customer()
    const domain = 'while-it-is-down.com'
    await pdns.stop()
    const bought = await must(pushing.request('POST', '/v1/domains', { token, body: { domain } }))
    assert.equal(bought.body.status, 'active')
    const body = { host: 'www', record_value: '192.0.2.8' }
    const path = `/v1/domains/${domain}/dns-record`
    const stored = await pushing.request('POST', path, { token, body })
    assert.deepEqual([stored.status, stored.body.code], [503, 'dns_unreachable'], stored.text)
    assert.match(stored.body.detail, /The change is stored/)
    assert.equal(stored.body.value, '192.0.2.8')
    assert.match(stored.headers.get('retry-after') ?? '', /^\d+$/)
    await pdns.start()
    const name = `www.${domain}`
    const there = async () => (await dig(pdns.place, name, 'A')).answer.length > 0
    await until(there)
    const again = await must(pushing.request('POST', path, { token, body }))
    assert.deepEqual(again.body.dns.served, '192.0.2.8')
    assert.equal(again.body.dns.serial, stored.body.serial)
  })
})
