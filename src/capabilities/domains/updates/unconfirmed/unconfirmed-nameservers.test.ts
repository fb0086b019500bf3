// Changes of name servers that go back by themselves unless they are confirmed, at the sandbox's
// registries: with lost answers and refusals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '../../../../../test/contract/support/fixture.ts'
import { assertProblem } from '../../../../../test/contract/support/problem.ts'
import { registryOf } from '../../names.ts'
import { revertUnconfirmedNameservers } from './revert-nameservers.job.ts'
import {
  armed,
  arrives,
  at,
  change,
  confirm,
  endOf,
  fallDue,
  fresh,
  held,
  mails,
  maker,
  old,
  open,
  registrar,
  shown,
  updates,
  yet,
} from './unconfirmed-nameservers.fixture.ts'

const { request, sandbox, query } = registrar

test('an unconfirmed change goes back when it is due, once, over all nodes', async () => {
  for (const tld of ['com', 'io']) {
    const domain = await held(maker, tld)
    const { body } = await must(
      change(maker, domain, { nameservers: fresh, revert_after: 'PT10M' }),
    )
    const { id, reverts_at } = body.change
    assert.ok(Math.abs(Date.parse(reverts_at) - Date.now() - 600_000) < 60_000)
    const [one] = await open(maker, domain)
    assert.deepEqual(
      [one.id, one.kind, one.state, one.nameservers],
      [id, 'name_servers', 'unconfirmed', { before: old, after: fresh }],
    )
    await registrar.run(revertUnconfirmedNameservers)
    assert.deepEqual(shown(domain), fresh, 'not before its time')
    const before = updates()
    await Promise.all([fallDue(id), fallDue(id), fallDue(id)])
    assert.equal(updates(), before + 1)
    assert.deepEqual([shown(domain), await endOf(id)], [old, 'reverted'])
    const read = await must(request('GET', at(domain), { token: maker.token }))
    assert.deepEqual(read.body.nameservers.toSorted(), old)
    assert.deepEqual(await open(maker, domain), [])
    const logged = await query(
      `select actor_type, entry_point, metadata from audit_logs
        where target = $1 and action = 'revert_unconfirmed_nameservers'`,
      [domain],
    )
    assert.deepEqual(logged, [
      {
        ...{ actor_type: 'api_key', entry_point: 'job' },
        metadata: { nameservers: old, before: fresh, reverts: id, state: 'reverted' },
      },
    ])
    assertProblem(await confirm(maker.token, domain, id), '409 dns_change_ended')
  }
})

test('it stays once it is confirmed, by its maker or by the owner', async () => {
  for (const token of [maker.token, maker.session]) {
    const domain = await held(maker)
    const id = await armed(maker, domain)
    assertProblem(await confirm(maker.owner.key, domain, id), '403 dns_change_not_own')
    const { body } = await must(confirm(token, domain, id))
    assert.deepEqual([body.change.state, body.records], ['confirmed', null])
    await must(confirm(token, domain, id))
    await fallDue(id)
    assert.deepEqual([shown(domain), await endOf(id)], [fresh, 'confirmed'])
    const other = await held(maker)
    assertProblem(await confirm(token, other, id), '404 dns_change_not_found')
  }
})

test('it is the only one of a domain, and the same one where it is sent again', async () => {
  const domain = await held(maker)
  const id = await armed(maker, domain)
  assert.equal(await armed(maker, domain), id)
  const other = await change(maker, domain, { nameservers: yet, revert_after: 'PT10M' })
  assertProblem(other, '409 nameserver_change_unconfirmed')
  assert.equal(other.body.change_id, id)
  assert.deepEqual(shown(domain), fresh)
  await fallDue(id)
  assert.deepEqual(shown(domain), old)
})

test('it is decided by a later change without it, also one of the same name servers', async () => {
  for (const [nameservers, end] of [
    [yet, 'kept changed_since'],
    [fresh, 'kept changed_since'],
    [old, 'reverted'],
  ] as const) {
    const domain = await held(maker)
    const id = await armed(maker, domain)
    await must(change(maker, domain, { nameservers }))
    assert.equal(await endOf(id), end)
    await fallDue(id)
    assert.deepEqual(shown(domain), nameservers)
    assert.deepEqual(await open(maker, domain), [])
  }
})

test('it restores the addresses of name servers below the domain', async () => {
  for (const tld of ['com', 'io']) {
    const domain = await held(maker, tld)
    const nameservers = [`ns1.${domain}`, `ns2.${domain}`]
    const glue = (last: number) =>
      Object.fromEntries(nameservers.map((host, i) => [host, [`192.0.2.${last + i}`]]))
    await must(change(maker, domain, { nameservers, glue: glue(10) }))
    const moved = { nameservers, glue: glue(20), revert_after: 'PT1M' }
    const { body } = await must(change(maker, domain, moved))
    await fallDue(body.change.id)
    assert.equal(await endOf(body.change.id), 'reverted')
    const registry = registryOf(registrar.app, domain) ?? assert.fail()
    const found = await registry.read(domain, 'normal')
    const hosts = await registry.readGlue?.(nameservers, 'normal')
    assert.ok(found.kind === 'done' && hosts?.kind === 'done')
    assert.deepEqual({ ...found.value.glue, ...hosts.value }, glue(10), tld)
  }
})

