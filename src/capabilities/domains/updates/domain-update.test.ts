// Failures of domain updates: a registry that is silent, refuses or is late, two concurrent updates
// on two nodes, leases of dead nodes, and statuses that forbid them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAway, deleteBehind } from '../../../../test/support/other-registrar.ts'
import { startService } from '../../../../test/support/service.ts'
import { attempt } from '../../../adapters/registry/fixtures/sandbox.ts'
import { registryOf } from '../names.ts'
import { updateService } from './updates.fixture.ts'

const registrar = await updateService()
const { owner, call, count, log, sandbox } = registrar
const two = ['ns1.first.net', 'ns2.first.net']
const others = ['ns1.second.org', 'ns2.second.org']
const shownBy = (domain: string) => sandbox.lookup(domain)?.nameservers.toSorted()
const patch = (domain: string) => `PATCH /v1/domains/${domain}`
const post = (domain: string, what: string) => `POST /v1/domains/${domain}/${what}`

test('a lock is set and taken away, once each', async () => {
  for (const domain of ['locked.com', 'locked.io']) {
    await registrar.buys(owner, domain)
    const before = count('domain:update')
    const locked = await call('200', post(domain, 'lock'))
    const { transfer_prohibited_until: until, ...facts } = locked
    assert.ok(Date.parse(until) > registrar.app.calendar.now().getTime(), until)
    assert.deepEqual(facts, {
      domain,
      locked: true,
      transferable: false,
      status: 'active',
      epp_statuses: ['clientTransferProhibited'],
      next_actions: [],
    })
    assert.deepEqual(await call('200', post(domain, 'lock')), locked)
    assert.equal(count('domain:update'), before + 1, 'locked already: nothing is sent')
    assert.equal((await registrar.read(owner, domain)).body.locked, true)
    const open = await call('200', post(domain, 'unlock'))
    assert.deepEqual([open.locked, open.transferable, open.epp_statuses], [false, true, ['ok']])
    await call('200', post(domain, 'unlock'))
    assert.equal(count('domain:update'), before + 2)
    assert.deepEqual((await log(domain)).slice(-4), [
      'lock_domain success',
      'lock_domain success',
      'unlock_domain success',
      'unlock_domain success',
    ])
  }
})

for (const name of ['drop_after', 'garbage', 'half_frame'] as const)
  test(`${name}: done and not confirmed is read back, not sent again`, async () => {
    const domain = `${name.replace('_', '-')}.com`
    await registrar.buys(owner, domain, { nameservers: two })
    const before = count('domain:update')
    sandbox.setFault({ name, command: 'domain:update', domain })
    const done = await call('200', patch(domain), { nameservers: others })
    assert.deepEqual(done.nameservers.toSorted(), others)
    assert.equal(count('domain:update'), before + 1)
  })

for (const name of ['drop_before', 'fail_2400'] as const)
  test(`${name}: not done is sent again, under another clTRID`, async () => {
    const domain = `${name.replaceAll('_', '-')}.com`
    await registrar.buys(owner, domain, { nameservers: two })
    sandbox.setFault({ name, command: 'domain:update', domain })
    assert.deepEqual((await call('200', patch(domain), { nameservers: others })).domain, domain)
    assert.deepEqual(shownBy(domain), others)
  })

test('ignores a refusal of a change that an earlier attempt has applied', async () => {
  const domain = 'landed-late.com'
  await registrar.buys(owner, domain, { nameservers: two })
  // It lands while the reading that would have seen it is on its way.
  const delay_ms = 1_200
  sandbox.setFault({ name: 'apply_later', command: 'domain:update', domain, delay_ms })
  sandbox.setFault({ name: 'slow', command: 'domain:info', domain, delay_ms, times: 2 })
  const refused = count('domain:update', '2306')
  const done = await call('200', patch(domain), { nameservers: others })
  assert.equal(count('domain:update', '2306'), refused + 1)
  assert.deepEqual(done.nameservers.toSorted(), others)
  assert.deepEqual(shownBy(domain), others)
})

test('stores nothing after endless silence, audits it as unknown, and allows a safe repeat', async () => {
  const domain = 'silent.com'
  await registrar.buys(owner, domain, { nameservers: two })
  sandbox.setFault({ name: 'drop_before', command: 'domain:update', domain, times: null })
  const body = { nameservers: others, auto_renew: true }
  const unsure = await call('503 change_unconfirmed', patch(domain), body)
  assert.equal(unsure.retryable, true)
  assert.match(unsure.next_action.hint, /Send the request again/)
  const { body: still } = await registrar.read(owner, domain)
  assert.deepEqual([still.auto_renew, still.nameservers.toSorted()], [false, two])
  assert.equal((await log(domain)).at(-1), 'update_domain unknown')
  sandbox.clearFaults()
  const done = await call('200', patch(domain), body)
  assert.deepEqual([done.auto_renew, done.nameservers.toSorted()], [true, others])
})

