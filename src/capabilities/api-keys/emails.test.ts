// The owner is notified by mail of keys that an operator creates or revokes, in that transaction.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPipeline } from '../../../test/support/test-pipeline.ts'

const pipeline = await testPipeline()
const { call, operator, db } = pipeline
const owner = await pipeline.customer()
const at = `/v1/customers/${owner.id}/api-keys`
const { body: account } = await call('GET /v1/account', { token: owner.key })

const mails = async () =>
  db.query(
    `select recipient, subject, body, dedupe_key from mails
             where customer_id = $1 and dedupe_key not like $2 order by created_at`,
    [owner.id, `%:${owner.key_id}`],
  )
async function make(token: string, name: string) {
  const { body, status } = await call(`POST ${at}`, { token, body: { name } })
  assert.equal(status, 201)
  return { id: Number(Object(body.key).id), secret: String(body.api_key) }
}

test('sends no mail for changes by owners and their keys', async () => {
  const { id } = await make(owner.key, 'mine')
  await call(`POST ${at}/${id}/revoke`, { token: owner.key })
  assert.deepEqual(await mails(), [])
})

test('notifies of a key that an operator creates, with name and scopes, never with the secret', async () => {
  const { secret } = await make(operator, 'for "support" \u00a0 of Ada')
  const [mail, ...more] = await mails()
  assert.ok(mail)
  assert.deepEqual(more, [])
  assert.equal(mail.recipient, account.email)
  const text = String(mail.body)
  assert.match(text, /^Hello Customer 1,\n/)
  assert.match(text, /An operator of this service created an API key/)
  assert.match(text.replaceAll('\n', ' '), /\("for "support" of Ada"\)/)
  assert.match(text, /domains:read/)
  assert.ok(!text.includes(secret))
})

test('notifies of a key that an operator revokes, once however often it is revoked', async () => {
  const before = (await mails()).length
  const { id } = await make(owner.key, 'to be revoked')
  for (let times = 0; times < 2; times += 1)
    assert.equal((await call(`POST ${at}/${id}/revoke`, { token: operator })).status, 200)
  const sent = (await mails()).slice(before)
  assert.deepEqual(
    sent.map(({ subject }) => subject),
    ['One of your API keys was revoked'],
  )
})

test('sends no mail for a refused change', async () => {
  const before = (await mails()).length
  const refused = await call(`POST ${at}/9007199254740991/revoke`, { token: operator })
  assert.equal(refused.status, 404)
  assert.equal((await mails()).length, before)
})
