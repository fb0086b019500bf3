// Messages that cannot be read, in part or at all: each is stored and taken off, those behind it
// are handled, and a queue that cannot be read is polled at growing intervals, with an alarm.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { startService } from '../../../../test/support/service.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { pollRegistries } from './poll-messages.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const { app, sandbox } = registrar
afterEach(() => sandbox.clearFaults())
const owner = await registrar.customer()

const messagesOf = (domain: string) =>
  registrar.query('select * from registry_messages where domain = $1 order by id', [domain])
const alarms = (name: string) => registrar.logs.filter((line) => line.includes(`"${name}"`))

/** Two names that the registry has renewed, with a message for each. */
async function renewed(...names: string[]): Promise<void> {
  await registrar.run(pollRegistries)
  for (const name of names) await registrar.buys(owner, name)
  await registrar.days(366)
}

async function registryExpiry(domain: string): Promise<string> {
  const [row] = await registrar.query('select registry_expiry from domains where name = $1', [
    domain,
  ])
  return Object(row).registry_expiry.toISOString()
}

test('a message with a form feed is handled, and only its words are spoilt', async () => {
  const names = ['odd-words-1.com', 'odd-words-2.com']
  await renewed(...names)
  sandbox.setFault({ name: 'strange_text', command: 'poll', times: null })
  await registrar.run(pollRegistries)
  for (const name of names) {
    const [row] = await messagesOf(name)
    assert.equal(row?.kind, 'renewal')
    assert.equal(row?.recognized, true)
    assert.match(String(row?.text), /^a\ufffdb/)
    assert.match(String(row?.raw), /a\fb/)
    assert.ok(row?.handled_at && row.acked_at)
  }
})

test('a message that is no XML is stored raw, taken off with an alarm, and its domain is read', async () => {
  const names = ['no-xml-1.com', 'no-xml-2.com']
  await renewed(...names)
  const before = await Promise.all(names.map(registryExpiry))
  sandbox.setFault({ name: 'unclosed', command: 'poll', times: null })
  await registrar.run(pollRegistries)
  for (const [at, name] of names.entries()) {
    const [row] = await messagesOf(name)
    assert.equal(row?.kind, 'other')
    assert.equal(row?.recognized, false)
    assert.match(String(row?.raw), /<domain:renData/)
    assert.ok(row?.handled_at && row.acked_at)
    assert.notEqual(await registryExpiry(name), before[at])
  }
  const unknown = await registrar.query('select from registry_messages where not recognized')
  assert.equal(alarms('registry_message_unknown').length, unknown.length)
  assert.equal(alarms('poll_unanswered').length, 0)
})

test('a queue that gives nothing readable costs few log-ins, and raises an alarm until it does', async () => {
  const domain = 'unread-queue.com'
  await renewed(domain)
  sandbox.setFault({ name: 'garbage', registry: 'thin', command: 'poll', times: null })
  let now_ms = 0
  const later = { ...app, monotonic_ms: () => now_ms }
  const opened = sandbox.counters().thin.sessions.opened
  for (; now_ms < 600_000; now_ms += 2_000) await registrar.run(pollRegistries, later)
  const log_ins = sandbox.counters().thin.sessions.opened - opened
  assert.ok(log_ins > 5 && log_ins < 40, `${log_ins} log-ins in ten minutes`)
  assert.ok(alarms('poll_unanswered').length >= 5)
  sandbox.clearFaults()
  now_ms += 60_000
  await registrar.run(pollRegistries, later)
  assert.equal((await messagesOf(domain)).length, 1)
  const raised = alarms('poll_unanswered').length
  sandbox.setFault({ name: 'garbage', registry: 'thin', command: 'poll' })
  await registrar.run(pollRegistries, later)
  assert.equal(alarms('poll_unanswered').length, raised, 'one answer ends the count')
})
