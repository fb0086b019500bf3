// The limit of DNS records that an owner gives an app on the consent page: typed, stored, shown
// again, and refused at its field.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newOwner, type Owner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { sharedService } from '../../../test/support/service.ts'
import { scopes as everything } from '../../app.ts'
import {
  isPage,
  newClient,
  newVisitor,
  type TestClient,
  type Visitor,
} from '../consent/consent.fixture.ts'

const registrar = await sharedService()
const rows = rowsIn(registrar)
const newAccount = () => newOwner(registrar, { scopes: [...everything] })
const records = ['account:read', 'domains:read', 'dns:write']

type Typed = { hosts: string; types: string }
/** Without `typed` the form is sent as it is shown; null leaves its fields out. */
type Asked = { scopes?: readonly string[]; typed?: Typed | null; visitor?: Visitor }

async function decide(client: TestClient, owner: Owner, given: Asked) {
  const { scopes = records, typed, visitor = newVisitor(registrar) } = given
  const asked = { resource: registrar.url, scope: scopes.join(' ') }
  const page = await visitor.consentPage(client.url(asked), owner)
  const sent = typed && { dns_hosts: typed.hosts, dns_types: typed.types }
  const shown = page.form.inputs.filter(({ name }) => name.startsWith('dns_'))
  const kept = Object.fromEntries(shown.map(({ name, value }) => [name, value]))
  const more = Object.entries(typed === undefined ? kept : (sent ?? {}))
  const answer = await visitor.decide(page.form, owner, { scopes, more })
  return { visitor, page, answer }
}

async function connect(client: TestClient, owner: Owner, asked: Asked = {}) {
  const { visitor, answer } = await decide(client, owner, asked)
  const away = await visitor.leave(answer)
  const { status, body } = await client.redeem(away.searchParams.get('code'))
  assert.equal(status, 200, JSON.stringify(body))
  return String(body.access_token)
}

const limitOf = async (token: string) => {
  const { body } = await registrar.request('GET', '/v1/account/limits', { token })
  return body.limits[0]?.dns ?? null
}

describe('the limit of DNS records', () => {
  it('is stored as set by the owner in person, mailed, and in the audit log', async () => {
    const [client, owner] = await Promise.all([newClient(registrar), newAccount()])
    const typed = { hosts: ' _ACME-challenge*, www', types: 'txt;TYPE1' }
    const token = await connect(client, owner, { typed })
    const dns = { hosts: ['_acme-challenge*', 'www'], types: ['TXT', 'A'] }
    assert.deepEqual(await limitOf(token), dns)
    const [stored] = await rows(
      'select dns_in_person, spend_amount from access_limits where customer_id = $1',
      [owner.id],
    )
    assert.deepEqual(stored, { dns_in_person: true, spend_amount: null })
    const [logged] = await rows(
      `select metadata -> 'dns' as dns from audit_logs
        where customer_id = $1 and action = 'grant_oauth_client'`,
      [owner.id],
    )
    assert.deepEqual(logged?.dns, dns)
    const [mail] = await registrar.mails({ to: owner.email, subject: /app was connected/ })
    const words = /change only TXT, A records at _acme-challenge\*, www\./
    assert.match(String(mail?.text).replaceAll(/\s+/g, ' '), words)
  })

  it('is shown at the next consent, which keeps it as it is, or clears it', async () => {
    const [client, owner] = await Promise.all([newClient(registrar), newAccount()])
    await connect(client, owner, { typed: { hosts: '@', types: '' } })
    const { page } = await decide(client, owner, {})
    const hosts = page.form.inputs.find(({ name }) => name === 'dns_hosts')
    assert.equal(hosts?.value, '@')
    assert.match(page.text, /<details class="limit" open>/)
    const kept = { hosts: ['@'], types: null }
    assert.deepEqual(await limitOf(await connect(client, owner)), kept)
    assert.deepEqual(await limitOf(await connect(client, owner, { typed: null })), kept)
    const cleared = await connect(client, owner, { typed: { hosts: ' ,', types: '' } })
    assert.equal(await limitOf(cleared), null)
  })
})

describe('a consent', () => {
  it('leaves the limit of an app that changes no records, and shows no fields of it', async () => {
    const [client, owner] = await Promise.all([newClient(registrar), newAccount()])
    const first = await connect(client, owner, { typed: { hosts: 'www', types: '' } })
    const scopes = ['account:read', 'domains:purchase']
    const { page } = await decide(client, owner, { scopes })
    assert.doesNotMatch(page.text, /dns_hosts/)
    await connect(client, owner, { scopes, typed: { hosts: '*', types: '' } })
    assert.deepEqual((await limitOf(first)).hosts, ['www'])
    const [row] = await rows('select spend_amount from access_limits where customer_id = $1', [
      owner.id,
    ])
    assert.equal(String(row?.spend_amount), '5000')
  })

  it('sets it in person within ten minutes of a log-in alone; unchanged, it stays so', async () => {
    const [client, owner] = await Promise.all([newClient(registrar), newAccount()])
    const visitor = newVisitor(registrar)
    const typed = { hosts: 'www', types: 'A' }
    const later = async (asked: Asked) => {
      await rows(
        `update sessions set signed_in_at = now() - interval '1 hour' where customer_id = $1`,
        [owner.id],
      )
      await connect(client, owner, { visitor, ...asked })
    }
    const isInPerson = async () => {
      const of = 'select dns_in_person from access_limits where customer_id = $1'
      return (await rows(of, [owner.id]))[0]?.dns_in_person
    }
    await connect(client, owner, { visitor })
    await later({ typed })
    assert.equal(await isInPerson(), false)
    await connect(client, owner, { typed })
    assert.equal(await isInPerson(), true)
    await later({})
    assert.equal(await isInPerson(), true)
    await later({ typed: { ...typed, hosts: 'www, mail' } })
    assert.equal(await isInPerson(), false)
  })

  it('with a malformed limit shows the page again at its field, and connects nothing', async () => {
    const [client, owner] = await Promise.all([newClient(registrar), newAccount()])
    const many = Array.from({ length: 101 }, (_, i) => `h${i}`).join(' ')
    for (const [typed, field] of [
      [{ hosts: 'www a!b', types: 'TXT' }, 'dns_hosts'],
      [{ hosts: many, types: '' }, 'dns_hosts'],
      [{ hosts: 'www', types: 'NOTHING' }, 'dns_types'],
      [{ hosts: '', types: many.replaceAll('h', 'TYPE1') }, 'dns_types'],
    ] as const) {
      const { answer } = await decide(client, owner, { typed })
      isPage(answer, 422, field === 'dns_hosts' ? /Type hosts relative/ : /Type types of DNS/)
      const problem = `aria-describedby="${field}-problem ${field}-hint"`
      assert.ok(answer.text.includes(problem))
      assert.ok(answer.text.includes(`value="${typed.hosts}"`))
    }
    const grants = await rows('select id from oauth_grants where customer_id = $1', [owner.id])
    assert.deepEqual(grants, [])
  })
})
