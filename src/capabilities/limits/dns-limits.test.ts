// The limit of DNS records of keys: set, read back, inherited, changed by the owner, and what a
// caller with it may change.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { sharedService, type TestCustomer } from '../../../test/support/service.ts'
import { recentSessionOf } from '../../../test/support/sign-in.ts'
import type { Caller } from '../../app.ts'
import { Fault } from '../../kit/fault.ts'
import { authenticateApiKeys } from '../api-keys/index.ts'
import { recordsNeedNoApproval, requireRecordsAllowed } from './dns-limits.ts'

const registrar = await sharedService({ worker: false })
const rows = rowsIn(registrar)
const authenticate = authenticateApiKeys(registrar.service.app)
const scopes = ['account:read', 'domains:read', 'domains:write', 'keys:write', 'keys:read']
const owner = await registrar.customer({ scopes })
const session = await recentSessionOf(registrar, owner)
const rrType = { ns: 2, mx: 15, txt: 16 }
const acme = { hosts: ['_acme-challenge*'], types: ['TXT'] }

async function ask(dns: unknown, token = owner.key, of: TestCustomer = owner) {
  const body = { scopes, name: 'records', dns }
  const made = await registrar.request('POST', `/v1/customers/${of.id}/api-keys`, { token, body })
  return { ...made, token: String(made.body.api_key), id: Number(made.body.key?.id) }
}

async function keyWith(dns: unknown, token = owner.key) {
  const made = await ask(dns, token)
  assert.equal(made.status, 201, made.text)
  return made
}

const patch = (id: number, body: object, token = session) =>
  registrar.request('PATCH', `/v1/customers/${owner.id}/api-keys/${id}`, { token, body })

async function callerOf({ token }: { token: string }): Promise<Caller> {
  registrar.service.app.authentications.invalidate()
  const caller = await authenticate(token)
  assert.ok(caller)
  return caller
}

/** Null if the record is allowed. */
function refusalOf(caller: Caller, host: string, type: number) {
  try {
    requireRecordsAllowed(caller, [{ host, type }])
    return null
  } catch (error) {
    assert.ok(error instanceof Fault)
    return { code: error.type.code, ...error.facts }
  }
}

describe('a limit of DNS records', () => {
  it('is read back by the key, in its list, and in the audit log', async () => {
    const { body, token, id } = await keyWith({
      hosts: ['_ACME-challenge*', 'WWW', '@', 'www', 'bücher'],
      types: ['txt', 'TYPE1', 'TYPE16', 'TYPE999'],
    })
    const kept = {
      hosts: ['_acme-challenge*', 'www', '@', 'xn--bcher-kva'],
      types: ['TXT', 'A', 'TYPE999'],
    }
    assert.deepEqual(body.key.dns, kept)
    const { limits } = (await registrar.request('GET', '/v1/account/limits', { token })).body
    assert.deepEqual(limits[0].dns, kept)
    const list = await registrar.request('GET', `/v1/customers/${owner.id}/api-keys`, { token })
    assert.deepEqual(list.body.find((one: { id: number }) => one.id === id).dns, kept)
    const [row] = await rows(
      `select metadata -> 'dns' as dns from audit_logs where action = 'create_api_key'
          and target = $1`,
      [String(id)],
    )
    assert.deepEqual(row?.dns, kept)
    const [stored] = await rows(
      `select dns_hosts, dns_types, dns_in_person from access_limits where api_key_id = $1`,
      [id],
    )
    assert.deepEqual(stored?.dns_types, [16, 1, 999])
    assert.equal(stored?.dns_in_person, false, 'the key of a customer made it')
  })

  it('may have hosts or types alone, and is none without either', async () => {
    assert.deepEqual((await keyWith({ types: ['MX'] })).body.key.dns, {
      hosts: null,
      types: ['MX'],
    })
    assert.deepEqual((await keyWith({ hosts: ['@'], types: null })).body.key.dns, {
      hosts: ['@'],
      types: null,
    })
    assert.equal((await keyWith(null)).body.key.dns, null)
    for (const none of [{}, { hosts: null, types: null }]) {
      const refused = await ask(none)
      assert.equal(refused.status, 422)
      assert.deepEqual(refused.body.detail[0].loc, ['body', 'dns'])
    }
  })

  it('is 422 at each malformed host and type, and above 100 hosts or 30 types', async () => {
    const { status, body } = await ask({
      hosts: ['www', 'a b', 'www.', '*.ok'],
      types: ['TXT', 'NOTHING', 'TYPE0', 'TYPE65536'],
    })
    assert.equal(status, 422)
    assert.deepEqual(
      body.detail.map(({ loc }: { loc: unknown[] }) => loc.slice(1).join('.')),
      ['dns.hosts.1', 'dns.hosts.2', 'dns.types.1', 'dns.types.2', 'dns.types.3'],
    )
    const many = (count: number) => Array.from({ length: count }, (_, i) => `h${i}`)
    assert.equal((await ask({ hosts: many(100) })).status, 201)
    assert.equal((await ask({ hosts: many(101) })).status, 422)
    const types = (count: number) => many(count).map((_, i) => `TYPE${i + 1_000}`)
    assert.equal((await ask({ types: types(30) })).status, 201)
    assert.equal((await ask({ types: types(31) })).status, 422)
  })
})

