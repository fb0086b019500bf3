// A key whose limits hide a domain: no route discloses the domain to it, and none buys it.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { scopes } from '../../src/app.ts'
import { operations } from '../../src/catalog.ts'
import { examples, send } from '../contract/support/examples.ts'
import { openFixture } from '../contract/support/fixture.ts'
import { sharedService } from '../support/service.ts'

const registrar = await sharedService()
const owner = await openFixture(registrar)
const made = await registrar.request('POST', `/v1/customers/${owner.id}/api-keys`, {
  token: registrar.operatorKey,
  body: { scopes: [...scopes], allowed_domains: ['seen-only-*.com'] },
})
const token = String(made.body.api_key)
const named = operations.filter(
  ({ path, who }) => path.includes('{domain}') && who.about === 'me' && !who.in_person,
)
const ofOrders = operations
  .filter(({ path, who }) => path.startsWith('/v1/operations/{id}') && who.about === 'me')
  .map(({ at }) => at)

test('these are the routes of one domain, and of one order', () => {
  assert.ok(named.length >= 13, String(named.length))
  assert.ok(ofOrders.length >= 4, ofOrders.join(', '))
})

describe('a domain that the limits of a key hide', () => {
  for (const { at } of named)
    it(`is 404 for ${at}`, async () => {
      const example = await examples[at]?.make(owner)
      assert.ok(example)
      const hidden = await send(owner, at, { example, token })
      assert.deepEqual([hidden.status, hidden.body.code], [404, 'domain_not_found'], hidden.text)
    })

  it('is 403 to buy, without disclosing that the account holds it already', async () => {
    const body = { domain: owner.domain }
    for (const path of ['/v1/domains', '/v1/domains/transfer']) {
      const more = path.endsWith('transfer') ? { auth_code: 'a-code' } : {}
      const refused = await registrar.request('POST', path, { token, body: { ...body, ...more } })
      assert.deepEqual([refused.status, refused.body.code], [403, 'domain_not_allowed'])
      // Both of these are random, and may look like the year of a date.
      const { request_id: _id, domain: _domain, ...said } = refused.body
      assert.ok(!/expir|operation|held|20\d\d-/.test(JSON.stringify(said)), refused.text)
    }
  })

  for (const at of ofOrders)
    it(`is 404 for ${at}, by the id of its order`, async () => {
      const example = await examples[at]?.make(owner)
      assert.ok(example)
      const hidden = await send(owner, at, { example, token })
      assert.deepEqual([hidden.status, hidden.body.code], [404, 'operation_not_found'], at)
    })

  for (const at of ['POST /v1/domains', 'POST /v1/domains/transfer'])
    it(`is 403 for ${at}`, async () => {
      const example = await examples[at]?.make(owner)
      assert.ok(example)
      const refused = await send(owner, at, { example, token })
      assert.deepEqual([refused.status, refused.body.code], [403, 'domain_not_allowed'])
    })
})
