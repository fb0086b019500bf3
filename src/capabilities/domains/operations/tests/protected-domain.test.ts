// Protected domains: keys need the owner's approval for changes that may lose one; the owner does
// not.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsIn } from '../../../../../test/support/owner-sql.ts'
import { type Answer, sharedService } from '../../../../../test/support/service.ts'
import { recentSessionOf, sessionOf } from '../../../../../test/support/sign-in.ts'

const registrar = await sharedService()
const scopes = [
  ...['domains:read', 'domains:write', 'domains:purchase', 'domains:transfer', 'keys:write'],
  ...['contacts:read', 'contacts:write'],
]
let names = 0

/** `at`: "POST /v1/domains". */
function request(token: string, at: string, body?: object) {
  const [method = '', path = ''] = at.split(' ')
  return registrar.request(method, path, { token, ...(body && { body }) })
}

/** A protected, locked domain with its owner's session and a key of an agent. */
async function held(limits: object = {}) {
  const person = await registrar.customer({ funds_cents: 10_000, scopes })
  names += 1
  const domain = `protected-${process.pid}-${names}.com`
  const bought = await request(person.key, 'POST /v1/domains', { domain })
  assert.equal(bought.status, 200, bought.text)
  const path = `/v1/customers/${person.id}/api-keys`
  const made = await request(person.key, `POST ${path}`, { name: 'agent', scopes, ...limits })
  const session = await recentSessionOf(registrar, person)
  const of = `/v1/domains/${domain}`
  assert.equal((await request(session, `POST ${of}/lock`)).status, 200)
  const shown = await request(session, `POST ${of}/protect`)
  assert.deepEqual([shown.status, shown.body.protected], [200, true], shown.text)
  const approve = async (id: string) => {
    const answer = await request(session, `POST /v1/approvals/${id}/approve`, {})
    assert.equal(answer.status, 200, answer.text)
    return (await request(session, `GET /v1/approvals/${id}/wait?wait=20`)).body
  }
  return { person, domain, of, session, approve, key: String(made.body.api_key) }
}

function approvalIn({ status, text, body }: Answer): string {
  assert.deepEqual([status, body.code], [403, 'approval_required'], text)
  return String(body.approval.id)
}

/**
 * A service that dies after the change was stored must not make it again, over one that the owner
 * has made since.
 */
async function assertEndedWithItsChange(id: string): Promise<void> {
  const rows = await rowsIn(registrar)(
    `select l.action, l.xmin = a.xmin as together from approvals a
       join audit_logs l on l.metadata ->> 'approval' = a.id and l.result = 'success'
      where a.id = $1`,
    [id],
  )
  assert.deepEqual(
    rows.map(({ together }) => together),
    [true],
    JSON.stringify(rows),
  )
}

describe('a protected domain', () => {
  it('is unlocked, and gets other name servers, for a key only once the owner approved', async () => {
    const { of, key, approve } = await held()
    assert.equal((await request(key, `POST ${of}/lock`)).status, 200)
    const id = approvalIn(await request(key, `POST ${of}/unlock`))
    assert.equal(approvalIn(await request(key, `POST ${of}/unlock`)), id)
    assert.equal((await request(key, `GET ${of}`)).body.locked, true)
    const unlocked = await approve(id)
    assert.deepEqual([unlocked.state, unlocked.reason], ['executed', 'protected_domain'])
    assert.equal((await request(key, `GET ${of}`)).body.locked, false)
    await assertEndedWithItsChange(id)
    const nameservers = ['ns1.example.net', 'ns2.example.net']
    const other = approvalIn(await request(key, `PATCH ${of}`, { nameservers }))
    assert.deepEqual((await approve(other)).state, 'executed')
    assert.deepEqual((await request(key, `GET ${of}`)).body.nameservers, nameservers)
    await assertEndedWithItsChange(other)
  })

  it('gives a key its transfer code once for each approval', async () => {
    const { of, key, approve } = await held()
    const code = () => request(key, `GET ${of}/transfer-auth-code`)
    const id = approvalIn(await code())
    approvalIn(await request(key, `POST ${of}/transfer-auth-code/regenerate`))
    assert.equal((await approve(id)).state, 'approved')
    const given = await code()
    assert.equal(given.status, 200, given.text)
    assert.ok(given.body.auth_code.length > 5)
    assert.equal((await request(key, `GET /v1/approvals/${id}`)).body.state, 'executed')
    assert.notEqual(approvalIn(await code()), id)
  })

  it('is protected, and no longer protected, by its owner alone', async () => {
    const { person, of, key, session } = await held()
    for (const verb of ['protect', 'unprotect'])
      assert.equal((await request(key, `POST ${of}/${verb}`)).body.code, 'session_required')
    assert.equal((await request(session, `POST ${of}/unlock`)).status, 200)
    const found = await sessionOf(registrar, person)
    const refused = await request(found, `POST ${of}/unprotect`)
    assert.deepEqual([refused.status, refused.body.code], [403, 'fresh_log_in_needed'])
    const ended = await request(session, `POST ${of}/unprotect`)
    assert.deepEqual([ended.status, ended.body.protected], [200, false])
    assert.equal((await request(key, `POST ${of}/lock`)).status, 200)
    assert.equal((await request(key, `POST ${of}/unlock`)).status, 200)
  })
})

