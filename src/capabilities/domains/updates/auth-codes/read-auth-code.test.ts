// Transfer codes are read without a change, replaced on request, encrypted while they are valid.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerTransfer,
  askAway,
  sellElsewhere,
  setCodeBehind,
  setStatusesBehind,
  soldCode,
} from '../../../../../test/support/other-registrar.ts'
import { startService } from '../../../../../test/support/service.ts'
import { settleOrders } from '../../orders/settle-orders.job.ts'
import { authCodeService } from './auth-codes.fixture.ts'
import { unsetAuthCodes } from './expire-auth-codes.job.ts'

const registrar = await authCodeService()
const { owner, call, count, log, sandbox, codes, at, again, row, codeOf, opens } = registrar

for (const [domain, hides] of [
  ['coded.com', false],
  ['coded-hidden.com', true],
  ['coded.io', false],
  ['coded-hidden.io', true],
  ['coded.shop', false],
] as const)
  test(`reading the code of ${domain} does not change it; regenerating does`, async () => {
    sandbox.settings.hides_auth_info = hides
    await registrar.buys(owner, domain, { nameservers: ['ns1.example.net', 'ns2.example.net'] })
    const answer = await call('200', at(domain))
    codes.push(answer.auth_code)
    assert.match(answer.auth_code, /^[\x21-\x7e]{8,64}$/)
    assert.deepEqual([answer.domain, answer.locked], [domain, false])
    assert.deepEqual(
      answer.next_actions.map(({ type }: { type: string }) => type),
      ['wait'],
      'the code ends before the registry takes it',
    )
    const days =
      (Date.parse(answer.expires_at) - registrar.app.calendar.now().getTime()) / 86_400_000
    assert.ok(days > 6.99 && days <= 7, String(days))
    await registrar.days(1)
    const sent = count('domain:update')
    const second = await call('200', at(domain))
    assert.deepEqual(second, { ...answer, made_because: null })
    assert.equal(count('domain:update'), sent, 'nothing is sent for it')
    const third = await call('200', again(domain))
    codes.push(third.auth_code)
    assert.equal(third.made_because, 'asked')
    assert.notEqual(third.auth_code, answer.auth_code)
    assert.equal((await call('200', at(domain))).auth_code, third.auth_code)
    assert.deepEqual(
      [await opens(domain, answer.auth_code), await opens(domain, third.auth_code)],
      [false, true],
    )
    const kept = await row(domain)
    assert.equal(kept.auth_code_expires_at.getTime(), kept.auth_code_unset_at.getTime())
    assert.deepEqual(
      (await log(domain)).filter((one) => one.includes('auth_code')),
      [
        'get_transfer_auth_code success',
        'get_transfer_auth_code success',
        'regenerate_transfer_auth_code success',
        'get_transfer_auth_code success',
      ],
    )
    sandbox.settings.hides_auth_info = false
  })

test('concurrent reads get the same code, which was set once', async () => {
  for (const hides of [false, true]) {
    sandbox.settings.hides_auth_info = hides
    const domain = `coded-concurrent-${hides}.com`
    await registrar.buys(owner, domain)
    const sent = count('domain:update')
    const answer = await Promise.all(Array.from({ length: 4 }, () => codeOf(at(domain))))
    assert.equal(new Set(answer).size, 1)
    assert.equal(count('domain:update'), sent + 1)
    assert.equal(await opens(domain, answer[0] ?? ''), true)
  }
  sandbox.settings.hides_auth_info = false
})

for (const domain of ['coded-elsewhere.com', 'coded-elsewhere.io'])
  test(`a code of ${domain} that was set elsewhere is the one that is returned`, async () => {
    await registrar.buys(owner, domain)
    const ours = await codeOf(at(domain))
    const auth_info = 'Set-3lsewhere-By-Hand'
    codes.push(auth_info)
    await setCodeBehind(registrar, { domain, auth_info })
    const answer = await call('200', at(domain))
    assert.deepEqual([answer.auth_code, answer.made_because], [auth_info, null])
    assert.deepEqual([await opens(domain, ours), await opens(domain, auth_info)], [false, true])
  })

test('a code that was taken away elsewhere is set again, and stays the same', async () => {
  const domain = 'coded-emptied.com'
  await registrar.buys(owner, domain)
  const code = await codeOf(at(domain))
  await setCodeBehind(registrar, { domain, auth_info: '' })
  assert.equal(await codeOf(at(domain)), code)
  assert.equal(await opens(domain, code), true)
})

test('the code that a registration has set is returned as it is, and none is sent', async () => {
  const domain = 'coded-at-birth.io'
  await registrar.buys(owner, domain)
  const sent = count('domain:update')
  const answer = await call('200', at(domain))
  codes.push(answer.auth_code)
  assert.equal(sandbox.lookup(domain)?.auth_info, answer.auth_code)
  assert.deepEqual([answer.made_because, count('domain:update')], [null, sent])
  await registrar.days(8)
  await registrar.run(unsetAuthCodes)
  assert.equal(await opens(domain, answer.auth_code), false, 'it ends like any other')
})

test('after a silence the same code is returned, and it is the one that works', async () => {
  for (const [name, hides] of [
    ['drop_after', true],
    ['drop_after', false],
    ['drop_before', true],
  ] as const) {
    const domain = `coded-${name.replace('_', '-')}-${hides}.com`
    sandbox.settings.hides_auth_info = hides
    await registrar.buys(owner, domain)
    const before = await codeOf(at(domain))
    sandbox.setFault({ name, command: 'domain:update', domain, times: null })
    await call('503 change_unconfirmed', again(domain))
    sandbox.clearFaults()
    const answer = await call('200', at(domain))
    codes.push(answer.auth_code)
    assert.notEqual(answer.auth_code, before)
    assert.equal(answer.made_because, 'unconfirmed')
    assert.equal(await codeOf(at(domain)), answer.auth_code)
    assert.equal(await opens(domain, answer.auth_code), true)
  }
  sandbox.settings.hides_auth_info = false
})

