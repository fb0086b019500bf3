// The mails that a key can cause are limited by account, so that it fills neither the mailbox of
// its owner nor the outbox. The owner in person and other accounts are not held up.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { sharedService, startService, type TestCustomer } from '../../../test/support/service.ts'
import { recentSessionOf } from '../../../test/support/sign-in.ts'
import { scopes } from '../../app.ts'

const registrar = await sharedService({ worker: false })
const { request } = registrar
const rows = rowsIn(registrar)
const most = 60
const newOwner = () => registrar.customer({ scopes: [...scopes], funds_cents: 0 })

const mailsOf = async ({ id }: TestCustomer, kind: string) =>
  Number(
    (
      await rows('select count(*) as n from mails where customer_id = $1 and kind = $2', [id, kind])
    )[0]?.n,
  )

async function webhook(token: string) {
  const body = { url: 'https://hooks.example.net/a', types: ['domain.registered'] }
  const made = await request('POST', '/v1/webhooks', { token, body })
  if (made.status === 201)
    await request('DELETE', `/v1/webhooks/${made.body.webhook.id}`, { token })
  return made
}

describe('mails that a key causes', () => {
  it('are refused beyond the limit, before anything has changed', async () => {
    const owner = await newOwner()
    for (let n = 0; n < most; n += 1) assert.equal((await webhook(owner.key)).status, 201)
    const refused = await webhook(owner.key)
    assert.deepEqual([refused.status, refused.body.code], [429, 'notices_limited'], refused.text)
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    const { body } = await request('GET', '/v1/webhooks', { token: owner.key })
    assert.deepEqual(body.webhooks, [])
    assert.equal(await mailsOf(owner, 'webhook_created'), most)
    // A child key, a rotation: the same account.
    const path = `/v1/customers/${owner.id}/api-keys`
    const child = await request('POST', path, { token: owner.key, body: { name: 'child' } })
    const at = `${path}/${child.body.key.id}/rotate`
    const rotated = await request('POST', at, { token: owner.key, body: {} })
    assert.deepEqual([rotated.status, rotated.body.code], [429, 'notices_limited'], rotated.text)
    const session = await recentSessionOf(registrar, owner)
    assert.equal((await webhook(session)).status, 201)
    assert.equal((await webhook((await newOwner()).key)).status, 201)
  })
})

describe('messages to support', () => {
  it('are refused beyond the limit, and a replay is not counted', async () => {
    const limited = await startService({
      settings: { SUPPORT_MESSAGES_PER_HOUR: String(most) },
      worker: false,
    })
    const { request } = limited
    const owner = await limited.customer({ scopes: [...scopes], funds_cents: 0 })
    const write = (body: string, key: string) =>
      request('POST', '/v1/support/messages', {
        token: owner.key,
        body: { body },
        headers: { 'idempotency-key': key },
      })
    for (let n = 0; n < most; n += 1) assert.equal((await write('Hello', `k${n}`)).status, 201)
    assert.equal((await write('Hello', 'k0')).status, 201)
    const refused = await write('Hello', 'another')
    assert.deepEqual([refused.status, refused.body.code], [429, 'support_messages_limited'])
    const { body } = await request('GET', '/v1/support/messages?limit=500', { token: owner.key })
    assert.equal(body.messages.length, most)
  })
})