it('automatic renewal above approval_above waits for the owner, and is theirs then', async () => {
  const { of, key, approve } = await held({ approval_above: { amount: '5.00' } })
  const id = approvalIn(await request(key, `PATCH ${of}`, { auto_renew: true }))
  assert.equal((await request(key, `GET ${of}`)).body.auto_renew, false)
  const done = await approve(id)
  assert.deepEqual([done.state, done.reason], ['executed', 'auto_renewal'])
  assert.equal((await request(key, `GET ${of}`)).body.auto_renew, true)
  await assertEndedWithItsChange(id)
})

it('automatic renewal of a protected domain is turned off for a key once the owner approved', async () => {
  const { of, key, session, approve } = await held()
  assert.equal((await request(session, `PATCH ${of}`, { auto_renew: true })).status, 200)
  const id = approvalIn(await request(key, `PATCH ${of}`, { auto_renew: false }))
  assert.equal((await request(key, `GET ${of}`)).body.auto_renew, true)
  const done = await approve(id)
  assert.deepEqual([done.state, done.reason], ['executed', 'protected_domain'])
  assert.equal((await request(key, `GET ${of}`)).body.auto_renew, false)
  assert.equal((await request(key, `PATCH ${of}`, { auto_renew: false })).status, 200)
  assert.equal((await request(session, `PATCH ${of}`, { auto_renew: true })).status, 200)
  assert.equal((await request(session, `PATCH ${of}`, { auto_renew: false })).status, 200)
})

describe('the registrant of a protected domain', () => {
  async function withContact() {
    const all = await held()
    const at = `/v1/customers/${all.person.id}/contacts/${all.person.contact_id}`
    const nameOf = async () => (await request(all.key, `GET ${at}`)).body.name
    const rename = (token: string, name: string) => request(token, `PATCH ${at}`, { name })
    return { ...all, at, nameOf, rename, before: await nameOf() }
  }

  it('is changed for a key only once the owner approved, and as it was asked for', async () => {
    const { key, domain, approve, nameOf, rename, before } = await withContact()
    const id = approvalIn(await rename(key, 'Eve Else'))
    assert.equal(approvalIn(await rename(key, 'Eve Else')), id)
    assert.equal(await nameOf(), before)
    const shown = (await request(key, `GET /v1/approvals/${id}`)).body
    assert.deepEqual([shown.action, shown.domain], ['update_contact', domain])
    assert.equal(shown.request.name, 'Eve Else')
    assert.deepEqual((await approve(id)).state, 'executed')
    assert.equal(await nameOf(), 'Eve Else')
    await assertEndedWithItsChange(id)
    assert.equal((await rename(key, 'Eve Else')).status, 200)
  })

  it('stays as the owner changed it meanwhile', async () => {
    const { key, session, approve, nameOf, rename } = await withContact()
    const id = approvalIn(await rename(key, 'Eve Else'))
    assert.equal((await rename(session, 'Ada King')).status, 200)
    const ended = await approve(id)
    assert.deepEqual([ended.state, ended.error?.code], ['voided', 'request_changed'])
    assert.equal(await nameOf(), 'Ada King')
  })

  it('keeps its roles for domains to come, which a key sets as before', async () => {
    const { key, at, session, rename, of } = await withContact()
    const roles = await request(key, `PATCH ${at}`, { default_billing: true })
    assert.equal(roles.status, 200, roles.text)
    assert.equal((await request(session, `POST ${of}/unprotect`)).status, 200)
    assert.equal((await rename(key, 'Eve Else')).status, 200)
  })
})
