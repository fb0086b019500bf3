// The port over Openprovider: the shared port test, and the properties of Openprovider alone.
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { pino } from 'pino'
import {
  openReseller,
  resellerProfile,
  startOpenproviderHarness,
} from '../fixtures/openprovider-harness.ts'
import { bought, contact, hosts, orderOf, refused, usd, value } from '../fixtures/port-harness.ts'
import { portSuite } from '../fixtures/port-suite.ts'
import { attempt } from '../fixtures/sandbox.ts'
import { openOpenproviderRegistry } from './openprovider.ts'

const harness = await startOpenproviderHarness()
const { registry, sandbox } = harness
const { openprovider } = sandbox
after(() => harness.close())
afterEach(() => {
  openprovider.clearFaults()
  Object.assign(openprovider.settings, { create_takes_ms: 0, restore_takes_ms: 0 })
})

portSuite(harness)

const received = (command: string) => openprovider.counters().commands[command]?.received ?? 0
const kinds = (domain: string) => harness.effects(domain).map(({ kind }) => kind)

test('one log-in serves many requests at once, until its token is no longer accepted', async () => {
  const fresh = harness.open('as it is')
  const before = received('login')
  const names = Array.from({ length: 60 }, (_, i) => `many-${i}.shop`)
  const checked = await fresh.check(names, { priority: 'normal', fees: false })
  assert.ok(checked.every(({ available }) => available))
  assert.equal(received('login'), before + 1)
  sandbox.advanceClock(3 * 86_400_000)
  const again = await fresh.check(names, { priority: 'normal', fees: false })
  assert.ok(again.every(({ available }) => available))
  assert.equal(received('login'), before + 2)
  await fresh.close()
})

test('logs in again when its token is no longer accepted at a renewal, and renews once', async () => {
  const { domain, expires_at } = await bought(harness, 'forgotten')
  openprovider.setFault({ name: 'purge_token', command: 'domain:renew' })
  const once = attempt()
  const renewal = { domain, cur_exp_date: expires_at.slice(0, 10), period_years: 1, fee: null }
  value(await registry.renew(renewal, once))
  assert.deepEqual(kinds(domain), ['create', 'renew'])
  const steps = ['connected', 'frame_written', 'reply_read']
  assert.deepEqual(once.steps, [...steps, ...steps])
})

test('a refused log-in is not tried again at once', async () => {
  const lame = harness.open('wrong password')
  const before = received('login')
  for (let i = 0; i < 5; i += 1) {
    const read = await lame.read('any.shop', 'normal')
    assert.equal(read.kind === 'unknown' && read.cause, 'authentication')
  }
  assert.equal(received('login'), before + 1)
  await lame.close()
})

test('neither password nor token nor transfer code is ever logged', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const profile = resellerProfile(sandbox)
  const recording = openOpenproviderRegistry(profile, { log })
  const { domain } = await bought(harness, 'unheard-of')
  value(await recording.renewAuthInfo({ domain, wanted: '' }, attempt()))
  openprovider.setFault({ name: 'fail_500', times: null })
  await recording.read(domain, 'normal')
  await recording.close()
  assert.ok(lines.length > 0)
  for (const secret of [profile.password, harness.transferCode(domain), 'Bearer'])
    assert.ok(!lines.join('').includes(secret))
})

test('a renewal that failed with an HTTP 500 may have been done, and is not sent again', async () => {
  const { domain, expires_at } = await bought(harness, 'lost-in-between')
  openprovider.setFault({ name: 'lost_500', command: 'domain:renew' })
  const renewal = { domain, cur_exp_date: expires_at.slice(0, 10), period_years: 1, fee: null }
  const lost = await registry.renew(renewal, attempt())
  assert.equal(lost.kind === 'unknown' && lost.cause, 'server_failed')
  assert.deepEqual(kinds(domain), ['create', 'renew'])
  assert.equal(refused(await registry.renew(renewal, attempt()))[0], 'expiry_mismatch')
  assert.deepEqual(kinds(domain), ['create', 'renew'])
})

test('sends no renewal when the read before it fails', async () => {
  const { domain, expires_at } = await bought(harness, 'not-looked-at')
  const renewal = { domain, cur_exp_date: expires_at.slice(0, 10), period_years: 1, fee: null }
  for (const name of ['drop_before', 'maintenance'] as const) {
    openprovider.setFault({ name, command: 'domain:info', times: null })
    const once = attempt()
    const outcome = await registry.renew(renewal, once)
    openprovider.clearFaults()
    assert.deepEqual([outcome.kind === 'unknown' && outcome.cause, once.steps], ['not_sent', []])
  }
  assert.deepEqual(kinds(domain), ['create'])
})

