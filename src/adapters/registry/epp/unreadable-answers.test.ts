// Answers with characters that XML forbids, and answers that are not XML, to every kind of command:
// only their own text is lost, but no session and no message.

import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Sandbox } from '../../../../sandbox/registry/index.ts'
import { contact } from '../fixtures/port-harness.ts'
import { attempt, open, profileOf, startEmptySandbox } from '../fixtures/sandbox.ts'
import type { Outcome, Registry } from '../port.ts'

let sandbox: Sandbox
let registry: Registry
before(async () => {
  sandbox = await startEmptySandbox()
  registry = open({ ...profileOf(sandbox, 'thick'), sessions: 1 })
  assert.equal((await registry.putContact(contact, 'normal')).kind, 'done')
})
afterEach(() => sandbox.clearFaults())
after(async () => {
  await registry.close()
  await sandbox.close()
})

const fee = { currency: 'USD', amount: '5.00' }
const domain = 'odd-words.test'
const contacts = (['admin', 'tech'] as const).map((type) => ({ type, id: contact.id }))
const terms = { domain, period_years: 1, nameservers: [], registrant: contact.id, contacts }

const expiry = async () => {
  const read = await registry.read(domain, 'normal')
  return read.kind === 'done' ? read.value.expires_at.slice(0, 10) : assert.fail()
}
const locked = { add: ['clientTransferProhibited'], remove: [] }

/** The commands are in the order of a name's life. */
const commands: Record<string, () => Promise<Outcome<unknown>>> = {
  'contact:create': () => registry.putContact({ ...contact, id: 'odd-one' }, 'normal'),
  'domain:create': () =>
    registry.register({ ...terms, auth_info: 'aB3-odd-secret', fee }, attempt()),
  'domain:info': () => registry.read(domain, 'normal'),
  'host:check': () => registry.ensureHosts(['ns1.hosting.net'], 'normal'),
  'host:create': () => registry.ensureHosts(['ns2.hosting.net'], 'normal'),
  'host:info': () => registry.readGlue?.(['ns1.hosting.net'], 'normal') ?? assert.fail(),
  'domain:update': () => registry.update({ domain, statuses: locked }, attempt()),
  'domain:renew': async () =>
    registry.renew({ domain, cur_exp_date: await expiry(), period_years: 1, fee }, attempt()),
  poll: () => registry.poll(),
  'domain:delete': () => registry.delete(domain, attempt()),
}

for (const [command, send] of Object.entries(commands))
  test(`${command}: a form feed in the answer changes nothing but the words`, async () => {
    sandbox.setFault({ name: 'strange_text', command, times: null })
    const opened = sandbox.counters().thick.sessions.opened
    const outcome = await send()
    assert.ok(outcome.kind === 'done' || outcome.kind === 'accepted', JSON.stringify(outcome))
    assert.equal(sandbox.counters().thick.sessions.opened, opened, 'the session stays')
  })

test('a check, and a refusal, with a form feed say the same as without', async () => {
  sandbox.setFault({ name: 'strange_text', times: null })
  const [checked] = await registry.check(['odd-free.test'], { priority: 'normal', fees: true })
  assert.equal(checked?.available, true)
  const refused = await registry.read('odd-absent.test', 'normal')
  assert.equal(refused.kind === 'refused' && refused.reason, 'absent')
  assert.match(refused.kind === 'refused' ? refused.message : '', /^a\ufffdb/)
})

test('a log-in and a hello that are answered with a form feed are answered', async () => {
  for (const command of ['login', 'hello'])
    sandbox.setFault({ name: 'strange_text', command, times: null })
  const other = open({ ...profileOf(sandbox, 'thick'), idle_s: 0.2 })
  assert.equal((await other.read('odd-absent.test', 'normal')).kind, 'refused')
  assert.equal(other.health().state, 'up')
  await other.close()
})

test('an answer that is no XML is silence, or asked for again, and its session stays', async () => {
  const bought = { ...terms, domain: 'odd-unclosed.test', auth_info: 'aB3-odd-secret', fee }
  sandbox.setFault({ name: 'unclosed', command: 'domain:create' })
  const opened = sandbox.counters().thick.sessions.opened
  const outcome = await registry.register(bought, attempt())
  assert.equal(outcome.kind === 'unknown' && outcome.cause, 'silence')
  sandbox.setFault({ name: 'unclosed', command: 'domain:info' })
  assert.equal((await registry.read('odd-unclosed.test', 'normal')).kind, 'done')
  sandbox.setFault({ name: 'unclosed', command: 'domain:info', times: null })
  const unread = await registry.read('odd-unclosed.test', 'normal')
  assert.equal(unread.kind === 'unknown' && unread.cause, 'silence')
  assert.equal(sandbox.counters().thick.sessions.opened, opened)
})
