// Two nodes over one database share a registry's session limit.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { startSandbox } from '../../sandbox/registry/index.ts'
import { newDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-nodes-'))
const registries = `
currencies: [USD]
margin: { basis_points: 1000 }
registries:
  - name: thin
    adapter: epp
    sandbox: true
    tlds: [com, net]
    currency: USD
    sessions: 1
    idle_s: 120
    timeout_ms: 4000
    contacts: prohibited
    host_model: hostAttr
    auth_info_on_create: empty
`
const file = join(folder, 'registries.yaml')
writeFileSync(file, registries)

const database_url = await newDatabase('template_of_tests')
const sandbox = await startSandbox({ data_dir: null, settings: { sessions_per_registrar: 1 } })
const options = { database_url, sandbox, settings: { REGISTRIES_FILE: file } }
const first = await startService(options)
const second = await startService({ ...options, mailbox: first.mailbox, worker: false })
const owner = new pg.Client({ connectionString: database_url })
await owner.connect()
after(async () => {
  await owner.end()
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
})

const refused = () => sandbox.counters().thin.commands.login?.codes['2502'] ?? 0

test('two nodes share the one session that the registry allows', async () => {
  const { key: token } = await first.customer({ funds_cents: 100_000 })
  const buy = ({ request }: typeof first, domain: string) =>
    request('POST', '/v1/domains', { token, body: { domain } })
  const bought = await Promise.all(
    Array.from({ length: 16 }, (_, i) => buy(i % 2 === 0 ? first : second, `shared-${i}.com`)),
  )
  for (const { status, text } of bought) assert.equal(status, 200, text)
  assert.equal(sandbox.effects().length, 16)
  assert.equal(refused(), 0)
  for (const node of [first, second]) {
    const { body } = await node.request('GET', '/v1/health')
    assert.equal(body.status, 'ok', JSON.stringify(body.registries))
  }
})

test('a node that gets no session in time answers 503, sends nothing, and holds no money', async () => {
  const { key: token, id } = await second.customer({ funds_cents: 5_000 })
  const look = await first.request('POST', '/v1/domains/check', { body: { domains: ['a1.com'] } })
  assert.equal(look.body.domains[0].available, true)
  // Another node has the session's lease, and does not release it.
  await owner.query(
    `insert into session_leases (registry, number, node, lease_until)
     values ('thin', 1, 'elsewhere', clock_timestamp() + interval '1 hour')
     on conflict (registry, number) do update set node = 'elsewhere', lease_id = default,
       lease_until = excluded.lease_until`,
  )
  const sent = sandbox.counters().thin.commands['domain:create']?.received
  const body = { domain: 'not-sent.com' }
  const answer = await second.request('POST', '/v1/domains', { token, body })
  assert.equal(answer.status, 503, answer.text)
  assert.equal(answer.body.code, 'registry_unreachable')
  assert.equal(sandbox.counters().thin.commands['domain:create']?.received, sent)
  const balance = await second.request('GET', `/v1/customers/${id}/billing/balance`, { token })
  assert.deepEqual([balance.body.available, balance.body.held], ['50.00', '0.00'])
  const { body: health } = await second.request('GET', '/v1/health')
  assert.equal(health.status, 'degraded')
  const { state, sessions, last_error } = health.registries[0]
  assert.deepEqual([state, sessions], ['down', 0])
  assert.match(last_error, /Other nodes hold all the sessions/)
})
