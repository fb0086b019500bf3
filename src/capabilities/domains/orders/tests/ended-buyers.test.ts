// The rights of a key or an app at the hold: a purchase that began before its key ended, or before
// the lists of its limits were narrowed, is not placed after that.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../../../kit/random.ts'
import { matchesAny } from '../../../limits/patterns.ts'
import { db, newCustomer, placing } from '../order-batcher.fixture.ts'
import { openOrderBatcher } from '../order-batcher.ts'

const { place } = openOrderBatcher(db.database)
let names = 0
const nextName = (tld = 'com') => {
  names += 1
  return `ended-${names}.${tld}`
}

async function keyOf(customer: string): Promise<string> {
  const [row] = await db.query(
    `insert into api_keys (customer_id, ancestors, key_hash, key_prefix, scopes, created_at)
     values ($1, '{}', sha256($2::text::bytea), 'p', '{domains:purchase}', now()) returning id`,
    [customer, newId('key')],
  )
  return String(row?.id)
}

async function appOf(customer: string): Promise<string> {
  const id = newId('grant')
  await db.query(
    `insert into oauth_grants (id, customer_id, client_id, client_name, redirect_host, scopes,
                               resource, created_at, interaction_hash)
     values ($1, $2, 'client', 'App', 'app.example', '{domains:purchase}', 'r', now(),
             sha256($1::text::bytea))`,
    [id, customer],
  )
  return id
}

const refused = (rule: string) => ({ outcome: 'limit', rule })
const held = async (customer: string) => {
  const [row] = await db.query('select held from ledger_accounts where customer_id = $1', [
    customer,
  ])
  return row?.held
}

describe('a purchase', () => {
  const ends = {
    'was revoked': 'revoked_at = now()',
    'has expired': "expires_at = now() - interval '1 second'",
    'lost domains:purchase': "scopes = '{domains:read}'",
  }
  for (const [how, change] of Object.entries(ends))
    it(`of a key that ${how} is not placed`, async () => {
      const customer = await newCustomer(5_000n)
      const api_key_id = await keyOf(customer)
      const before = placing(customer, nextName(), { api_key_id })
      assert.deepEqual(await place(before), { outcome: 'placed' })
      await db.query(`update api_keys set ${change} where id = $1`, [api_key_id])
      assert.deepEqual(await place(placing(customer, nextName(), { api_key_id })), refused('ended'))
      assert.equal(await held(customer), 1_000n)
      // The response to its commit was lost.
      assert.deepEqual(await place(before), { outcome: 'placed' })
    })

  for (const [how, change] of Object.entries(ends).filter(([how]) => how !== 'has expired'))
    it(`of an app that ${how} is not placed`, async () => {
      const customer = await newCustomer(5_000n)
      const oauth_grant_id = await appOf(customer)
      const order = () => placing(customer, nextName(), { oauth_grant_id })
      assert.deepEqual(await place(order()), { outcome: 'placed' })
      await db.query(`update oauth_grants set ${change} where id = $1`, [oauth_grant_id])
      assert.deepEqual(await place(order()), refused('ended'))
      assert.equal(await held(customer), 1_000n)
    })

  it('outside the lists of a limit is not placed, but where the owner is asked and approved', async () => {
    const customer = await newCustomer(5_000n)
    const api_key_id = await keyOf(customer)
    await db.query(
      `insert into access_limits (customer_id, api_key_id, allowed_tlds, allowed_domains,
                                  created_at, updated_at)
       values ($1, $2, '{com}', '{ended-*.com,ended-*.net}', now(), now())`,
      [customer, api_key_id],
    )
    const order = (domain: string) => placing(customer, domain, { api_key_id })
    assert.deepEqual(await place(order(nextName())), { outcome: 'placed' })
    assert.deepEqual(await place(order(nextName('net'))), refused('domain'))
    assert.deepEqual(await place(order('other-ended.com')), refused('domain'))
    await db.query(`update access_limits set outside_allowed = 'ask' where api_key_id = $1`, [
      api_key_id,
    ])
    assert.deepEqual(await place(order(nextName('net'))), refused('domain'))
    assert.equal(await held(customer), 1_000n)
  })
})

test('the database reads patterns as the service does', () => {
  const unit = fc.constantFrom('a', 'b', '-', '*')
  const pattern = fc
    .tuple(fc.string({ unit, minLength: 1, maxLength: 6 }), fc.constantFrom('com', 'co.uk'))
    .map(([label, tld]) => `${label}.${tld}`)
  const name = fc
    .tuple(
      fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 1, maxLength: 6 }),
      fc.constantFrom('com', 'co.uk', 'xcom'),
    )
    .map(([label, tld]) => `${label}.${tld}`)
  return fc.assert(
    fc.asyncProperty(fc.array(pattern, { minLength: 1, maxLength: 3 }), name, async (all, one) => {
      const [row] = await db.query(
        `select limit_allows(jsonb_populate_record(null::access_limits,
                  jsonb_build_object('allowed_domains', $1::text[])), $2) as allowed`,
        [all, one],
      )
      assert.equal(row?.allowed, matchesAny(all, one))
    }),
    { numRuns: 100 },
  )
})