test('nothing waits where the present ones are asked for, or a time is no duration', async () => {
  const domain = await held(maker)
  const same = await must(change(maker, domain, { nameservers: old, revert_after: 'PT10M' }))
  assert.equal(same.body.change, undefined)
  for (const body of [
    { auto_renew: true, revert_after: 'PT10M' },
    { nameservers: fresh, revert_after: 'PT59S' },
    { nameservers: fresh, revert_after: '10m' },
  ]) {
    const refused = await change(maker, domain, body)
    assert.equal(refused.status, 422, refused.text)
    assert.deepEqual(refused.body.detail[0].loc, ['body', 'revert_after'])
  }
  assert.deepEqual([shown(domain), await open(maker, domain)], [old, []])
})

test('a registry lost the answer to the change: it is read back, and goes back', async () => {
  const domain = await held(maker)
  sandbox.setFault({ name: 'drop_after', command: 'domain:update', domain })
  await fallDue(await armed(maker, domain))
  assert.deepEqual(shown(domain), old)
})

test('a registry gets the command late, after the answer: the change goes back all the same', async () => {
  const domain = await held(maker)
  sandbox.setFault({ name: 'drop_before', command: 'domain:update', domain, times: null })
  const sent = await change(maker, domain, { nameservers: fresh, revert_after: 'PT10M' })
  sandbox.clearFaults()
  assertProblem(sent, '503 change_unconfirmed')
  const [one] = await open(maker, domain)
  await arrives(domain, { add: fresh, remove: old })
  await fallDue(one.id)
  assert.deepEqual([shown(domain), await endOf(one.id)], [old, 'reverted'])
})

test('a registry lost the answer to the way back: it is read back, not sent twice', async () => {
  const domain = await held(maker)
  const id = await armed(maker, domain)
  const before = updates()
  sandbox.setFault({ name: 'drop_after', command: 'domain:update', domain })
  await fallDue(id)
  assert.deepEqual([shown(domain), await endOf(id)], [old, 'reverted'])
  assert.equal(updates(), before + 1)
})

test('a registry gets the way back late: it is noted, whatever right has ended since', async () => {
  const domain = await held(maker)
  const id = await armed(maker, domain)
  sandbox.setFault({ name: 'drop_before', command: 'domain:update', domain, times: null })
  await fallDue(id)
  sandbox.clearFaults()
  assert.deepEqual([shown(domain), await endOf(id)], [fresh, 'unconfirmed'])
  assertProblem(await confirm(maker.token, domain, id), '409 dns_change_ended')
  await arrives(domain, { add: old, remove: fresh })
  await must(request('POST', at(domain, '/protect'), { token: maker.session }))
  await fallDue(id)
  assert.equal(await endOf(id), 'reverted')
})

test('a registry refuses the change: nothing waits', async () => {
  const domain = await held(maker)
  sandbox.setFault({ name: 'refuse_2306', command: 'domain:update', domain, times: null })
  const never = ['ns1.never.org', 'ns2.never.org']
  const refused = await change(maker, domain, { nameservers: never, revert_after: 'PT10M' })
  sandbox.clearFaults()
  assertProblem(refused, '409 change_refused')
  assert.deepEqual(await open(maker, domain), [])
  const text = 'select from nameserver_confirmations where after_nameservers = $1'
  assert.deepEqual(await query(text, [never]), [])
})

test('a registry refuses the way back for good: it stays, and the owner is mailed', async () => {
  const domain = await held(maker)
  const id = await armed(maker, domain)
  sandbox.setFault({ name: 'refuse_2306', command: 'domain:update', domain, times: null })
  for (let tries = 1; tries < 5; tries += 1) {
    await fallDue(id)
    assert.equal(await endOf(id), 'unconfirmed', String(tries))
  }
  await fallDue(id)
  sandbox.clearFaults()
  assert.deepEqual([shown(domain), await endOf(id)], [fresh, 'kept refused'])
  assert.equal(await mails(maker, id), 1)
})

test('a registry shows others that neither side has set: it stays', async () => {
  const domain = await held(maker)
  const id = await armed(maker, domain)
  await arrives(domain, { add: yet, remove: fresh })
  await fallDue(id)
  assert.deepEqual([shown(domain), await endOf(id)], [yet, 'kept changed_since'])
})
