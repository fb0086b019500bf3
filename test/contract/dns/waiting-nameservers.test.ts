// A change of name servers that waits until the new ones serve the domain: made then, once, for the
// party that asked for it, or replaced, cancelled, and given up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runApprovals } from '../../../src/capabilities/domains/approved-requests/run-approvals.job.ts'
import { lifecycleService } from '../../../src/capabilities/domains/holdings/lifecycle.fixture.ts'
import { setServedNameservers } from '../../../src/capabilities/domains/updates/waiting/set-served-nameservers.job.ts'
import { startService, type TestCustomer } from '../../support/service.ts'
import { recentSessionOf } from '../../support/sign-in.ts'
import { fresh, must } from '../support/fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem.ts'
import { foreignServer, hosts, placesOf } from './name-servers.fixture.ts'

const servers = [await foreignServer(), await foreignServer()]
const own = await startService({ worker: false, settings: placesOf(servers) })
const registrar = await lifecycleService(own)
const { request, query, run } = registrar
const ours = ['ns1.agent-registrar.net', 'ns2.agent-registrar.net']
const lines = ['@ A 192.0.2.1', '@ MX 10 mail.example.net.']
const scopes = ['domains:purchase', 'domains:write', 'domains:read']

const ask = (domain: string, body: object, token: string) =>
  request('PATCH', `/v1/domains/${domain}`, { token, body })
const wait = (domain: string, token: string, more: object = {}) =>
  ask(domain, { nameservers: hosts, require_served: true, ...more }, token)
const waitingOf = async (domain: string, token: string) =>
  (await must(request('GET', `/v1/domains/${domain}/waiting-nameservers`, { token }))).body.waiting
const present = (domain: string) => registrar.sandbox.lookup(domain)?.nameservers.toSorted()
const serve = (domain: string, zone: readonly string[] = lines) => {
  for (const one of servers) one.serve(domain, zone)
}
async function lookAgain() {
  await query("update tasks set run_at = now() where kind = 'set_served_nameservers'")
  await run(setServedNameservers)
}

async function hosted(owner?: TestCustomer) {
  const who = owner ?? (await registrar.customer({ funds_cents: 100_000, scopes }))
  const domain = await registrar.buys(who, `${fresh()}.com`, { nameservers: ours })
  const sets = [
    { host: '@', type: 'A', values: ['192.0.2.1'] },
    { host: '@', type: 'MX', values: ['10 mail.example.net.'] },
  ]
  const at = `/v1/domains/${domain}/records`
  await must(request('PATCH', at, { token: who.key, body: { sets } }))
  return { who, domain, token: who.key }
}
const rowsOf = (domain: string) =>
  query(
    `select result, error_code, actor_type, metadata from audit_logs
      where target = $1 and action = 'update_nameservers' order by id`,
    [domain],
  )

test('is made once the new ones have every set, for the key that asked for it', async () => {
  const { domain, token, who } = await hosted()
  serve(domain, lines.slice(0, 1))
  const { body } = await must(wait(domain, token))
  assert.equal(body.preflight.served, false)
  assert.deepEqual(body.nameservers.toSorted(), ours)
  assert.deepEqual(body.waiting.nameservers, hosts)
  const seven_days = Date.parse(body.waiting.expires_at) - Date.parse(body.waiting.created_at)
  assert.equal(seven_days, 7 * 86_400_000)
  await lookAgain()
  assert.deepEqual(present(domain), ours)
  assert.equal((await waitingOf(domain, token)).id, body.waiting.id)
  const dry = await must(ask(domain, { nameservers: ours, dry_run: true }, token))
  assert.equal(dry.body.waiting.id, body.waiting.id)
  serve(domain)
  await lookAgain()
  assert.deepEqual(present(domain), hosts)
  assert.equal(await waitingOf(domain, token), null)
  const made = await rowsOf(domain)
  assert.deepEqual(
    made.map(({ result, actor_type }) => `${result} ${actor_type}`),
    ['pending api_key', 'success api_key'],
  )
  assert.deepEqual(
    (await registrar.emails(who)).map(({ kind }) => kind).filter((kind) => /given/.test(kind)),
    [],
  )
  await lookAgain()
  assert.equal((await rowsOf(domain)).length, 2)
})

test('is made at once where they serve it already', async () => {
  const { domain, token } = await hosted()
  serve(domain)
  const { body } = await must(wait(domain, token))
  assert.equal(body.waiting, undefined)
  assert.deepEqual(present(domain), hosts)
})

