// The sandbox's time and faults over HTTP, on two nodes of one database.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { startSandbox } from '../../../sandbox/registry/index.ts'
import { newDatabase } from '../../../test/support/database.ts'
import { startService } from '../../../test/support/service.ts'
import { testPipeline } from '../../../test/support/test-pipeline.ts'
import { openSandboxControl } from '../../adapters/registry/sandbox-control.ts'
import { openCalendar } from '../../kit/clock.ts'
import { operations } from './index.ts'

const day_ms = 86_400_000
const database_url = await newDatabase('template_of_tests')
const sandbox = await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR })
const registrar = await startService({ sandbox, database_url })
const other = await startService({ sandbox, database_url })
const production = await startService({
  sandbox,
  settings: { ENVIRONMENT: 'production', MAIL_FROM: 'us@example.net' },
})
after(() => sandbox.close())

const token = registrar.operatorKey
const jump = (body: object) => registrar.request('POST', '/v1/sandbox/clock', { token, body })

function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 10_000, `${actual}, not about ${expected}`)
}

test('a jump moves the registries, the service on every node, and wakes jobs', async () => {
  const { calendar, db } = other.service.app
  const notified = Promise.withResolvers<number>()
  const stopListening = await db.listen('sandbox_clock', {
    // A job that wakes on the channel finds its node's calendar moved already.
    notified: () => notified.resolve(calendar.now().getTime()),
    reconnected: () => undefined,
  })
  const before = sandbox.now()
  const { status, body } = await jump({ advance: 'P30D' })
  assert.equal(status, 200)
  assertNear(sandbox.now(), before + 30 * day_ms)
  assertNear(Date.parse(body.now), sandbox.now())
  assertNear(body.offset_ms, 30 * day_ms)
  assertNear(await notified.promise, sandbox.now())
  for (const { service } of [registrar, other]) {
    assertNear(service.app.calendar.now().getTime(), sandbox.now())
    // Two readings of one clock may differ that much (calendar.ts).
    const noise_ms = 2_000
    const ahead_ms = service.app.calendar.now().getTime() - sandbox.now()
    assert.ok(ahead_ms < noise_ms, `${ahead_ms} ms ahead of the registries`)
    assertNear(service.app.clock.now().getTime(), Date.now())
  }
  await stopListening()
})

test('a jump takes milliseconds, a moment or calendar months', async () => {
  const at = sandbox.now()
  assertNear(Date.parse((await jump({ advance_ms: 5 * day_ms })).body.now), at + 5 * day_ms)
  const to = new Date(at + 400 * day_ms).toISOString()
  assertNear(Date.parse((await jump({ to })).body.now), at + 400 * day_ms)
  const local = to.replace('Z', '+00:00')
  assert.equal((await jump({ to: local })).status, 409, 'it is past already')
  const year = new Date(sandbox.now()).getUTCFullYear()
  const { body } = await jump({ advance: 'P1Y' })
  assert.equal(new Date(body.now).getUTCFullYear(), year + 1)
})

test('a registration is dated by the time that it was moved to', async () => {
  const customer = await registrar.customer()
  const body = { domain: 'dated.com' }
  const bought = await registrar.request('POST', '/v1/domains', { token: customer.key, body })
  assert.equal(bought.status, 200, bought.text)
  const years = new Date(bought.body.expiry).getUTCFullYear()
  assert.equal(years, new Date(sandbox.now()).getUTCFullYear() + 1)
})

test('refuses to move time back, and moves nothing then', async () => {
  const before = sandbox.now()
  const { status, body } = await jump({ to: new Date(before - day_ms).toISOString() })
  assert.equal(status, 409)
  assert.equal(body.code, 'clock_backwards')
  assertNear(Date.parse(body.now), before)
  assertNear(sandbox.now(), before)
  const negative = await jump({ advance_ms: -1 })
  assert.equal(negative.status, 422)
  assert.deepEqual(negative.body.detail[0].loc, ['body', 'advance_ms'])
})

test('requires exactly one valid form of the jump, before the year 2200', async () => {
  const wrong: [object, (string | number)[]][] = [
    [{}, ['body']],
    [{ advance: 'P1D', advance_ms: 1 }, ['body']],
    [{ advance: '30 days' }, ['body', 'advance']],
    [{ advance: 'P300Y' }, ['body', 'advance']],
    [{ advance: 'P99999Y' }, ['body', 'advance']],
    [{ advance_ms: 2 ** 43 - 1 }, ['body', 'advance_ms']],
    [{ to: '2200-01-02T00:00:00Z' }, ['body', 'to']],
    [{ to: 'tomorrow' }, ['body', 'to']],
  ]
  const before = sandbox.now()
  for (const [body, loc] of wrong) {
    const answer = await jump(body)
    assert.equal(answer.status, 422, `${JSON.stringify(body)} ${answer.text}`)
    assert.deepEqual(answer.body.detail[0].loc, loc, answer.text)
  }
  assertNear(sandbox.now(), before)
})