test('keeps the present code when the registry refuses a regeneration', async () => {
  sandbox.settings.hides_auth_info = true
  const domain = 'coded-refused.com'
  await registrar.buys(owner, domain)
  const answer = await call('200', at(domain))
  codes.push(answer.auth_code)
  sandbox.setFault({ name: 'refuse_2306', command: 'domain:update', domain })
  await call('409 change_refused', again(domain))
  const after = await call('200', at(domain))
  assert.deepEqual(after, { ...answer, made_because: null })
  const kept = await row(domain)
  assert.equal(kept.auth_code_expires_at.getTime(), kept.auth_code_unset_at.getTime())
  assert.equal(await opens(domain, answer.auth_code), true)
  sandbox.settings.hides_auth_info = false
})

test('under a lock against changes the code is read, and no other is made', async () => {
  const domain = 'coded-still.com'
  await registrar.buys(owner, domain)
  const code = await codeOf(at(domain))
  await setStatusesBehind(registrar, domain, { add: ['clientUpdateProhibited'], remove: [] })
  assert.equal(await codeOf(at(domain)), code)
  await call('409 not_changeable', again(domain))
})

test('sealed with another ENCRYPTION_KEY, a code is replaced, and the answer says so', async () => {
  const { sandbox: shared, mailbox } = registrar
  const { database_url } = registrar.service.settings
  assert.ok(database_url)
  const ENCRYPTION_KEY = Buffer.alloc(32, 'o').toString('base64')
  const settings = { ENCRYPTION_KEY }
  const parts = { sandbox: shared, mailbox, database_url, settings, worker: false }
  const other = await startService(parts)
  sandbox.settings.hides_auth_info = true
  const domain = 'coded-other-key.com'
  await registrar.buys(owner, domain)
  const before = await codeOf(at(domain))
  const path = `/v1/domains/${domain}/transfer-auth-code`
  const { body } = await other.request('GET', path, { token: owner.key })
  codes.push(body.auth_code)
  assert.equal(body.made_because, 'unreadable', JSON.stringify(body))
  assert.ok(other.logs.some((line) => line.includes('another ENCRYPTION_KEY')))
  const again = await other.request('GET', path, { token: owner.key })
  assert.deepEqual(again.body, { ...body, made_because: null })
  assert.deepEqual(
    [await opens(domain, before), await opens(domain, body.auth_code)],
    [false, true],
  )
  sandbox.settings.hides_auth_info = false
})

test('deletes the stored code of a name that was transferred away', async () => {
  const domain = 'coded-gone.com'
  await registrar.buys(owner, domain)
  const auth_info = await codeOf(at(domain))
  const sealed = (await row(domain)).auth_code_sealed
  assert.ok(typeof sealed === 'string' && !sealed.includes(auth_info))
  await askAway(registrar, { domain, auth_info })
  await call('200', `POST /v1/domains/${domain}/transfer/approve`)
  const left = await row(domain)
  assert.ok(left.ended_at)
  for (const [column, value] of Object.entries(left))
    if (column.startsWith('auth_code_')) assert.equal(value, null, column)
})

test('in the first 60 days, and those after a transfer, the answer says until when', async () => {
  const domain = 'coded-young.com'
  await registrar.buys(owner, domain)
  const answer = await call('200', at(domain))
  codes.push(answer.auth_code)
  const created = Date.parse(sandbox.lookup(domain)?.created_at ?? '')
  const days_60 = 60 * 86_400_000
  const until = new Date(created + days_60).toISOString()
  assert.equal(answer.transfer_prohibited_until, until)
  const [{ hint }] = answer.next_actions
  assert.match(hint, new RegExp(`refuses a transfer until ${until}, and this code expires before`))
  const unlocked = await call('200', `POST /v1/domains/${domain}/unlock`)
  assert.equal(unlocked.transfer_prohibited_until, until)
  assert.match(unlocked.next_actions[0].hint, new RegExp(`until ${until}: move the domain after`))
  assert.equal((await call('200', again(domain))).transfer_prohibited_until?.length, 24)
  await registrar.days(60)
  const later = await call('200', at(domain))
  codes.push(later.auth_code)
  assert.deepEqual([later.transfer_prohibited_until, later.next_actions], [null, []])
  const free = await call('200', `POST /v1/domains/${domain}/unlock`)
  assert.deepEqual([free.transfer_prohibited_until, free.next_actions], [null, []])
  const moved = 'coded-moved.com'
  await sellElsewhere(registrar, moved)
  await registrar.days(61)
  const body = { domain: moved, auth_code: soldCode }
  await call('200', 'POST /v1/domains/transfer', body)
  await answerTransfer(registrar, moved, 'approve')
  await registrar.query('update orders set run_at = clock_timestamp() where domain = $1', [moved])
  await registrar.run(settleOrders)
  const { transferred_at } = Object(sandbox.lookup(moved))
  const arrived = await call('200', at(moved))
  codes.push(arrived.auth_code)
  const end = new Date(Date.parse(transferred_at) + days_60).toISOString()
  assert.equal(arrived.transfer_prohibited_until, end)
})

test('no code is in the log, the audit rows, the mails or anywhere in the database', () =>
  registrar.assertNowhere())
