// Preflight of a change of name servers: what would stop answering, by what the present and the new
// ones answer on real sockets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../support/service.ts'
import { startBuyerService } from '../support/buyer-service.ts'
import { fresh, must } from '../support/fixture.ts'
import { assertProblem } from '../support/problem.ts'
import { foreignServer, hosts, placesOf } from './name-servers.fixture.ts'

const servers = [await foreignServer(), await foreignServer()]
const own = await startService({ settings: placesOf(servers) })
const { request, buy, buyer, customer, read } = await startBuyerService(own)
const ours = ['ns1.agent-registrar.net', 'ns2.agent-registrar.net']
const lines = ['@ A 192.0.2.1', '@ MX 10 mail.example.net.', 'www CNAME host.example.net.']

type Who = { key: string }
const ask = (domain: string, body: object, who: Who = buyer) =>
  request('PATCH', `/v1/domains/${domain}`, { token: who.key, body })
async function preflight(domain: string, nameservers: readonly string[], who: Who = buyer) {
  const body = { nameservers, dry_run: true }
  return (await must(ask(domain, body, who))).body
}
const codes = ({ preflight: { warnings } }: Awaited<ReturnType<typeof preflight>>) =>
  warnings.map((one: { code: string; host: string; type: string }) => {
    return `${one.code} ${one.host} ${one.type}`
  })
const serveAll = (domain: string, zone: readonly string[]) =>
  servers.forEach(({ serve }) => {
    serve(domain, zone)
  })

async function hosted(who: Who = buyer): Promise<string> {
  const domain = `${fresh()}.com`
  await must(buy({ domain, nameservers: ours }, who.key))
  const sets = [
    { host: '@', type: 'A', values: ['192.0.2.1'] },
    { host: '@', type: 'MX', ttl: 7200, values: ['10 mail.example.net.'] },
    { host: 'www', type: 'CNAME', values: ['host.example.net.'] },
  ]
  const at = `/v1/domains/${domain}/records`
  await must(request('PATCH', at, { token: who.key, body: { sets } }))
  return domain
}

test('names the site and the mail that would stop, and changes nothing', async () => {
  const domain = await hosted()
  serveAll(domain, ['@ A 192.0.2.99'])
  const before = (await read(domain)).body
  const answer = await preflight(domain, hosts)
  assert.equal(answer.status, 'dry_run')
  assert.equal(answer.dry_run, true)
  const { served, nameservers, sets, keep_old_s, sets_compared } = answer.preflight
  assert.equal(served, false)
  assert.deepEqual(
    nameservers.map((one: { state: string; ours: boolean }) => [one.state, one.ours]),
    [
      ['serves', false],
      ['serves', false],
    ],
  )
  assert.deepEqual(
    sets.map((one: { host: string; type: string; state: string }) => [
      ...[one.host, one.type, one.state],
    ]),
    [
      ['@', 'A', 'differs'],
      ['@', 'MX', 'missing'],
      ['www', 'CNAME', 'missing'],
    ],
  )
  assert.deepEqual(sets[0].before, { ttl: 3600, values: ['192.0.2.1'] })
  assert.deepEqual(sets[0].after, { ttl: 1800, values: ['192.0.2.99'] })
  assert.deepEqual(sets[1].nameservers, hosts)
  assert.equal(sets_compared, 3)
  assert.equal(keep_old_s, 7200)
  assert.deepEqual(codes(answer), ['mail_stops @ MX', 'site_stops www CNAME', 'keep_old @ NS'])
  assert.deepEqual((await read(domain)).body, before)
})

test('says that nothing stops where each new name server has every set', async () => {
  const domain = await hosted()
  serveAll(domain, [...lines, 'more A 192.0.2.7'])
  const answer = await preflight(domain, hosts)
  assert.equal(answer.preflight.served, true)
  assert.deepEqual(codes(answer), ['keep_old @ NS'])
})

