// A live zone of many records moves here from Knot, and back, while a client asks for its records
// every 50 ms: each answer is the one that Knot gave at first.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { scopes } from '../../../src/app.ts'
import { nameToWire } from '../../../src/dns/name.ts'
import { rrType } from '../../../src/dns/types.ts'
import { must, until } from '../../contract/support/fixture.ts'
import { startService } from '../../support/service.ts'
import { Client, type Place } from '../dns-differential/ask.ts'
import { Knot, skipKnot } from './knot.ts'
import { questions, records, zoneFile } from './moved-zone.ts'
import { type Expected, ResolvingClient } from './resolving-client.ts'

const domain = 'moves-here.com'
const theirs = ['ns1.old-host.net', 'ns2.old-host.net']
const ours = ['ns1.agent-registrar.net', 'ns2.agent-registrar.net']
/** On the internet, this takes up to two days. */
const delegation_ms = 2_000

const knot = await Knot.atFreePort()
const places = theirs.map((name) => `${name}=${knot.place.host}:${knot.place.port}`).join()
const registrar = await startService({ settings: { NAME_SERVER_PLACES: places } })
const { request, service, sandbox } = registrar
const own = service.app.dns.place
const { key: token } = await registrar.customer({ funds_cents: 100_000, scopes: [...scopes] })
const at = `/v1/domains/${domain}`

async function serialAt(place: Place): Promise<string | null> {
  const client = await Client.to(place).catch(() => null)
  if (!client) return null
  const soa = { name: nameToWire(domain), type: rrType.soa, recursion_desired: false, edns: null }
  const { rcode, answer } = await client.overTcp(soa).finally(() => client.close())
  return rcode === 0 ? (answer[0] ?? null) : null
}

/** The answers of Knot before anything is moved. */
async function expectedNow(): Promise<Expected[]> {
  const client = await Client.to(knot.place)
  const expected: Expected[] = []
  for (const { name, type } of questions(domain)) {
    const asked = { name: nameToWire(name), type, recursion_desired: false, edns: null }
    const { rcode, answer } = await client.overTcp(asked)
    expected.push({ name, type, rcode, answer })
  }
  client.close()
  return expected
}

const delegate = (nameservers: string[]) =>
  must(request('PATCH', at, { token, body: { nameservers } }))

/** Waits until no client has an older delegation, and each question was asked once more. */
async function untilAllAreAsked(client: ResolvingClient, count: number): Promise<void> {
  const end_ms = performance.now() + delegation_ms
  const asked = client.asked + count
  await until(async () => performance.now() > end_ms && client.asked > asked)
}

it('gives no wrong answer while it moves here, and back', { skip: skipKnot }, async () => {
  assert.ok(records >= 60)
  knot.startPrimary(domain, zoneFile(domain, theirs))
  await until(async () => (await serialAt(knot.place)) !== null)
  await must(request('POST', '/v1/domains', { token, body: { domain, nameservers: theirs } }))
  const expected = await expectedNow()
  assert.ok(expected.filter(({ answer }) => answer.length > 0).length >= 55)
  const servers = new Map([
    ...theirs.map((name) => [name, knot.place] as const),
    ...ours.map((name) => [name, own] as const),
  ])
  const client = new ResolvingClient({
    domain,
    parent: sandbox.dns,
    servers,
    expected,
    delegation_ms,
  })
  client.start()
  try {
    const { body: scanned } = await must(request('POST', `${at}/records/scan`, { token }))
    const body = { zonefile: scanned.zonefile, mode: 'merge' }
    await must(request('POST', `${at}/zonefile`, { token, body }))
    sandbox.setFault({ name: 'slow', command: 'domain:update', domain, delay_ms: 1_500 })
    await delegate(ours)
    await untilAllAreAsked(client, expected.length)
    assert.deepEqual(client.wrong, [])
    assert.ok(
      ours.some((name) => client.by.has(name)),
      'none was asked of us',
    )
    // No client needs it any longer.
    await knot.stop()
    await untilAllAreAsked(client, expected.length)
    assert.deepEqual(client.wrong, [])
    const made = (await must(request('POST', `${at}/tsig-keys`, { token, body: {} }), 201)).body
    knot.startSecondary(domain, own, { ...made.key, secret: made.secret })
    await until(async () => (await serialAt(knot.place)) === (await serialAt(own)))
    await delegate(theirs)
    await untilAllAreAsked(client, expected.length)
    assert.deepEqual(client.wrong, [])
    assert.notEqual(await serialAt(own), null, 'resolvers that still know us are answered')
  } finally {
    await client.stop()
  }
})