test('a premium name is bought at the price that was agreed to, and at no other', async () => {
  const command = { ...(await orderOf(harness, 'gold.store')), fee: usd('149.99') }
  assert.equal(refused(await registry.register(command, attempt()))[0], 'fee_mismatch')
  value(await registry.register({ ...command, fee: usd('150.00') }, attempt()))
  assert.deepEqual(kinds('gold.store'), ['create'])
})

test('a registration that takes its time is accepted, pending, and then there', async () => {
  openprovider.settings.create_takes_ms = 3_600_000
  const command = await orderOf(harness, 'takes-its-time.shop')
  assert.equal((await registry.register(command, attempt())).kind, 'accepted')
  const { domain } = command
  const pending = value(await registry.read(domain, 'normal'))
  assert.deepEqual(pending.epp_statuses, ['pendingCreate'])
  assert.deepEqual(kinds(domain), [])
  sandbox.advanceClock(3_600_000)
  assert.deepEqual(value(await registry.read(domain, 'normal')).epp_statuses, ['ok'])
  assert.deepEqual(kinds(domain), ['create'])
})

test('a request that failed is no domain', async () => {
  const { domain } = await bought(harness, 'failed-request')
  openprovider.setDomain(domain, { status: 'FAI' })
  assert.equal(refused(await registry.read(domain, 'normal'))[0], 'absent')
})

const states = [
  ['PEN', 'NEW', ['pendingCreate'], [], true],
  ['REQ', 'TRANSFER', ['pendingTransfer'], [], false],
  ['SCH', 'TRANSFER', ['pendingTransfer'], [], false],
  ['DEL', 'NEW', ['pendingDelete'], ['redemptionPeriod'], true],
  ['RRQ', 'NEW', ['pendingDelete'], ['pendingRestore'], true],
] as const
for (const [status, type, epp, rgp, ours] of states)
  test(`their ${status} of a ${type} name in the words of EPP`, async () => {
    const { domain } = await bought(harness, `state-${status.toLowerCase()}`)
    openprovider.setDomain(domain, {
      status,
      type,
      restorable_until: harness.now().getTime() + 1e9,
    })
    const shown = value(await registry.read(domain, 'normal'))
    assert.deepEqual(shown.epp_statuses, epp)
    assert.deepEqual(shown.rgp_statuses, rgp)
    assert.equal(shown.sponsor === registry.profile.client_id, ours)
  })

test('contacts are found again after a lost answer, and a new name makes a new customer', async () => {
  const ada = { ...contact, id: 'AR7-XYZ1', name: 'Ada Lovelace', organization: null }
  openprovider.setFault({ name: 'drop_after', command: 'contact:create' })
  const lost = await registry.putContact(ada, 'purchase')
  assert.equal(lost.kind === 'unknown' && lost.cause, 'silence')
  assert.deepEqual(value(await registry.putContact(ada, 'purchase')), { id: ada.id })
  assert.equal(openprovider.customers(ada.id).length, 1)
  const married = { ...ada, name: 'Ada King' }
  value(await registry.putContact(married, 'purchase'))
  const marks = openprovider.customers(ada.id).map(({ comments }) => comments)
  assert.deepEqual(marks, [
    'agent-registrar former contact AR7-XYZ1',
    'agent-registrar contact AR7-XYZ1',
  ])
  const command = await orderOf(harness, 'of-ada-king.shop')
  const order = { ...command, registrant: ada.id, contacts: [] }
  value(await registry.register(order, attempt()))
  const handle = openprovider.customers(ada.id)[1]?.handle
  assert.equal(value(await registry.read('of-ada-king.shop', 'normal')).registrant, handle)
})

test('an order without contacts, or with unknown ones, is refused before it is sent', async () => {
  const command = await orderOf(harness, 'nobodys.shop')
  for (const registrant of [null, 'AR9-NONE']) {
    const once = attempt()
    const made = await registry.register({ ...command, registrant, contacts: [] }, once)
    assert.deepEqual(refused(made), ['bad_request', null])
    assert.deepEqual(once.steps, [])
  }
  const transfer = { domain: 'old-harbour.site', auth_info: 'Seeded-2Move', period_years: 1 }
  const bare = await registry.transferRequest({ ...transfer, fee: null }, attempt())
  assert.deepEqual(refused(bare), ['bad_request', null])
})

