// Changes of a domain: the fields that PATCH takes, and every refusal that the seven routes
// declare.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { scopes } from '../../src/app.ts'
import { askAway, deleteBehind } from '../support/other-registrar.ts'
import { startService } from '../support/service.ts'
import { startBuyerService } from './support/buyer-service.ts'
import { assertEdges, bad, good } from './support/edges.ts'
import { fresh, must } from './support/fixture.ts'
import { assertInvalid, assertProblem } from './support/problem.ts'

const service = await startBuyerService(await startService())
const { request, sandbox } = service
const buyer = await service.customer({ funds_cents: 10_000_000, scopes: [...scopes] })
const two = ['ns1.example.net', 'ns2.example.net']
const routes = {
  'PATCH /v1/domains/{domain}': { body: { nameservers: ['ns1.other.org', 'ns2.other.org'] } },
  'POST /v1/domains/{domain}/lock': {},
  'POST /v1/domains/{domain}/unlock': {},
  'GET /v1/domains/{domain}/transfer-auth-code': {},
  'POST /v1/domains/{domain}/transfer-auth-code/regenerate': {},
  'POST /v1/domains/{domain}/transfer/approve': {},
  'POST /v1/domains/{domain}/transfer/reject': {},
}
const answers = ([at]: [string, object]) => at.includes('/transfer/')
const all = Object.entries(routes)
const toUpdate = all.filter((route) => !answers(route))

function send(at: string, domain: string, more: object = {}) {
  const [method = '', path = ''] = at.split(' ')
  return request(method, path.replace('{domain}', domain), { token: buyer.key, ...more })
}

/**
 * The domain is bought, and locked if it is to be unlocked, or requested if the request is to be
 * answered.
 */
async function ready(at: string): Promise<string> {
  const domain = `${fresh('change')}.com`
  await must(service.buy({ domain, nameservers: two }, buyer.key))
  if (at.endsWith('/unlock')) await must(send('POST /v1/domains/{domain}/lock', domain))
  if (!at.includes('/transfer/')) return domain
  const { body } = await must(send('GET /v1/domains/{domain}/transfer-auth-code', domain))
  await askAway(service, { domain, auth_info: body.auth_code })
  return domain
}

const commandOf = (at: string) => (at.includes('/transfer/') ? 'domain:transfer' : 'domain:update')

/** The fault hits the command that changes something, and not the query before it. */
function strike(at: string, domain: string, fault: 'drop_before' | 'refuse_2306'): void {
  const command = commandOf(at)
  if (command === 'domain:transfer')
    sandbox.setFault({ name: 'slow', command, domain, delay_ms: 1 })
  sandbox.setFault({ name: fault, command, domain, times: fault === 'drop_before' ? null : 1 })
}

test('a domain that is not there is 404', async () => {
  for (const [at, more] of all)
    assertProblem(await send(at, 'not-registered-here.com', more), '404 domain_not_found', at)
})

test('a refusal of the registry is 409 with its code and its text', async () => {
  for (const [at, more] of all) {
    const domain = await ready(at)
    strike(at, domain, 'refuse_2306')
    const answer = await send(at, domain, more)
    assertProblem(answer, '409 change_refused', at)
    assert.equal(answer.body.epp_code, 2306)
  }
})

test('an unconfirmed change is 503, and a repeated request completes it', async () => {
  await Promise.all(
    all.map(async ([at, more]) => {
      const domain = await ready(at)
      strike(at, domain, 'drop_before')
      assertProblem(await send(at, domain, more), '503 change_unconfirmed', at)
    }),
  )
  sandbox.clearFaults()
})

test('a registry that cannot be asked is 503, and nothing is sent', async () => {
  for (const [at, more] of all) {
    const domain = await ready(at)
    const command = answers([at, more]) ? 'domain:transfer' : 'domain:info'
    sandbox.setFault({ name: 'drop_before', command, domain, times: null })
    const before = service.received('domain:update')
    assertProblem(await send(at, domain, more), '503 registry_unreachable', at)
    assert.equal(service.received('domain:update'), before)
    sandbox.clearFaults()
  }
})

