// The metrics of a running service: access, correct counts, bounded labels, and one query of the
// database for several nodes that are scraped at the same time.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rowsIn } from '../../test/support/owner-sql.ts'
import { parkedOrderIn } from '../../test/support/parked-order.ts'
import { startService } from '../../test/support/service.ts'
import { valuesIn } from './prometheus.fixture.ts'

const token = 'm'.repeat(40)
const registrar = await startService({ settings: { METRICS_TOKEN: token } })
const node = await startService({
  settings: { METRICS_TOKEN: token },
  sandbox: registrar.sandbox,
  database_url: registrar.service.settings.database_url ?? '',
  worker: false,
})
const unset = await startService({
  sandbox: registrar.sandbox,
  database_url: registrar.service.settings.database_url ?? '',
  worker: false,
})
const rows = rowsIn(registrar)

/** The next scrape reads the database. */
const deleteSnapshot = () => rows('delete from metric_snapshots')

async function scrape(from = registrar) {
  const { status, headers, text } = await from.request('GET', '/metrics', { token })
  assert.equal(status, 200, text)
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  return valuesIn(text)
}

describe('GET /metrics', () => {
  test('is read with METRICS_TOKEN alone', async () => {
    const { key } = await registrar.customer({ funds_cents: 0, contact: false })
    const anonymous = await registrar.request('GET', '/metrics')
    assert.deepEqual([anonymous.status, anonymous.body.code], [401, 'unauthenticated'])
    for (const wrong of [key, registrar.operatorKey, `${token}m`, token.slice(1)]) {
      const { status, body } = await registrar.request('GET', '/metrics', { token: wrong })
      assert.deepEqual([status, body.code], [401, 'invalid_token'])
    }
    const posted = await registrar.request('POST', '/metrics', { token, body: {} })
    assert.equal(posted.status, 405)
  })

  test('is 503 where no token is set, also for an operator', async () => {
    for (const given of [undefined, token, unset.operatorKey]) {
      const options = given === undefined ? {} : { token: given }
      const { status, body } = await unset.request('GET', '/metrics', options)
      assert.deepEqual([status, body.code, body.retryable], [503, 'metrics_not_configured', false])
    }
  })
})

