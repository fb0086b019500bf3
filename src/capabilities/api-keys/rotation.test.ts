// A leaked key does not survive its revocation by the new secret of another key, and the owner is
// notified of every rotation by another than the key itself.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Body, testPipeline } from '../../../test/support/test-pipeline.ts'
import { operations as account } from '../account/index.ts'
import { operations as limits } from '../limits/index.ts'
import { operations as keys } from './index.ts'

const pipeline = await testPipeline({ operations: [...keys, ...account, ...limits] })
const { call, db } = pipeline
const owner = await pipeline.customer()
const at = `/v1/customers/${owner.id}/api-keys`

async function make(token: string, body: object = {}) {
  const answer = await call(`POST ${at}`, { token, body })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const key: Body = Object(answer.body.key)
  return { secret: String(answer.body.api_key), key, id: Number(key.id) }
}
const rotate = (token: string, id: number) => call(`POST ${at}/${id}/rotate`, { token })
const scopes = ['keys:write', 'keys:read', 'account:read', 'domains:purchase']
const mails = async (id: number) =>
  db.query('select subject, body from mails where dedupe_key like $1', [`api_key_rotated:${id}:%`])

describe('a key rotates', () => {
  it('neither its parent, nor a sibling, nor a key that the owner made', async () => {
    const parent = await make(owner.key, { scopes })
    const leaked = await make(parent.secret, { scopes })
    const sibling = await make(parent.secret, { scopes: ['account:read'] })
    const another = await make(owner.key, { scopes: ['account:read'] })
    for (const { id } of [parent, sibling, another]) {
      const refused = await rotate(leaked.secret, id)
      assert.deepEqual([refused.status, refused.body.code], [403, 'api_key_not_own'])
      assert.deepEqual(await mails(id), [])
    }
    await call(`POST ${at}/${leaked.id}/revoke`, { token: owner.key })
    for (const { secret } of [parent, sibling, another])
      assert.equal((await call('GET /v1/account', { token: secret })).status, 200)
  })

  it('itself, without a mail', async () => {
    const { secret, id } = await make(owner.key, { scopes })
    assert.equal((await rotate(secret, id)).status, 200)
    assert.deepEqual(await mails(id), [])
  })

  it('its descendants, which end with it, and the owner is notified of the key that did it', async () => {
    const parent = await make(owner.key, { scopes, name: 'planner' })
    const child = await make(parent.secret, { scopes })
    const grandchild = await make(child.secret, { scopes: ['account:read'], name: 'shopper' })
    const rotated = await rotate(parent.secret, grandchild.id)
    assert.equal(rotated.status, 200)
    const [mail, ...more] = await mails(grandchild.id)
    assert.deepEqual(more, [])
    assert.match(String(mail?.subject), /secret of one of your API keys/)
    assert.match(String(mail?.body), /shopper[\s\S]*planner/)
    const secret = String(rotated.body.api_key)
    assert.ok(!String(mail?.body).includes(secret))
    await call(`POST ${at}/${parent.id}/revoke`, { token: owner.key })
    assert.equal((await call('GET /v1/account', { token: secret })).status, 401)
  })
})

describe('made_by of a key', () => {
  it('names its maker: a key, with its id, or an operator', async () => {
    const child = await make(owner.key, { scopes: ['account:read'] })
    const operated = await make(pipeline.operator, { scopes: ['account:read'] })
    const { list } = await call(`GET ${at}`, { token: owner.key })
    const made = ({ id }: { id: number }) => list.find((key) => key.id === id)
    assert.deepEqual(
      [made(child)?.made_by, made(child)?.parent_key_id, made(operated)?.made_by],
      ['api_key', owner.key_id, 'operator'],
    )
  })
})