test('a change beside another one of the name waits, and is 409 in the end', async () => {
  const client = new pg.Client({ connectionString: service.service.settings.database_url ?? '' })
  await client.connect()
  await Promise.all(
    all.map(async ([at, more]) => {
      const domain = await ready(at)
      await client.query(
        `insert into domain_changes values ($1, 'other', clock_timestamp() + interval '1 h')`,
        [domain],
      )
      const answer = await send(at, domain, more)
      assertProblem(answer, '409 change_under_way', at)
      assert.deepEqual(
        [answer.body.retryable, answer.body.next_action.type],
        [true, 'wait_and_retry'],
      )
    }),
  )
  await client.end()
})

test('a transfer that was not requested cannot be answered', async () => {
  for (const route of all.filter(answers)) {
    const domain = `${fresh('change')}.com`
    await must(service.buy({ domain }, buyer.key))
    assertProblem(await send(route[0], domain), '409 no_transfer_pending', route[0])
  }
})

test('name servers below the domain itself need addresses', async () => {
  const at = 'PATCH /v1/domains/{domain}'
  const domain = await ready(at)
  const nameservers = [`ns1.${domain}`, 'ns1.example.net', `ns2.${domain}`]
  const answer = await send(at, domain, { body: { nameservers } })
  assertProblem(answer, '409 glue_required', at)
  assert.deepEqual(answer.body.hosts, [`ns1.${domain}`, `ns2.${domain}`])
})

test('a domain in redemption cannot be changed', async () => {
  const domains = await Promise.all(toUpdate.map(([at]) => ready(at)))
  await service.advance('P6D')
  for (const [i, [at, more]] of toUpdate.entries()) {
    const domain = domains[i] ?? ''
    await deleteBehind(service, domain)
    const answer = await send(at, domain, more)
    assertProblem(answer, '409 not_changeable', at)
    assert.equal(answer.body.domain_status, 'redemption')
  }
})

test('PATCH takes 2 to 13 name servers, each a host and there once, and addresses for its own', async () => {
  const at = 'PATCH /v1/domains/{domain}'
  const domain = await ready(at)
  const hosts = (count: number) => Array.from({ length: count }, (_, i) => `ns${i}.example.net`)
  const patch = (body: unknown) => send(at, domain, { body })
  const own = `ns1.${domain}`
  await assertEdges(patch, { nameservers: two }, [
    good('nameservers', hosts(2)),
    good('nameservers', hosts(13)),
    good('auto_renew', true),
    bad('nameservers', hosts(1), 'body.nameservers too_short'),
    bad('nameservers', hosts(14), 'body.nameservers too_long'),
    bad('nameservers', 'ns1.example.net', 'body.nameservers list_type'),
    bad('nameservers', ['ns1.example.net', 'NS1.example.net.'], 'body.nameservers.1 value_error'),
    bad('nameservers', ['ns1.example.net', '192.0.2.1'], 'body.nameservers.1 value_error'),
    bad('nameservers', ['ns1.example.net', ''], 'body.nameservers.1 string_too_short'),
    bad('nameservers', ['ns1.example.net', 7], 'body.nameservers.1 string_type'),
    bad('auto_renew', 'true', 'body.auto_renew bool_type'),
    good('auto_renew', null),
    bad('glue', { [own]: ['192.0.2.1'] }, `body.glue.${own} value_error`),
    bad('glue', { 'ns1.example.net': ['192.0.2.1'] }, 'body.glue.ns1.example.net value_error'),
    bad('glue', { [own]: [] }, `body.glue.${own} too_short`),
    bad('glue', ['192.0.2.1'], 'body.glue dict_type'),
    bad('locked', true, 'body.locked extra_forbidden'),
  ])
  assertInvalid(await patch({}), ['body too_short'])
  assertInvalid(await patch({ glue: { [own]: ['192.0.2.1'] } }), ['body.nameservers missing'])
  const wrong = { nameservers: [own, 'ns1.example.net'], glue: { [own]: ['10.0.0.1', 'xx'] } }
  assertInvalid(await patch(wrong), [
    `body.glue.${own}.0 value_error`,
    `body.glue.${own}.1 value_error`,
  ])
})

test('HEAD sets no code', async () => {
  const domain = await ready('GET')
  const before = service.received('domain:update')
  const path = `/v1/domains/${domain}/transfer-auth-code`
  const { status } = await request('HEAD', path, { token: buyer.key })
  assert.equal(status, 405)
  assert.equal(service.received('domain:update'), before)
})