describe('a purchase and its parts', () => {
  test('are counted by operation, registry and surface', async () => {
    const before = await scrape()
    const { key } = await registrar.customer()
    const domain = 'measured-purchase.com'
    const bought = await registrar.request('POST', '/v1/domains', { token: key, body: { domain } })
    assert.equal(bought.status, 200, bought.text)
    const absent = await registrar.request('GET', '/v1/domains/absent-here.com', { token: key })
    assert.equal(absent.status, 404)
    await registrar.request('GET', '/no-such-route')
    const now = await scrape()
    const grew = (name: string) => (now.get(name) ?? 0) - (before.get(name) ?? 0)
    const operation = 'agent_registrar_operation_duration_seconds_count'
    assert.equal(grew(`${operation}{operation="register_domain",surface="rest",status="2xx"}`), 1)
    assert.equal(grew(`${operation}{operation="get_domain",surface="rest",status="4xx"}`), 1)
    const commands = 'agent_registrar_registry_commands_total'
    const created = 'registry="thin",command="domain create",result="done",reason=""'
    assert.equal(grew(`${commands}{${created}}`), 1)
    const http = 'agent_registrar_http_request_duration_seconds_count'
    assert.equal(grew(`${http}{surface="none",status="4xx"}`), 1)
    assert.ok((now.get('agent_registrar_registry_sessions_budget{registry="thin"}') ?? 0) > 0)
    assert.equal(now.get('agent_registrar_registry_up{registry="thin"}'), 1)
    assert.equal(now.get('agent_registrar_database_up'), 1)
  })

  test('are counted where other systems are called, as a mail that is sent', async () => {
    const series =
      'agent_registrar_outbound_duration_seconds_count{peer="mail",call="send",result="sent"}'
    const sent = async () => (await scrape()).get(series) ?? 0
    const before = await sent()
    const { id } = await registrar.customer({ funds_cents: 0, contact: false })
    const path = `/v1/customers/${id}/password-setup`
    const asked = { token: registrar.operatorKey, body: {} }
    assert.ok((await registrar.request('POST', path, asked)).status < 300)
    while ((await sent()) === before) await new Promise((done) => setTimeout(done, 50))
    const success = 'agent_registrar_outbound_success_timestamp_seconds{peer="mail"}'
    assert.ok(Math.abs(((await scrape()).get(success) ?? 0) - Date.now() / 1_000) < 60)
  })

  test('over MCP are counted by operation, not by the status of the transport', async () => {
    const { key } = await registrar.customer({ funds_cents: 0 })
    const call = (name: string, args: object) =>
      registrar.request('POST', '/mcp', {
        token: key,
        headers: { accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      })
    const series =
      'agent_registrar_operation_duration_seconds_count' +
      '{operation="register_domain",surface="mcp",status="4xx"}'
    const before = (await scrape()).get(series) ?? 0
    const { status } = await call('register_domain', { domain: 'no-money-for-this.com' })
    assert.equal(status, 200)
    assert.equal((await scrape()).get(series), before + 1)
  })

  test('put no name, customer or address into a label', async () => {
    const { key, id } = await registrar.customer()
    const domain = 'secret-label-name.com'
    await registrar.request('POST', '/v1/domains', { token: key, body: { domain } })
    const names = [...(await scrape()).keys()].join('\n')
    for (const secret of [domain, id, key, 'example.net', '127.0.0.1'])
      assert.ok(!names.includes(secret), secret)
  })
})

describe('the gauges of the database', () => {
  test('show an order that waits for an operator, and its hold', async () => {
    const { key } = await registrar.customer()
    const { id } = await parkedOrderIn(registrar, { key, fault: 'drop_after' })
    await deleteSnapshot()
    const values = await scrape()
    assert.equal(values.get('agent_registrar_orders_open{state="parked"}'), 1)
    assert.equal(values.get('agent_registrar_orders_with_alarm{state="parked"}'), 1)
    assert.ok((values.get('agent_registrar_orders_oldest_seconds{state="parked"}') ?? 0) > 0)
    const [order] = await rows('select amount from orders where id = $1', [id])
    const held = values.get('agent_registrar_holds_amount{currency="USD"}') ?? 0
    assert.ok(held >= Number(order?.amount) / 100, String(held))
  })

  test('show due tasks, dead letters and failed jobs', async () => {
    await rows(
      `insert into tasks (kind, key, run_at)
       values ('measured_kind', 'a', now() - '1 hour'::interval),
              ('measured_kind', 'b', now() + '1 hour'::interval)`,
    )
    await rows(`insert into tasks (kind, key, dead_at) values ('measured_kind', 'c', now())`)
    await deleteSnapshot()
    const values = await scrape()
    assert.equal(values.get('agent_registrar_tasks_due{kind="measured_kind"}'), 1)
    const late_s = values.get('agent_registrar_tasks_late_seconds{kind="measured_kind"}') ?? 0
    assert.ok(late_s >= 3_600 && late_s < 3_700, String(late_s))
    assert.equal(values.get('agent_registrar_tasks_dead{kind="measured_kind"}'), 1)
    assert.equal(values.get('agent_registrar_job_failures{job="poll_registries"}'), 0)
    assert.equal(values.get('agent_registrar_worker_nodes'), 1)
    assert.equal(values.get('agent_registrar_jobs_stuck'), 0)
    await rows(`delete from tasks where kind = 'measured_kind'`)
  })

  test('show a job of one node that fails or does not end', async () => {
    await rows(
      `insert into worker_heartbeats (node_id, job_problems, at)
       values ('other', '[{"name": "send_mails", "failures": 4, "overdue": true}]',
               now() + '1 hour'::interval)`,
    )
    await deleteSnapshot()
    const values = await scrape()
    assert.equal(values.get('agent_registrar_job_failures{job="send_mails"}'), 4)
    assert.equal(values.get('agent_registrar_jobs_stuck'), 1)
    await rows(`delete from worker_heartbeats where node_id = 'other'`)
  })

  test('are left out, not zero, where nothing is known', async () => {
    await rows('delete from ledger_checks')
    await deleteSnapshot()
    const unknown = await scrape()
    assert.equal(unknown.get('agent_registrar_ledger_sound'), undefined)
    await rows(
      `insert into ledger_checks (began_at, finished_at, sound, differing)
       values (now() - '3 seconds'::interval, now(), false, 2)`,
    )
    await deleteSnapshot()
    const known = await scrape()
    assert.equal(known.get('agent_registrar_ledger_sound'), 0)
    assert.equal(known.get('agent_registrar_ledger_differences'), 2)
    await rows('delete from ledger_checks')
  })

  test('are read once in ten seconds, however many nodes are scraped at the same time', async () => {
    await deleteSnapshot()
    const all = Array.from({ length: 20 }, (_, i) => scrape(i % 2 === 0 ? registrar : node))
    await Promise.all(all)
    const taken = () => rows('select taken_at, claimed_at from metric_snapshots')
    const first = await taken()
    assert.equal(first.length, 1)
    const [other] = await Promise.all([scrape(node), scrape(registrar)])
    assert.deepEqual(await taken(), first)
    assert.equal(other.get('agent_registrar_orders_open{state="parked"}'), 1)
    assert.ok((other.get('agent_registrar_database_snapshot_age_seconds') ?? 99) < 10)
  })
})

test('an alarm is counted, and its line names its runbook', async () => {
  registrar.service.app.log.error(
    { alarm: 'task_dead', task: 'x' },
    'task failed permanently after its last attempt',
  )
  const values = await scrape()
  assert.equal(values.get('agent_registrar_alarms_total{alarm="task_dead"}'), 1)
  const line = registrar.logs.map((text) => JSON.parse(text)).find((one) => one.alarm)
  assert.equal(line?.runbook, 'docs/runbooks/task_dead.md')
})

test('without a database the rest is exported', async () => {
  const { app } = node.service
  const values = await scrape(node)
  assert.equal(values.get('agent_registrar_database_up'), 1)
  await app.db.close()
  const away = await scrape(node)
  assert.equal(away.get('agent_registrar_database_up'), 0)
  assert.equal(away.get('agent_registrar_orders_open{state="parked"}'), undefined)
  assert.ok((away.get('process_resident_memory_bytes') ?? 0) > 0)
})