describe('a limited key', () => {
  it('changes only the records of its limits, and so do the keys that it makes', async () => {
    const parent = await keyWith(acme)
    const child = await keyWith({ hosts: ['_acme-challenge', '_acme-challenge.www'] }, parent.token)
    const free = await keyWith(null, child.token)
    for (const key of [parent, child, free]) {
      const caller = await callerOf(key)
      assert.equal(refusalOf(caller, '_acme-challenge.www', rrType.txt), null)
      assert.deepEqual(refusalOf(caller, '_acme-challenge.www', rrType.ns), {
        ...{ code: 'dns_record_not_allowed', host: '_acme-challenge.www', record_type: 'NS' },
      })
      assert.match(JSON.stringify(refusalOf(caller, 'www', rrType.txt)), /"host":"www"/)
    }
    const deep = '_acme-challenge.deep'
    assert.equal(refusalOf(await callerOf(parent), deep, rrType.txt), null)
    assert.notEqual(refusalOf(await callerOf(free), deep, rrType.txt), null)
    const unlimited = await callerOf(await keyWith(null))
    assert.equal(refusalOf(unlimited, '@', rrType.mx), null)
  })

  it('makes no key with a wider limit', async () => {
    const { token } = await keyWith({ hosts: ['_acme-challenge*', 'www'], types: ['TXT', 'A'] })
    const wider = [
      { hosts: ['*'] },
      { hosts: ['www', 'mail'] },
      { hosts: ['*acme-challenge'] },
      { types: ['MX'] },
      { hosts: ['www'], types: ['A', 'AAAA'] },
    ]
    for (const dns of wider) {
      const refused = await ask(dns, token)
      assert.deepEqual([refused.status, refused.body.code], [403, 'limit_not_held'])
      assert.deepEqual(refused.body.limits_not_held, ['dns'])
    }
    for (const dns of [{ hosts: ['_acme-challenge.*b'], types: ['TXT'] }, { types: ['TYPE1'] }])
      assert.equal((await ask(dns, token)).status, 201)
  })

  it('is changed by its owner alone: a limit that is left out stays, null removes it', async () => {
    const key = await keyWith(acme)
    assert.deepEqual((await patch(key.id, { name: 'other' })).body.dns, acme)
    const changed = await patch(key.id, { dns: { hosts: ['www'] } })
    assert.deepEqual(changed.body.dns, { hosts: ['www'], types: null })
    assert.equal(refusalOf(await callerOf(key), 'www', rrType.mx), null)
    assert.equal((await patch(key.id, { dns: null }, key.token)).status, 403)
    assert.equal((await patch(key.id, { dns: null })).body.dns, null)
    assert.equal(refusalOf(await callerOf(key), 'mail', rrType.mx), null)
  })
})

describe('records of a protected domain need no approval', () => {
  const needsNone = async (key: { token: string }) => recordsNeedNoApproval(await callerOf(key))

  it('where the owner set the hosts in a session, written out or below _acme-challenge', async () => {
    for (const hosts of [['www', '@'], ['_acme-challenge*'], ['_acme-challenge.*', 'www']])
      assert.ok(await needsNone(await keyWith({ hosts }, session)), hosts.join())
    for (const dns of [{ hosts: ['www', '*.app'] }, { hosts: ['*'] }, { types: ['TXT'] }, null])
      assert.ok(!(await needsNone(await keyWith(dns, session))), JSON.stringify(dns))
  })

  it('not by a limit that a key or an operator set', async () => {
    assert.ok(!(await needsNone(await keyWith(acme))))
    const { operatorKey } = registrar
    const made = await ask(acme, operatorKey)
    assert.equal(made.status, 201, made.text)
    assert.ok(!(await needsNone(made)))
  })

  it('from the moment on in which the owner sets it, until it is removed', async () => {
    const key = await keyWith(acme)
    await patch(key.id, { max_price: { amount: '5.00' } })
    assert.ok(!(await needsNone(key)), 'another limit was changed')
    await patch(key.id, { dns: acme })
    assert.ok(await needsNone(key))
    await patch(key.id, { max_price: null })
    assert.ok(await needsNone(key))
    await patch(key.id, { dns: { hosts: ['*.app'] } })
    assert.ok(!(await needsNone(key)))
    await patch(key.id, { dns: null })
    assert.ok(!(await needsNone(key)))
  })

  it('for keys that a key with such a limit makes, whatever theirs is', async () => {
    const parent = await keyWith(acme, session)
    for (const dns of [null, { types: ['TXT'] }, { hosts: ['_acme-challenge.*'] }])
      assert.ok(await needsNone(await keyWith(dns, parent.token)))
  })
})

it('an operator is not limited', () => {
  const caller: Caller = { kind: 'operator', key_id: 1n, label: 'a' }
  assert.equal(refusalOf(caller, '@', rrType.mx), null)
  assert.ok(!recordsNeedNoApproval(caller))
})