test('two jumps at once both count', async () => {
  const before = sandbox.now()
  const body = { advance: 'P10D' }
  const answers = await Promise.all([
    jump(body),
    other.request('POST', '/v1/sandbox/clock', { token, body }),
  ])
  for (const { status } of answers) assert.equal(status, 200)
  assertNear(sandbox.now(), before + 20 * day_ms)
  const latest = Math.max(...answers.map((one) => Date.parse(one.body.now)))
  assertNear(latest, sandbox.now())
  await jump({ advance_ms: 0 })
  assertNear(registrar.service.app.calendar.now().getTime(), sandbox.now())
})

test('faults are armed by name, listed with what they do, and cleared; what is unknown is 422', async () => {
  const faults = (method: string, body?: object) =>
    registrar.request(method, '/v1/sandbox/faults', { token, ...(body ? { body } : {}) })
  const fault = { name: 'fail_2400', command: 'domain:create', domain: 'faulty.com', times: null }
  const armed = await faults('POST', fault)
  assert.equal(armed.status, 200, armed.text)
  const listed = await faults('GET')
  assert.deepEqual(listed.body, armed.body)
  assert.deepEqual(listed.body.armed, [fault])
  assert.ok(listed.body.known.some(({ name }: { name: string }) => name === 'drop_after'))
  const customer = await registrar.customer()
  const body = { domain: 'faulty.com' }
  const bought = await registrar.request('POST', '/v1/domains', { token: customer.key, body })
  assert.equal(bought.body.operation?.state, 'unknown', bought.text)
  assert.deepEqual((await faults('DELETE')).body.armed, [])
  const unknown = await faults('POST', { name: 'no_such_fault' })
  assert.equal(unknown.status, 422)
  assert.match(unknown.body.detail[0].msg, /drop_after/)
})

test('the sandbox reseller is on the same time, and has faults of its own', async () => {
  const fault = { name: 'maintenance', registry: 'openprovider', command: 'domain:create' }
  const options = { token, body: fault }
  const { status, body } = await registrar.request('POST', '/v1/sandbox/faults', options)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(sandbox.openprovider.faults(), [{ ...fault, times: 1 }].map(withoutRegistry))
  assert.equal(body.armed[0].name, 'maintenance')
  await registrar.request('DELETE', '/v1/sandbox/faults', { token })
  assert.deepEqual(sandbox.openprovider.faults(), [])
  const customer = await registrar.customer()
  const domain = { domain: 'same-time.shop' }
  const bought = await registrar.request('POST', '/v1/domains', {
    token: customer.key,
    body: domain,
  })
  assert.equal(bought.status, 200, bought.text)
  const year = new Date(sandbox.now()).getUTCFullYear()
  assert.equal(new Date(bought.body.expiry).getUTCFullYear(), year + 1)
})

function withoutRegistry({ registry: _, ...fault }: { registry: string }) {
  return fault
}

test('operator actions on the sandbox are in the audit log', async () => {
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  const { rows } = await client.query(
    `select action, result, status_code, actor_type, metadata from audit_logs
      where target_type = 'sandbox' order by id`,
  )
  await client.end()
  const [first] = rows
  assert.equal(first.action, 'move_sandbox_clock')
  assert.deepEqual(
    [first.result, first.status_code, first.actor_type],
    ['success', 200, 'operator'],
  )
  assert.equal(first.metadata.advanced_ms, 30 * day_ms)
  const seen = new Set(rows.map(({ action, result }) => `${action} ${result}`))
  for (const words of ['move_sandbox_clock failed', 'arm_sandbox_fault success'])
    assert.ok(seen.has(words), words)
  assert.ok(seen.has('clear_sandbox_faults success'))
})

test('does not exist in production, where time is the system’s', async () => {
  const options = { token, body: { advance: 'P1D' } }
  const answers = await Promise.all([
    production.request('POST', '/v1/sandbox/clock', options),
    production.request('GET', '/v1/sandbox/faults', { token }),
    production.request('DELETE', '/v1/sandbox/faults', { token }),
  ])
  for (const { status, body } of answers)
    assert.deepEqual([status, body.code], [404, 'route_not_found'])
  const { body } = await production.request('GET', '/openapi.json')
  assert.deepEqual(
    Object.keys(body.paths).filter((path) => path.includes('sandbox')),
    [],
  )
  assert.equal(production.service.app.sandbox, null)
  assertNear(production.service.app.calendar.now().getTime(), Date.now())
})

test('a control that is silent or unknown is 503, and nothing moves', async () => {
  const silent = openSandboxControl({ url: 'http://127.0.0.1:1', token: 'x' })
  for (const sandbox of [null, { control: silent, calendar: openCalendar() }]) {
    const pipeline = await testPipeline({ operations, app: { sandbox } })
    for (const at of ['POST /v1/sandbox/clock', 'GET /v1/sandbox/faults']) {
      const given = at.startsWith('POST') ? { body: { advance: 'P1D' } } : {}
      const { status, body, headers } = await pipeline.call(at, {
        token: pipeline.operator,
        ...given,
      })
      assert.deepEqual([status, body.code], [503, 'sandbox_unreachable'])
      assert.ok(Number(headers['Retry-After']) > 0)
    }
    const [row] = await pipeline.db.query('select offset_ms from sandbox_clock')
    assert.equal(row?.offset_ms, 0n)
  }
})
