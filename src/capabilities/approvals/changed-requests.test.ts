// An approval is of exactly one request: changed in any part, before or after the answer, it is
// another one, and nothing is bought by the approval.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { someContact, type TestCustomer } from '../../../test/support/service.ts'
import {
  asked,
  buy,
  ended,
  holds,
  keyOf,
  nextName,
  pair,
  query,
  registrar,
  request,
} from './approvals.fixture.ts'

type Asked = { id: string; person: TestCustomer; domain: string }
type Change = (of: Asked) => Promise<unknown>

/** Approved, with this done in between: how it ends. Nothing is bought. */
async function changed(change: Change) {
  const { person, token, session } = await pair()
  const domain = nextName()
  const id = await asked(token, domain)
  await change({ id, person, domain })
  const path = `/v1/approvals/${id}/approve`
  assert.equal((await request(session, path, {})).status, 200)
  const { state, error } = await ended(token, id)
  assert.deepEqual(await holds(person.id), [])
  return [state, error?.code]
}

/** As if it had been stored so, past the trigger that keeps a stored request as it is. */
const set =
  (columns: string): Change =>
  ({ id }) =>
    query(`begin; set local session_replication_role = replica;
           update approvals set ${columns} where id = '${id}'; commit`)

/** As if the request that is made were another than the one that was approved. */
const input =
  (fields: (of: Asked) => Promise<object>): Change =>
  async (of) => {
    const { encryption } = registrar.service.app
    const [row] = await query('select input from approvals where id = $1', [of.id])
    const sent = JSON.parse(encryption.unseal(String(row?.input)) ?? '')
    const sealed = encryption.seal(JSON.stringify({ ...sent, ...(await fields(of)) }))
    await set(`input = '${sealed}'`)(of)
  }

async function otherContact({ id, key }: TestCustomer): Promise<number> {
  const roles = ['registrant', 'admin', 'technical', 'billing']
  const noDefaults = Object.fromEntries(roles.map((role) => [`default_${role}`, false]))
  const body = { ...someContact, ...noDefaults }
  const made = await request(key, `/v1/customers/${id}/contacts`, body)
  assert.equal(made.status, 201, made.text)
  return Number(made.body.id)
}

const changes: { of: string; change: Change; ends: [state: string, code: string] }[] = [
  {
    of: 'the name in the request',
    change: input(async () => ({ domain: nextName() })),
    ends: ['voided', 'request_changed'],
  },
  {
    of: 'the name of the approval',
    change: set(`domain = 'elsewhere-${process.pid}.com'`),
    ends: ['voided', 'request_changed'],
  },
  {
    of: 'the price',
    change: set('amount = amount - 1'),
    ends: ['voided', 'price_changed'],
  },
  {
    of: 'the period, at a higher price',
    change: input(async () => ({ period_years: 2 })),
    ends: ['voided', 'price_changed'],
  },
  {
    of: 'the period, at a price that was approved',
    change: async (of) => {
      await set('amount = 10 * amount')(of)
      await input(async () => ({ period_years: 2 }))(of)
    },
    ends: ['voided', 'request_changed'],
  },
  {
    of: 'the contact in the request',
    change: input(async ({ person }) => ({ contacts: { registrant: await otherContact(person) } })),
    ends: ['voided', 'request_changed'],
  },
  {
    of: 'the facts of its contact',
    change: ({ person }) =>
      query('update contacts set version = version + 1 where id = $1', [person.contact_id]),
    ends: ['voided', 'request_changed'],
  },
  {
    of: 'the currency in the request',
    change: input(async () => ({ currency: 'EUR' })),
    ends: ['voided', 'request_changed'],
  },
  {
    of: 'the currency of the approval',
    change: set("currency = 'EUR'"),
    ends: ['voided', 'request_changed'],
  },
  {
    of: 'the form of the request, which no longer fits,',
    change: input(async () => ({ contacts: 'all' })),
    ends: ['voided', 'request_changed'],
  },
  {
    of: 'the name servers in the request',
    change: input(async () => ({ nameservers: ['ns1.example.net', 'ns2.example.net'] })),
    ends: ['voided', 'request_changed'],
  },
  {
    of: "the owner's default name servers",
    change: ({ person }) =>
      query(
        `update customers set default_nameservers = '{ns1.example.net,ns2.example.net}'
          where id = $1`,
        [person.id],
      ),
    ends: ['voided', 'request_changed'],
  },
  {
    of: 'the digest',
    change: set("digest = repeat('0', 64)"),
    ends: ['voided', 'request_changed'],
  },
  {
    of: 'the scopes of the key',
    change: ({ person }) =>
      query(
        `update api_keys set scopes = '{domains:read}' where customer_id = $1 and name = 'agent'`,
        [person.id],
      ),
    ends: ['failed', 'insufficient_scope'],
  },
]

describe('a change between the request and its purchase', { concurrency: true }, () => {
  for (const { of, change, ends } of changes)
    it(`of ${of} refuses it: ${ends.join(', ')}`, async () => {
      assert.deepEqual(await changed(change), ends)
    })
})

describe('an approval', () => {
  it('is of no other request of its key, and of no other key', async () => {
    const { person, token, answer } = await pair()
    const [domain, elsewhere] = [nextName(), nextName()]
    const id = await asked(token, domain)
    const sibling = await keyOf(person, { approval_above: { amount: '5.00' } })
    const contacts = { registrant: await otherContact(person) }
    const nameservers = ['ns1.example.net', 'ns2.example.net']
    const others = () =>
      Promise.all([
        buy(token, elsewhere),
        buy(token, domain, { period_years: 2 }),
        buy(token, domain, { contacts }),
        buy(token, domain, { nameservers }),
        buy(sibling.token, domain),
      ])
    const before = await others()
    assert.equal((await answer(id, 'approve')).status, 200)
    // Some of them while its order is open: the same request then answers the order of the
    // account, whichever key sends it.
    const meanwhile = await others()
    assert.equal((await ended(token, id)).state, 'executed')
    const [order] = await query('select id from orders where customer_id = $1', [person.id])
    for (const [at, answers] of [before, meanwhile, await others()].entries())
      for (const [which, { status, body, text }] of answers.entries()) {
        const ofOpenOrder = at > 0 && which === 4 && body.operation?.id === order?.id
        assert.ok(ofOpenOrder || [403, 409].includes(status), text)
        assert.notEqual(body.approval?.id, id)
      }
    const orders = await query('select domain from orders where customer_id = $1', [person.id])
    assert.deepEqual(orders, [{ domain }])
  })
})
