// The port over EPP: the shared port test on both of the sandbox's registries, and the properties
// of EPP alone.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startEppHarness } from '../fixtures/epp-harness.ts'
import { contact, orderOf, refused, usd, value } from '../fixtures/port-harness.ts'
import { portSuite } from '../fixtures/port-suite.ts'
import { attempt, open, rivalOf } from '../fixtures/sandbox.ts'

const [atThin, atThick] = await Promise.all([startEppHarness('thin'), startEppHarness('thick')])
const { sandbox, registry: thin } = atThin
const thick = atThick.registry
const rival = open(rivalOf(sandbox, 'thin'))
after(async () => {
  await rival.close()
  await Promise.all([atThin.close(), atThick.close()])
})

portSuite(atThin)
portSuite(atThick)

const bare = (domain: string) => orderOf(atThin, domain)

test('a name deleted in its first days is gone at once', async () => {
  const domain = 'short-lived.com'
  value(await thin.register(await bare(domain), attempt()))
  value(await thin.delete(domain, attempt()))
  assert.deepEqual(refused(await thin.read(domain, 'normal')), ['absent', 2303])
})

test('a check over more names than a command takes is cut into commands', async () => {
  const names = Array.from({ length: 120 }, (_, i) => `cut-${i}.com`)
  const before = sandbox.counters().thin.commands['domain:check']?.received ?? 0
  const checked = await thin.check(names, { priority: 'normal', fees: true })
  assert.ok(checked.every(({ available }) => available))
  assert.equal(sandbox.counters().thin.commands['domain:check']?.received, before + 3)
})

test('text that XML cannot represent is refused before anything is sent', async () => {
  const made = await thin.register(await bare('a\u0000.com'), attempt())
  assert.deepEqual(refused(made), ['bad_request', null])
})

test('a thick registry gets contacts and hosts first, and both may be repeated', async () => {
  assert.deepEqual(value(await thick.putContact(contact, 'normal')), { id: 'c-0001' })
  const polish = { ...contact, name: 'Żaneta Łoś', city: 'Łódź', organization: null }
  assert.deepEqual(value(await thick.putContact(polish, 'normal')), { id: 'c-0001' })
  const hosts = ['ns1.elsewhere.net', 'NS2.elsewhere.net', 'ns1.elsewhere.net']
  value(await thick.ensureHosts(hosts, 'normal'))
  value(await thick.ensureHosts(hosts, 'normal'))
  const contacts = (['admin', 'tech', 'billing'] as const).map((type) => ({ type, id: 'c-0001' }))
  const command = {
    ...(await orderOf(atThick, 'with-people.io')),
    nameservers: ['ns1.elsewhere.net', 'ns2.elsewhere.net'],
    registrant: 'c-0001',
    contacts,
  }
  value(await thick.register(command, attempt()))
  const shown = value(await thick.read('with-people.io', 'normal'))
  assert.equal(shown.registrant, 'c-0001')
  assert.deepEqual(shown.nameservers.sort(), ['ns1.elsewhere.net', 'ns2.elsewhere.net'])
  assert.deepEqual(shown.contacts.map(({ type }) => type).sort(), ['admin', 'billing', 'tech'])
  const inside = await thick.ensureHosts(['ns1.unregistered-name.io'], 'normal')
  assert.deepEqual(refused(inside), ['absent', 2303])
})

test('a transfer out and in arrives in the message queue', async () => {
  const domain = 'travelling.com'
  value(await rival.register(await bare(domain), attempt()))
  sandbox.advanceClock(61 * 86_400_000)
  const command = { domain, auth_info: 'aB3-random-secret', period_years: 1, fee: usd('9.59') }
  assert.equal((await thin.transferRequest(command, attempt())).kind, 'accepted')
  value(await rival.transferApprove(domain, attempt()))
  const message = value(await thin.poll())
  assert.ok(message?.about.kind === 'transfer')
  assert.equal(message.about.transfer.status, 'clientApproved')
  assert.match(message.raw, /trnData/)
  value(await thin.ack(message.id))
  value(await thin.ack(message.id))
})