test('name servers below the name itself keep their addresses', async () => {
  const glue = { 'ns1.glued.shop': ['192.0.2.1', '2001:db8::1'] }
  const nameservers = ['ns1.glued.shop', 'ns2.hosting.net']
  const command = { ...(await orderOf(harness, 'glued.shop')), nameservers, glue }
  value(await registry.register(command, attempt()))
  assert.deepEqual(value(await registry.read('glued.shop', 'normal')).glue, glue)
  const moved = { add: [], remove: [], glue: { 'ns1.glued.shop': ['192.0.2.9'] } }
  value(await registry.update({ domain: 'glued.shop', nameservers: moved }, attempt()))
  const shown = value(await registry.read('glued.shop', 'normal'))
  assert.deepEqual(shown.glue, { 'ns1.glued.shop': ['192.0.2.9'] })
  assert.deepEqual(shown.nameservers, nameservers)
})

test('operations that the API lacks are refused with a reason', async () => {
  const { domain } = await bought(harness, 'unable')
  const hold = { domain, statuses: { add: ['clientHold'], remove: [] } }
  assert.equal(refused(await registry.update(hold, attempt()))[0], 'unsupported')
  const code = { domain, auth_info: 'Chosen-By-Us-123' }
  assert.equal(refused(await registry.update(code, attempt()))[0], 'unsupported')
})

test('a transfer out is approved and rejected; without a request both are refused', async () => {
  const { domain } = await bought(harness, 'leaving')
  assert.deepEqual(refused(await registry.transferApprove(domain, attempt())), ['status', 354])
  assert.ok(openprovider.requestTransferOut(domain, harness.transferCode(domain)))
  assert.equal(value(await registry.transferReject(domain, attempt())).status, 'clientRejected')
  assert.equal((await registry.read(domain, 'normal')).kind, 'done')
  assert.ok(openprovider.requestTransferOut(domain, harness.transferCode(domain)))
  assert.equal(value(await registry.transferApprove(domain, attempt())).status, 'clientApproved')
  assert.equal(refused(await registry.read(domain, 'normal'))[0], 'not_ours')
})

test('an expired name is renewed at the price of a renewal, later of a restore, then not at all', async () => {
  const soft = await bought(harness, 'expires-softly')
  const hard = await bought(harness, 'expires-hard')
  const gone = await bought(harness, 'expires-for-good')
  harness.advance(366)
  const shown = value(await registry.read(soft.domain, 'normal'))
  assert.deepEqual(shown.rgp_statuses, ['redemptionPeriod'])
  value(await registry.restore({ domain: soft.domain, fee: usd('29.99') }, attempt()))
  const back = value(await registry.read(soft.domain, 'normal'))
  assert.equal(Number(back.expires_at.slice(0, 4)), Number(soft.expires_at.slice(0, 4)) + 1)
  harness.advance(31)
  const cheap = await registry.restore({ domain: hard.domain, fee: usd('29.99') }, attempt())
  assert.equal(refused(cheap)[0], 'fee_mismatch')
  openprovider.settings.restore_takes_ms = 3_600_000
  const asked = await registry.restore({ domain: hard.domain, fee: usd('80.00') }, attempt())
  assert.equal(asked.kind, 'accepted')
  harness.advance(31)
  assert.equal(value(await registry.read(hard.domain, 'normal')).epp_statuses[0], 'ok')
  assert.equal(refused(await registry.read(gone.domain, 'normal'))[0], 'absent')
  assert.deepEqual(kinds(gone.domain), ['create'])
})

test('refuses to change a name that is not ours', async () => {
  const nameservers = { add: [...hosts], remove: [] }
  const changed = await registry.update({ domain: 'google.shop', nameservers }, attempt())
  assert.equal(refused(changed)[0], 'not_ours')
})

test('an account in another currency has no prices for us', async () => {
  const foreign = openReseller({ ...resellerProfile(sandbox), currency: 'EUR' })
  assert.equal((await foreign.prices(['shop'])).size, 0)
  const [checked] = await foreign.check(['free.shop'], { priority: 'normal', fees: true })
  assert.deepEqual([checked?.available, checked?.fees], [true, null])
  await foreign.close()
})
