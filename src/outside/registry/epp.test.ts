// The whole port over EPP against the sandbox's registries, as it goes when nothing goes wrong.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Sandbox } from '../../../sandbox/registry/index.ts'
import { attempt, open, profileOf, rivalOf, startEmptySandbox } from './fixtures/sandbox.ts'
import type { Outcome, Registry, RegistryContact } from './port.ts'

let sandbox: Sandbox
let thin: Registry
let thick: Registry
let rival: Registry
before(async () => {
  sandbox = await startEmptySandbox()
  thin = open(profileOf(sandbox, 'thin'))
  thick = open(profileOf(sandbox, 'thick'))
  rival = open(rivalOf(sandbox, 'thin'))
})
after(async () => {
  await Promise.all([thin.close(), thick.close(), rival.close()])
  await sandbox.close()
})

function value<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') assert.fail(JSON.stringify(outcome))
  return outcome.value
}

function refused(outcome: Outcome<unknown>): [string, number | null] {
  if (outcome.kind !== 'refused') assert.fail(JSON.stringify(outcome))
  return [outcome.reason, outcome.code]
}

const contact: RegistryContact = {
  id: 'c-0001',
  name: 'Zaneta Los',
  organization: 'Los & Co <x>',
  street: ['Piotrkowska 1'],
  city: 'Lodz',
  state: null,
  postal_code: '90-001',
  country_code: 'PL',
  voice: '+48.501234567',
  email: 'z@example.com',
  auth_info: 'cOntact-auth-1',
}
const usd = (amount: string) => ({ currency: 'USD', amount })

function bare(domain: string, amount: string, period_years = 1) {
  return {
    domain,
    period_years,
    nameservers: ['ns1.hosting.net', 'ns2.hosting.net'],
    registrant: null,
    contacts: [],
    auth_info: 'aB3-random-secret',
    fee: usd(amount),
  }
}

test('a check keeps the order over its parts, with reasons, premiums and fees', async () => {
  const names = [
    'google.com',
    ...Array.from({ length: 120 }, (_, i) => `free-name-${i}.com`),
    'Nic.com',
    'gold.net',
  ]
  const checked = await thin.check(names, { priority: 'normal', fees: true })
  assert.deepEqual(
    checked.map(({ domain }) => domain),
    names,
  )
  assert.deepEqual([checked[0]?.available, checked[0]?.reason], [false, 'registered'])
  assert.deepEqual(checked[1], {
    domain: 'free-name-0.com',
    available: true,
    reason: null,
    premium: false,
    fees: { currency: 'USD', create: '9.59', renew: '9.59', transfer: null, restore: null },
    unreachable: false,
  })
  assert.deepEqual([checked.at(-2)?.available, checked.at(-2)?.reason], [false, 'reserved'])
  const gold = checked.at(-1)
  assert.deepEqual([gold?.available, gold?.premium, gold?.fees?.create], [true, true, '150.00'])
  const [plain] = await thin.check(['free-name-0.com'], { priority: 'normal', fees: false })
  assert.equal(plain?.fees, null)
})

test('one name that the registry cannot take leaves its neighbours known', async () => {
  const names = ['good-one.com', 'bad_name.com', 'good-two.com', 'x.other']
  const checked = await thin.check(names, { priority: 'normal', fees: false })
  assert.equal(checked[0]?.available, true)
  assert.equal(checked[2]?.available, true)
  assert.deepEqual([checked[1]?.available, checked[1]?.unreachable], [null, true])
})

test('prices come by TLD, for all four verbs', async () => {
  const found = await thick.prices(['io', 'xyz', 'com'])
  assert.deepEqual(found.get('io'), {
    currency: 'USD',
    create: '32.00',
    renew: '45.00',
    transfer: '45.00',
    restore: '90.00',
  })
  assert.equal(found.get('xyz')?.create, '2.00')
  assert.equal(found.has('com'), false)
})