test('ends with a newer change, of the same name servers or of others', async () => {
  const { domain, token } = await hosted()
  await must(wait(domain, token))
  const first = await waitingOf(domain, token)
  await must(wait(domain, token))
  const second = await waitingOf(domain, token)
  assert.notEqual(first.id, second.id)
  const others = ['ns1.example.net', 'ns2.example.net']
  await must(ask(domain, { nameservers: others }, token))
  assert.equal(await waitingOf(domain, token), null)
  serve(domain)
  await lookAgain()
  assert.deepEqual(present(domain), others)
})

test('ends when it is cancelled, which changes nothing else', async () => {
  const { domain, token } = await hosted()
  await must(wait(domain, token))
  const at = `/v1/domains/${domain}/waiting-nameservers`
  const other = await registrar.customer()
  assertProblem(await request('DELETE', at, { token: other.key }), '404 domain_not_found')
  assert.equal((await must(request('DELETE', at, { token }))).body.waiting, null)
  await must(request('DELETE', at, { token }))
  serve(domain)
  await lookAgain()
  assert.deepEqual(present(domain), ours)
})

for (const [why, expected, change] of [
  [
    'after seven days',
    'expired',
    (domain: string) =>
      query(
        `update waiting_nameservers set created_at = now() - interval '8 days',
                expires_at = now() - interval '1 day'
           from domains d where d.id = domain_id and d.name = $1`,
        [domain],
      ),
  ],
  [
    'where its key was revoked',
    'maker_right_ended',
    (domain: string) =>
      query(
        `update api_keys set revoked_at = now() where id = (
           select api_key_id from waiting_nameservers w join domains d on d.id = w.domain_id
            where d.name = $1)`,
        [domain],
      ),
  ],
  [
    'where the owner has protected the domain since',
    'domain_protected',
    (domain: string) => query('update domains set protected = true where name = $1', [domain]),
  ],
  [
    'where the key has lost its scope',
    'refused',
    (domain: string) =>
      query(
        `update api_keys set scopes = '{domains:read}' where id = (
           select api_key_id from waiting_nameservers w join domains d on d.id = w.domain_id
            where d.name = $1)`,
        [domain],
      ),
  ],
] as const)
  test(`is given up ${why}, and the owner is notified`, async () => {
    const { domain, token, who } = await hosted()
    await must(wait(domain, token))
    await change(domain)
    serve(domain)
    await lookAgain()
    assert.deepEqual(present(domain), ours)
    const left = await query(
      'select 1 from waiting_nameservers w join domains d on d.id = w.domain_id where d.name = $1',
      [domain],
    )
    assert.deepEqual(left, [])
    const last = (await rowsOf(domain)).at(-1)
    assert.equal(last?.result, 'failed')
    assert.equal(Object(last?.metadata).reason, expected)
    const mail = (await registrar.emails(who)).find(({ kind }) => /given_up/.test(kind))
    assert.match(mail?.body ?? '', /Its present name servers stay/)
  })

test('ends with the holding', async () => {
  const { domain, token } = await hosted()
  await must(wait(domain, token))
  await query(`update domains set ended_at = now(), end_reason = 'dropped' where name = $1`, [
    domain,
  ])
  const left = await query(
    'select 1 from waiting_nameservers w join domains d on d.id = w.domain_id where d.name = $1',
    [domain],
  )
  assert.deepEqual(left, [])
})

test('is not beside automatic renewal or a way back, and needs approval first on a protected domain', async () => {
  const { domain, token } = await hosted()
  const both = await wait(domain, token, { auto_renew: false })
  assertInvalid(both, ['body.require_served value_error'])
  const timed = await wait(domain, token, { revert_after: 'PT10M' })
  assertInvalid(timed, ['body.revert_after value_error'])
  await query('update domains set protected = true where name = $1', [domain])
  assertProblem(await wait(domain, token), '403 approval_required')
  assert.equal(await waitingOf(domain, token), null)
})

test('an approved one is sent again by the service until it can be made', async () => {
  const { domain, token, who } = await hosted()
  const session = await recentSessionOf(registrar, who)
  await must(request('POST', `/v1/domains/${domain}/protect`, { token: session }))
  const { id } = (await wait(domain, token)).body.approval
  await must(request('POST', `/v1/approvals/${id}/approve`, { token: session, body: {} }))
  const stateOf = async () =>
    (await must(request('GET', `/v1/approvals/${id}`, { token: session }))).body.state
  await run(runApprovals)
  assert.equal(await stateOf(), 'approved')
  assert.deepEqual(present(domain), ours)
  assert.equal(await waitingOf(domain, token), null)
  serve(domain)
  await query("update tasks set run_at = now() where kind = 'run_approval'")
  await run(runApprovals)
  assert.equal(await stateOf(), 'executed')
  assert.deepEqual(present(domain), hosts)
})
