// Transfer codes (RFC 9154): fresh each time, told once, kept nowhere, gone after their time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAway } from '../../../test/support/other-registrar.ts'
import { unsetAuthCodes } from './auth-code.job.ts'
import { changeHouse } from './changes.fixture.ts'

const house = await changeHouse()
const { owner, call, count, log, sandbox } = house
const at = (domain: string) => `GET /v1/domains/${domain}/transfer-auth-code`
const again = (domain: string) => `POST /v1/domains/${domain}/transfer-auth-code/regenerate`
const row = async (domain: string) =>
  Object((await house.query('select * from domains where name = $1', [domain]))[0])
const codes: string[] = []

async function codeOf(request: string): Promise<string> {
  const { auth_code } = await call('200', request)
  codes.push(auth_code)
  return auth_code
}

/** Whether the other registrar could take the domain with this code. */
async function opens(domain: string, auth_info: string): Promise<boolean> {
  try {
    await askAway(house, { domain, auth_info })
  } catch {
    return false
  }
  await call('200', `POST /v1/domains/${domain}/transfer/reject`)
  return true
}

for (const domain of ['coded.com', 'coded.io'])
  test(`each code of ${domain} is fresh, opens the domain, and closes the one before`, async () => {
    await house.buys(owner, domain)
    const told = await call('200', at(domain))
    codes.push(told.auth_code)
    assert.ok(told.auth_code.length >= 20 && /^[\x21-\x7e]+$/.test(told.auth_code))
    assert.deepEqual([told.domain, told.locked, told.next_actions], [domain, false, []])
    const days = (Date.parse(told.expires_at) - house.app.calendar.now().getTime()) / 86_400_000
    assert.ok(days > 6.99 && days <= 7, String(days))
    const second = await codeOf(at(domain))
    const third = await codeOf(again(domain))
    assert.equal(new Set([told.auth_code, second, third]).size, 3)
    assert.deepEqual([await opens(domain, second), await opens(domain, third)], [false, true])
    const kept = await row(domain)
    assert.match(kept.auth_code_hash, /^[0-9a-f]{64}$/)
    assert.equal(kept.auth_code_expires_at.getTime(), kept.auth_code_unset_at.getTime())
    assert.deepEqual(
      (await log(domain)).filter((one) => one.includes('auth_code')),
      [
        'get_transfer_auth_code success',
        'get_transfer_auth_code success',
        'regenerate_transfer_auth_code success',
      ],
    )
  })

test('a locked domain has a code, too, and the answer says what else is needed', async () => {
  const domain = 'coded-locked.com'
  await house.buys(owner, domain)
  await call('200', `POST /v1/domains/${domain}/lock`)
  const told = await call('200', at(domain))
  codes.push(told.auth_code)
  assert.equal(told.locked, true)
  assert.equal(told.next_actions[0].type, 'unlock')
  assert.equal(await opens(domain, told.auth_code), false)
})

for (const [name, domain] of [
  ['drop_after', 'coded-unheard.com'],
  ['apply_later', 'coded-late.com'],
  ['drop_before', 'coded-lost.com'],
] as const)
  test(`${name}: the code that is told is the one that the registry has, whatever lands last`, async () => {
    await house.buys(owner, domain)
    sandbox.setFault({ name, command: 'domain:update', domain, delay_ms: 600 })
    const code = await codeOf(at(domain))
    await new Promise((resolve) => setTimeout(resolve, name === 'apply_later' ? 800 : 0))
    assert.equal(await opens(domain, code), true)
  })

test('silence without end is 503; a code that may be there is taken away all the same', async () => {
  const domain = 'coded-silent.com'
  await house.buys(owner, domain)
  sandbox.setFault({ name: 'drop_after', command: 'domain:update', domain, times: null })
  await call('503 change_unconfirmed', at(domain))
  sandbox.clearFaults()
  assert.equal((await log(domain)).at(-1), 'get_transfer_auth_code unknown')
  const planned = await row(domain)
  assert.deepEqual([planned.auth_code_hash, planned.auth_code_unset_at === null], [null, false])
  await house.days(8)
  const before = count('domain:update')
  await house.run(unsetAuthCodes)
  assert.ok(count('domain:update') > before)
  assert.equal((await row(domain)).auth_code_unset_at, null)
})

test('after seven days the registry has forgotten it, and so have we', async () => {
  for (const domain of ['coded-old.com', 'coded-old.io']) {
    await house.buys(owner, domain)
    const code = await codeOf(at(domain))
    await house.days(6)
    await house.run(unsetAuthCodes)
    assert.ok((await row(domain)).auth_code_hash, 'not yet')
    await house.days(2)
    await house.run(unsetAuthCodes)
    const { auth_code_hash, auth_code_expires_at, auth_code_unset_at } = await row(domain)
    assert.deepEqual([auth_code_hash, auth_code_expires_at, auth_code_unset_at], [null, null, null])
    assert.equal(await opens(domain, code), false)
    assert.equal((await log(domain)).at(-1), 'unset_auth_code success')
  }
})

test('a registry that takes no empty value gets one that nobody knows', async () => {
  const domain = 'coded-strict.com'
  await house.buys(owner, domain)
  const code = await codeOf(at(domain))
  await house.days(8)
  sandbox.setFault({ name: 'refuse_2306', command: 'domain:update', domain })
  await house.run(unsetAuthCodes)
  assert.equal((await row(domain)).auth_code_unset_at, null)
  assert.equal(await opens(domain, code), false)
})

test('a registry that is silent when the time has come is asked again within hours', async () => {
  const domain = 'coded-later.com'
  await house.buys(owner, domain)
  const code = await codeOf(at(domain))
  await house.days(8)
  sandbox.setFault({ name: 'drop_before', command: 'domain:update', domain })
  await house.run(unsetAuthCodes)
  assert.ok((await row(domain)).auth_code_hash, 'not forgotten before the registry has')
  await house.run(unsetAuthCodes)
  assert.ok((await row(domain)).auth_code_hash, 'not at once')
  await house.advance('PT2H')
  await house.run(unsetAuthCodes)
  assert.equal((await row(domain)).auth_code_hash, null)
  assert.equal(await opens(domain, code), false)
})

test('a code that is asked for while the old one is being taken away stays', async () => {
  const domain = 'coded-renewed.com'
  await house.buys(owner, domain)
  await codeOf(at(domain))
  await house.days(8)
  const [, code] = await Promise.all([house.run(unsetAuthCodes), codeOf(again(domain))])
  await house.run(unsetAuthCodes)
  assert.ok((await row(domain)).auth_code_hash)
  assert.equal(await opens(domain, code), true)
})

test('no code is in the log, the audit rows, the mails or anywhere in the database', async () => {
  const tables = await house.query(
    `select table_name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  assert.ok(codes.length > 8 && tables.length > 20)
  const texts = [house.logs.join('\n')]
  for (const { table_name } of tables) {
    const rows = await house.query(`select t::text as line from "${table_name}" t`)
    texts.push(rows.map(({ line }) => String(line)).join('\n'))
  }
  const everything = texts.join('\n')
  assert.ok(everything.includes('coded.com'))
  for (const code of codes) assert.ok(!everything.includes(code), 'a code is kept')
})