test('sends nothing to a registry that cannot even be read', async () => {
  const domain = 'unread.com'
  await registrar.buys(owner, domain)
  const before = count('domain:update')
  sandbox.setFault({ name: 'drop_before', command: 'domain:info', domain, times: null })
  const unread = await call('503 registry_unreachable', post(domain, 'lock'))
  assert.equal(unread.retryable, true)
  sandbox.clearFaults()
  assert.equal(count('domain:update'), before)
  assert.equal((await call('200', post(domain, 'lock'))).locked, true)
})

test('two nodes that change one name at once are serialized', async () => {
  const { database_url } = registrar.service.settings
  const node = await startService({
    sandbox,
    mailbox: registrar.mailbox,
    worker: false,
    ...(database_url ? { database_url } : {}),
  })
  const domain = 'fought-over.io'
  await registrar.buys(owner, domain, { nameservers: two })
  const refused = count('domain:update', '2306')
  const sets = [two, others, ['ns1.third.net', 'ns1.first.net', 'ns1.second.org']]
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => {
      const body = { nameservers: sets[i % 3] }
      const by = i % 2 === 0 ? registrar : node
      return by.request('PATCH', `/v1/domains/${domain}`, { token: owner.key, body })
    }),
  )
  for (const [i, { status, body, text }] of answers.entries()) {
    assert.equal(status, 200, text)
    assert.deepEqual(
      body.nameservers.toSorted(),
      sets[i % 3]?.toSorted(),
      'each saw its own change',
    )
  }
  assert.equal(
    count('domain:update', '2306'),
    refused,
    'no difference was sent to what had changed',
  )
  const { body } = await registrar.read(owner, domain)
  assert.deepEqual(body.nameservers.toSorted(), shownBy(domain))
  assert.equal((await registrar.query('select from domain_changes')).length, 0, 'no claim is left')
})

test('the lease of a node that died expires; one that lasts is a 409', async () => {
  const domain = 'claimed.com'
  await registrar.buys(owner, domain)
  const claim = (seconds: number) =>
    registrar.query(
      `insert into domain_changes values ($1, 'somebody', clock_timestamp() + $2 * interval '1 s')
       on conflict (domain) do update set lease_until = excluded.lease_until, token = 'somebody'`,
      [domain, seconds],
    )
  await claim(1)
  assert.equal((await call('200', post(domain, 'lock'))).locked, true)
  await claim(60)
  const busy = await call('409 change_under_way', post(domain, 'unlock'))
  assert.deepEqual([busy.retryable, busy.next_action.type], [true, 'wait_and_retry'])
  assert.equal((await registrar.read(owner, domain)).body.locked, true)
})

test('statuses that forbid an update are returned before anything is sent', async () => {
  const registry = registryOf(registrar.app, 'any.com')
  assert.ok(registry)
  const names = ['prohibited.com', 'asked-for.com', 'deleted.com']
  for (const domain of names) await registrar.buys(owner, domain, { nameservers: two })
  const [prohibited = '', asked = '', deleted = ''] = names
  const statuses = { add: ['clientUpdateProhibited'], remove: [] }
  assert.equal((await registry.update({ domain: prohibited, statuses }, attempt())).kind, 'done')
  await registrar.days(6)
  await deleteBehind(registrar, deleted)
  const { auth_code } = await call('200', `GET /v1/domains/${asked}/transfer-auth-code`)
  await askAway(registrar, { domain: asked, auth_info: auth_code })
  const before = count('domain:update')
  const words = {
    [prohibited]: 'clientUpdateProhibited',
    [asked]: 'pendingTransfer',
    [deleted]: 'redemptionPeriod',
  }
  for (const [domain, word] of Object.entries(words)) {
    const answer = await call('409 not_changeable', patch(domain), { nameservers: others })
    assert.match(answer.detail, new RegExp(word))
    await call('409 not_changeable', post(domain, 'lock'))
    await call('409 not_changeable', `GET /v1/domains/${domain}/transfer-auth-code`)
  }
  assert.equal(count('domain:update'), before)
})

test('a domain that is not there, or is another’s, is 404', async () => {
  const other = await registrar.customer()
  const domain = 'theirs.com'
  await registrar.buys(other, domain)
  for (const name of [domain, 'unregistered.com']) {
    await call('404 domain_not_found', patch(name), { auto_renew: true })
    await call('404 domain_not_found', patch(name), { nameservers: two })
    for (const what of [
      'lock',
      'unlock',
      'transfer-auth-code/regenerate',
      'transfer/approve',
      'transfer/reject',
    ])
      await call('404 domain_not_found', post(name, what))
    await call('404 domain_not_found', `GET /v1/domains/${name}/transfer-auth-code`)
  }
})