test('register, read, renew and delete on a thin registry', async () => {
  const once = attempt()
  const made = await thin.register(bare('first-buy.com', '9.59'), once)
  const { created_at, expires_at } = value(made)
  assert.deepEqual(once.steps, ['connected', 'frame_written', 'reply_read'])
  assert.equal(Date.parse(expires_at) > Date.parse(created_at), true)
  const shown = value(await thin.read('first-buy.com', 'normal'))
  assert.deepEqual(shown.nameservers.sort(), ['ns1.hosting.net', 'ns2.hosting.net'])
  assert.deepEqual([shown.sponsor, shown.rgp_statuses], ['registrar-a', ['addPeriod']])
  const cur_exp_date = expires_at.slice(0, 10)
  const renewal = { domain: 'first-buy.com', cur_exp_date, period_years: 2, fee: usd('19.18') }
  const renewed = value(await thin.renew(renewal, attempt()))
  assert.equal(Number(renewed.expires_at.slice(0, 4)), Number(expires_at.slice(0, 4)) + 2)
  assert.deepEqual(refused(await thin.renew(renewal, attempt())), ['fee_mismatch', 2004])
  assert.deepEqual(refused(await thin.renew({ ...renewal, domain: 'not-there.com' }, attempt())), [
    'absent',
    2303,
  ])
  value(await thin.delete('first-buy.com', attempt()))
  assert.deepEqual(refused(await thin.read('first-buy.com', 'normal')), ['absent', 2303])
})

test('refusals of a purchase have their reasons', async () => {
  const buy = (domain: string, amount: string, more = {}) =>
    thin.register({ ...bare(domain, amount), ...more }, attempt())
  assert.deepEqual(refused(await buy('google.com', '9.59')), ['exists', 2302])
  assert.deepEqual(refused(await buy('fee-low.com', '9.58')), ['fee_mismatch', 2004])
  assert.deepEqual(refused(await buy('diamond.com', '1', { fee: null })), ['fee_required', 2003])
  assert.deepEqual(refused(await buy('nic.com', '9.59')), ['policy', 2306])
  assert.deepEqual(refused(await buy('a\u0000.com', '9.59')), ['bad_request', null])
  assert.deepEqual(
    refused(await buy('fee-eur.com', '9.59', { fee: { currency: 'EUR', amount: '9.59' } })),
    ['bad_request', null],
  )
  assert.equal(sandbox.lookup('fee-low.com'), null)
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
    ...bare('with-people.io', '32.00'),
    nameservers: ['ns1.elsewhere.net', 'ns2.elsewhere.net'],
    registrant: 'c-0001',
    contacts,
  }
  value(await thick.register(command, attempt()))
  const shown = value(await thick.read('with-people.io', 'normal'))
  assert.equal(shown.registrant, 'c-0001')
  assert.deepEqual(shown.nameservers.sort(), ['ns1.elsewhere.net', 'ns2.elsewhere.net'])
  assert.deepEqual(shown.contacts.map(({ type }) => type).sort(), ['admin', 'billing', 'tech'])
  const inside = await thick.ensureHosts(['ns1.nobody-has-this.io'], 'normal')
  assert.deepEqual(refused(inside), ['absent', 2303])
})

test('updates set and take away name servers, statuses and the authInfo', async () => {
  const domain = 'changing.org'
  value(await thin.register(bare(domain, '10.11'), attempt()))
  const change = {
    domain,
    nameservers: { add: ['ns9.hosting.net'], remove: ['ns1.hosting.net'] },
    statuses: { add: ['clientTransferProhibited'], remove: [] },
    auth_info: 'Fresh-Code-0123456789',
  }
  value(await thin.update(change, attempt()))
  const shown = value(await thin.read(domain, 'normal'))
  assert.deepEqual(shown.nameservers.sort(), ['ns2.hosting.net', 'ns9.hosting.net'])
  assert.ok(shown.epp_statuses.includes('clientTransferProhibited'))
  value(await thin.update({ domain }, attempt()))
  value(await thin.update({ domain, auth_info: null }, attempt()))
  const again = { domain, statuses: change.statuses }
  assert.deepEqual(refused(await thin.update(again, attempt())), ['policy', 2306])
  const server = { domain, statuses: { add: ['serverHold'], remove: [] } }
  assert.deepEqual(refused(await thin.update(server, attempt())), ['bad_request', null])
})

