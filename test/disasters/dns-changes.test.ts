// A node that is killed at each step of an unconfirmed change of records and of its way back: the
// change is stored with its way back, or not at all, and two other nodes take it back once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSetup, until } from './support/disaster-setup.ts'

const setup = await startSetup()
const { registrar, query } = setup
const { key: token } = await registrar.customer({ funds_cents: 100_000 })

const www = (value: string) => [{ host: 'www', type: 'A', values: [value] }]

async function changed(url: string, domain: string, body: object): Promise<number | null> {
  const answer = await fetch(`${url}/v1/domains/${domain}/records`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null)
  return answer?.status ?? null
}

async function bought(domain: string): Promise<void> {
  const { status, text } = await registrar.request('POST', '/v1/domains', {
    token,
    body: { domain },
  })
  assert.equal(status, 200, text)
  assert.equal(await changed(registrar.url, domain, { sets: www('192.0.2.1') }), 200)
}

const arming = { sets: www('192.0.2.2'), revert_after: 'PT10M' }

async function stateOf(domain: string) {
  const [row] = await query(
    `select host(('0.0.0.0'::inet) + ('x' || encode(s.rdata[1], 'hex'))::bit(32)::bigint) as value,
            (select count(*)::int from dns_confirmations o where o.domain_id = d.id) as made,
            (select count(*)::int from tasks t
              where t.kind = 'revert_dns_change'
                and t.key in (select o.change_id from dns_confirmations o
                               where o.domain_id = d.id)) as tasks,
            (select count(*)::int from dns_changes c
              where c.domain_id = d.id and c.reverts is not null) as reverts,
            (select count(*)::int from audit_logs a
              where a.target = d.name and a.action = 'revert_unconfirmed_dns_change') as audited
       from domains d join dns_record_sets s on s.domain_id = d.id where d.name = $1`,
    [domain],
  )
  return row
}

const stored = { made: 1, tasks: 1, reverts: 0, audited: 0 }
const unchanged = { value: '192.0.2.1', ...stored, made: 0, tasks: 0 }
const armed = { value: '192.0.2.2', ...stored }
const reverted = { value: '192.0.2.1', made: 1, tasks: 0, reverts: 1, audited: 1 }

/** The time of every change comes, and the leases of dead nodes have ended. */
const fallDue = () =>
  query(`update tasks set run_at = clock_timestamp(), lease_until = lease_until - interval '1 hour'
          where kind = 'revert_dns_change'`)

test('an unconfirmed change goes back once, whatever node dies at whatever step', async () => {
  const domains: string[] = []
  for (const [step, outcome] of [
    ['records_storing', unchanged],
    ['records_stored', armed],
  ] as const) {
    const domain = `${step.replaceAll('_', '-')}.test`
    await bought(domain)
    const node = await setup.node({ crash_at: step })
    assert.equal(await changed(node.url, domain, arming), null)
    assert.ok(await node.dies(), `it dies at ${step}`)
    assert.deepEqual(await stateOf(domain), outcome)
    if (outcome === armed) domains.push(domain)
  }
  for (const step of ['dns_change_due', 'records_storing', 'dns_change_reverted']) {
    const domain = `back-${step.replaceAll('_', '-')}.test`
    await bought(domain)
    assert.equal(await changed(registrar.url, domain, arming), 200)
    assert.deepEqual(await stateOf(domain), armed)
    domains.push(domain)
    await fallDue()
    const node = await setup.node({ worker: true, crash_at: step })
    assert.ok(await node.dies(), `it dies at ${step}`)
  }
  await fallDue()
  const nodes = await Promise.all([setup.node({ worker: true }), setup.node({ worker: true })])
  const isDone = async () =>
    (await query(`select from tasks where kind = 'revert_dns_change'`)).length === 0
  await until(isDone, { within_ms: 60_000, what: 'every change has gone back' })
  for (const domain of domains) assert.deepEqual(await stateOf(domain), reverted, domain)
  for (const node of nodes) await node.kill()
  assert.deepEqual((await setup.audit()).violations, [])
})
