// Transfer codes (RFC 9154): set at the registry, whatever it answers, and gone after their time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { authCodeService } from './auth-codes.fixture.ts'
import { unsetAuthCodes } from './expire-auth-codes.job.ts'

const registrar = await authCodeService()
const { owner, call, count, log, sandbox, codes, at, again, row, codeOf, opens } = registrar

test('a locked domain has a code, too, and the answer says what else is needed', async () => {
  const domain = 'coded-locked.com'
  await registrar.buys(owner, domain)
  await call('200', `POST /v1/domains/${domain}/lock`)
  const answer = await call('200', at(domain))
  codes.push(answer.auth_code)
  assert.equal(answer.locked, true)
  assert.equal(answer.next_actions[0].type, 'unlock')
  assert.equal(await opens(domain, answer.auth_code), false)
})

for (const [name, domain] of [
  ['drop_after', 'coded-unheard.com'],
  ['apply_later', 'coded-late.com'],
  ['drop_before', 'coded-lost.com'],
] as const)
  test(`${name}: the code that is returned is the one that the registry has, whatever lands last`, async () => {
    await registrar.buys(owner, domain)
    sandbox.setFault({ name, command: 'domain:update', domain, delay_ms: 60_000 })
    const code = await codeOf(at(domain))
    sandbox.releaseDelayed()
    assert.equal(await opens(domain, code), true)
  })

test('silence without end is 503; a code that may be there is taken away all the same', async () => {
  const domain = 'coded-silent.com'
  await registrar.buys(owner, domain)
  sandbox.setFault({ name: 'drop_after', command: 'domain:update', domain, times: null })
  await call('503 change_unconfirmed', at(domain))
  sandbox.clearFaults()
  assert.equal((await log(domain)).at(-1), 'get_transfer_auth_code unknown')
  const planned = await row(domain)
  assert.deepEqual([planned.auth_code_hash, planned.auth_code_unset_at === null], [null, false])
  await registrar.days(8)
  // Its sessions ended with the silence: the job is not to find it down.
  const check = '/v1/domains/check/coded-free.com?depth=confirm'
  for (let found = null; found === null; await sleep(20))
    found = (await registrar.request('GET', check)).body.domains[0].available
  const before = count('domain:update')
  await registrar.run(unsetAuthCodes)
  assert.ok(count('domain:update') > before)
  assert.equal((await row(domain)).auth_code_unset_at, null)
})

test('is removed from the registry and from the database after seven days', async () => {
  for (const domain of ['coded-old.com', 'coded-old.io']) {
    await registrar.buys(owner, domain)
    const code = await codeOf(at(domain))
    await registrar.days(6)
    await registrar.run(unsetAuthCodes)
    assert.ok((await row(domain)).auth_code_hash, 'not yet')
    await registrar.days(2)
    await registrar.run(unsetAuthCodes)
    const { auth_code_hash, auth_code_expires_at, auth_code_unset_at } = await row(domain)
    assert.deepEqual([auth_code_hash, auth_code_expires_at, auth_code_unset_at], [null, null, null])
    assert.equal(await opens(domain, code), false)
    assert.equal((await log(domain)).at(-1), 'unset_auth_code success')
  }
})

test('a registry that takes no empty value gets a random one', async () => {
  const domain = 'coded-strict.com'
  await registrar.buys(owner, domain)
  const code = await codeOf(at(domain))
  await registrar.days(8)
  sandbox.setFault({ name: 'refuse_2306', command: 'domain:update', domain })
  await registrar.run(unsetAuthCodes)
  assert.equal((await row(domain)).auth_code_unset_at, null)
  assert.equal(await opens(domain, code), false)
})

test('a registry that is silent when the time has come is asked again within hours', async () => {
  const domain = 'coded-later.com'
  await registrar.buys(owner, domain)
  const code = await codeOf(at(domain))
  await registrar.days(8)
  sandbox.setFault({ name: 'drop_before', command: 'domain:update', domain })
  await registrar.run(unsetAuthCodes)
  assert.ok((await row(domain)).auth_code_hash, 'not forgotten before the registry has')
  await registrar.run(unsetAuthCodes)
  assert.ok((await row(domain)).auth_code_hash, 'not at once')
  await registrar.advance('PT2H')
  await registrar.run(unsetAuthCodes)
  assert.equal((await row(domain)).auth_code_hash, null)
  assert.equal(await opens(domain, code), false)
})

test('keeps a code that is requested while the old one is being removed', async () => {
  const domain = 'coded-renewed.com'
  await registrar.buys(owner, domain)
  await codeOf(at(domain))
  await registrar.days(8)
  const [, code] = await Promise.all([registrar.run(unsetAuthCodes), codeOf(again(domain))])
  await registrar.run(unsetAuthCodes)
  assert.ok((await row(domain)).auth_code_hash)
  assert.equal(await opens(domain, code), true)
})

test('no code is in the log, the audit rows, the mails or anywhere in the database', () =>
  registrar.assertNowhere())