test('a transfer in is accepted, and done when the queue says so', async () => {
  const command = {
    domain: 'old-harbour.com',
    auth_info: 'Seeded-2Move',
    period_years: 1,
    fee: usd('9.59'),
  }
  const wrong = { ...command, auth_info: 'nope-nope' }
  assert.deepEqual(refused(await thin.transferRequest(wrong, attempt())), ['bad_auth_code', 2202])
  const asked = await thin.transferRequest(command, attempt())
  assert.equal(asked.kind, 'accepted')
  const again = await thin.transferRequest(command, attempt())
  assert.deepEqual(refused(again), ['pending_transfer', 2300])
  const seen = value(await thin.transferQuery(command.domain, 'normal'))
  assert.deepEqual([seen.status, seen.requested_by], ['pending', 'registrar-a'])
  value(await rival.transferApprove(command.domain, attempt()))
  assert.equal(value(await thin.read(command.domain, 'normal')).sponsor, 'registrar-a')
  const message = value(await thin.poll())
  assert.ok(message?.about.kind === 'transfer')
  assert.equal(message.about.transfer.status, 'clientApproved')
  assert.match(message.raw, /trnData/)
  value(await thin.ack(message.id))
  value(await thin.ack(message.id))
})

test('a transfer can be cancelled by us and rejected by the other', async () => {
  const request = (domain: string) =>
    thin.transferRequest(
      { domain, auth_info: 'Seeded-2Move', period_years: null, fee: usd('9.59') },
      attempt(),
    )
  assert.equal((await request('paper-lantern.com')).kind, 'accepted')
  const cancelled = value(await thin.transferCancel('paper-lantern.com', attempt()))
  assert.equal(cancelled.status, 'clientCancelled')
  assert.equal((await request('quiet-river.com')).kind, 'accepted')
  const rejected = value(await rival.transferReject('quiet-river.com', attempt()))
  assert.equal(rejected.status, 'clientRejected')
  const message = value(await thin.poll())
  assert.ok(message?.about.kind === 'transfer')
  assert.equal(message.about.transfer.status, 'clientRejected')
  value(await thin.ack(message.id))
})

test("another registrar's name is not ours, and its protected name not for moving", async () => {
  const theirs = await thin.read('google.com', 'normal')
  assert.equal(refused(theirs)[0], 'not_ours')
  assert.deepEqual(refused(await thin.delete('google.com', attempt())), ['not_ours', 2201])
})

test('a deleted name is accepted into redemption, restored and reported', async () => {
  const domain = 'comes-back.dev'
  value(await thin.register(bare(domain, '10.00'), attempt()))
  const deleted_at = new Date(sandbox.now()).toISOString()
  sandbox.advanceClock(6 * 86_400_000)
  assert.equal((await thin.delete(domain, attempt())).kind, 'accepted')
  const gone = value(await thin.read(domain, 'normal'))
  assert.ok(gone.epp_statuses.includes('pendingDelete'))
  assert.deepEqual(gone.rgp_statuses, ['redemptionPeriod'])
  const cheap = await thin.restore({ domain, fee: usd('1.00') }, attempt())
  assert.deepEqual(refused(cheap), ['fee_mismatch', 2004])
  value(await thin.restore({ domain, fee: usd('80.00') }, attempt()))
  const waiting = value(await thin.read(domain, 'normal'))
  assert.deepEqual(waiting.rgp_statuses, ['pendingRestore'])
  const report = { before: 'as it was', after: 'as it was', reason: 'Deleted by mistake' }
  const restored_at = new Date(sandbox.now()).toISOString()
  value(await thin.restoreReport({ domain, deleted_at, restored_at, ...report }, attempt()))
  assert.ok(!value(await thin.read(domain, 'normal')).epp_statuses.includes('pendingDelete'))
})

test('an empty queue is done with null, and health tells what stands', async () => {
  let left = value(await thick.poll())
  while (left) {
    value(await thick.ack(left.id))
    left = value(await thick.poll())
  }
  assert.equal(left, null)
  const { state, sessions, last_error } = thick.health()
  assert.deepEqual([state, sessions > 0, last_error], ['up', true, null])
})
