// The same changes where the registry is a reseller's API: name servers as a whole, codes that it
// chooses itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unsetAuthCodes } from './auth-codes/expire-auth-codes.job.ts'
import { updateService } from './updates.fixture.ts'

const registrar = await updateService()
const { owner, call } = registrar
const { openprovider } = registrar.sandbox
const two = ['ns1.first.net', 'ns2.first.net']
const others = ['ns2.first.net', 'ns1.second.org']
const patch = (domain: string) => `PATCH /v1/domains/${domain}`
const entry = (domain: string) => Object(openprovider.lookup(domain))

test('name servers and their addresses are set, read back, and not sent again', async () => {
  const domain = 'resold.shop'
  await registrar.buys(owner, domain, { nameservers: two })
  const changed = await call('200', patch(domain), { nameservers: others })
  assert.deepEqual(changed.nameservers.toSorted(), others.toSorted())
  const own = [`ns1.${domain}`, 'ns1.second.org']
  assert.deepEqual((await call('409 glue_required', patch(domain), { nameservers: own })).hosts, [
    `ns1.${domain}`,
  ])
  const glue = { [`ns1.${domain}`]: ['192.0.2.1', '2a00:1450::1'] }
  await call('200', patch(domain), { nameservers: own, glue })
  await call('200', patch(domain), { nameservers: [...own, 'ns1.first.net'] })
  const kept: { name: string; ip: string; ip6: string }[] = entry(domain).name_servers
  const first = kept.find(({ name }) => name === `ns1.${domain}`)
  assert.deepEqual([first?.ip, first?.ip6], ['192.0.2.1', '2a00:1450::1'])
  const several = { [`ns1.${domain}`]: ['192.0.2.1', '192.0.2.2'] }
  const refused = await call('409 change_refused', patch(domain), {
    nameservers: own,
    glue: several,
  })
  assert.match(refused.detail, /one IPv4/)
})

test('a lock is set once and taken away once', async () => {
  const domain = 'resold-locked.shop'
  await registrar.buys(owner, domain)
  for (const locked of [true, true, false, false]) {
    const answer = await call('200', `POST /v1/domains/${domain}/${locked ? 'lock' : 'unlock'}`)
    assert.deepEqual([answer.locked, entry(domain).is_locked], [locked, locked])
  }
})

test('returns the code that the reseller chose, and another one after seven days', async () => {
  const domain = 'resold-coded.shop'
  await registrar.buys(owner, domain)
  const { auth_code } = await call('200', `GET /v1/domains/${domain}/transfer-auth-code`)
  assert.equal(auth_code, entry(domain).auth_code)
  const again = await call('200', `POST /v1/domains/${domain}/transfer-auth-code/regenerate`)
  assert.equal(again.auth_code, entry(domain).auth_code)
  assert.notEqual(again.auth_code, auth_code)
  await registrar.days(8)
  await registrar.run(unsetAuthCodes)
  assert.notEqual(entry(domain).auth_code, again.auth_code)
  const [row] = await registrar.query('select * from domains where name = $1', [domain])
  assert.equal(row?.auth_code_unset_at, null)
})