test('takes an address in the place of an alias as another content, not as a loss', async () => {
  const domain = await hosted()
  serveAll(domain, ['@ A 192.0.2.1', '@ MX 10 mail.example.net.', 'www A 192.0.2.5'])
  const answer = await preflight(domain, hosts)
  assert.equal(answer.preflight.served, true)
  assert.deepEqual(answer.preflight.sets[0].state, 'differs')
})

test('names a server that has no zone, and one of two that lacks a set', async () => {
  const domain = await hosted()
  servers[0]?.serve(domain, lines)
  const answer = await preflight(domain, hosts)
  assert.equal(answer.preflight.served, false)
  const [first, second] = answer.preflight.nameservers
  assert.equal(first.state, 'serves')
  assert.equal(second.state, 'not_serving')
  assert.match(second.detail, /REFUSED/)
  servers[1]?.serve(domain, lines.slice(0, 2))
  const later = await preflight(domain, hosts)
  assert.deepEqual(later.preflight.sets[0].nameservers, [hosts[1]])
})

test('leaves unknown what it could not ask, and asks no private address', async () => {
  const domain = await hosted()
  serveAll(domain, lines)
  const nowhere = await preflight(domain, ['ns1.nowhere.example', hosts[0]])
  assert.equal(nowhere.preflight.served, null)
  assert.equal(nowhere.preflight.nameservers[0].detail, 'Its name has no address.')
  const glue = { [`ns1.${domain}`]: ['192.0.2.53'] }
  const body = { nameservers: [`ns1.${domain}`, hosts[0]], glue, dry_run: true }
  const own_glue = (await must(ask(domain, body))).body
  assert.match(own_glue.preflight.nameservers[0].detail, /not public/)
  assert.equal(own_glue.preflight.served, null)
  assert.ok(codes(own_glue).includes('not_asked @ NS'))
})

test('says that ours serve nothing beside others', async () => {
  const domain = await hosted()
  serveAll(domain, lines)
  const answer = await preflight(domain, [ours[0] ?? '', hosts[0]])
  assert.equal(answer.preflight.served, false)
  assert.match(answer.preflight.nameservers[0].detail, /where all of its name servers are ours/)
})

test('compares the present servers of others with our records before a move here', async () => {
  const domain = `${fresh()}.com`
  await must(buy({ domain, nameservers: hosts }))
  serveAll(domain, [...lines, '_dmarc TXT "v=DMARC1; p=none"'])
  const answer = await preflight(domain, ours)
  assert.equal(answer.preflight.served, false)
  assert.deepEqual(
    answer.preflight.sets.map((one: { host: string; type: string }) => `${one.host} ${one.type}`),
    ['@ A', '@ MX', 'www CNAME', '_dmarc TXT'],
  )
  assert.ok(codes(answer).includes('unseen @ NS'))
  servers.forEach(({ drop }) => {
    drop(domain)
  })
  const unknown = await preflight(domain, ours)
  assert.equal(unknown.preflight.served, null)
  assert.equal(unknown.preflight.sets_compared, 0)
  assert.match(unknown.preflight.warnings[0].message, /unknown what would stop/)
})

test('needs no preflight for automatic renewal, and refuses other customers', async () => {
  const domain = await hosted()
  const { body } = await must(ask(domain, { auto_renew: true, dry_run: true }))
  assert.equal(body.dry_run, true)
  assert.equal(body.preflight, undefined)
  assert.equal((await read(domain)).body.auto_renew, false)
  const other = await customer()
  const asked = await ask(domain, { nameservers: hosts, dry_run: true }, other)
  assertProblem(asked, '404 domain_not_found')
})

test('limits how often an account has servers of others asked', async () => {
  const asker = await customer({ funds_cents: 100_000 })
  const domain = await hosted(asker)
  for (let i = 0; i < 12; i += 1) await preflight(domain, ours, asker)
  const refused = await ask(domain, { nameservers: ours, dry_run: true }, asker)
  assertProblem(refused, '429 preflight_limited')
  assert.ok(Number(refused.headers.get('retry-after')) > 200)
  await must(ask(domain, { nameservers: ours }, asker))
})
