// The set-up mail that an operator sends.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { goodPassword, openSignIn, secretsOf } from '../sign-in.fixture.ts'

let jump_ms = 0
const registrar = await openSignIn({ clock: { now: () => new Date(Date.now() + jump_ms) } })
const { db, call, operator } = registrar

async function fresh() {
  const { id, key } = await registrar.customer()
  const [row] = await db.query('select email from customers where id = $1', [id])
  const email = String(row?.email)
  const at = `POST /v1/customers/${id}/password-setup`
  const tokens = async () =>
    (await registrar.mails('password_setup', email)).map((mail) => secretsOf(mail).token)
  return { id, key, email, at, tokens }
}
const confirm = (token: string | undefined) =>
  call('POST /v1/dashboard/password-reset/confirm', { body: { token, password: goodPassword } })

it('mails the owner a link that sets the password, once', async () => {
  const { id, at, email, tokens } = await fresh()
  const answer = await call(at, { token: operator })
  assert.equal(answer.status, 202)
  assert.deepEqual(Object.keys(answer.body), ['email', 'expires_at'])
  const hours = (Date.parse(String(answer.body.expires_at)) - Date.now()) / 3_600_000
  assert.ok(answer.body.email === email && hours > 23.9 && hours < 24.01)
  const [token] = await tokens()
  assert.equal((await confirm(token)).status, 200)
  assert.equal((await confirm(token)).body.code, 'link_not_good')
  assert.equal(await registrar.guess(email, '192.0.2.1', goodPassword), '200')
  const rows = await db.query(
    `select action, actor_type from audit_logs where customer_id = $1 and action like '%password%'
      order by id`,
    [id],
  )
  assert.deepEqual(rows, [
    { action: 'send_password_setup', actor_type: 'operator' },
    { action: 'confirm_password_reset', actor_type: 'anonymous' },
  ])
})

it('only the newest link is valid, for a day', async () => {
  const { at, tokens } = await fresh()
  for (let i = 0; i < 2; i += 1) await call(at, { token: operator })
  const [older, newer] = await tokens()
  assert.equal((await confirm(older)).body.code, 'link_not_good')
  try {
    jump_ms = 24 * 3_600_000 + 1_000
    assert.equal((await confirm(newer)).body.code, 'link_not_good')
  } finally {
    jump_ms = 0
  }
  assert.equal((await confirm(newer)).status, 200)
})

it('is limited: the eleventh mail in a day is refused, and the last link stays valid', async () => {
  const { at, tokens } = await fresh()
  for (let i = 0; i < 10; i += 1) assert.equal((await call(at, { token: operator })).status, 202)
  const answer = await call(at, { token: operator })
  assert.deepEqual([answer.status, answer.body.code], [429, 'too_many_tries'])
  assert.ok(Number(answer.headers['Retry-After']) > 0)
  const mailed = await tokens()
  assert.equal(mailed.length, 10)
  assert.equal((await confirm(mailed.at(-1))).status, 200)
})

it('never shows the link to the operator, nor in the outbox', async () => {
  const { at, tokens } = await fresh()
  const answer = await call(at, { token: operator })
  const [token = ''] = await tokens()
  assert.match(token, /^pwt_/)
  const dump = JSON.stringify([answer, await db.query('select m::text as row from mails m')])
  assert.ok(!dump.includes(token.slice(4)))
})

it('is for operators, for an account that exists and is open', async () => {
  const { id, key, at } = await fresh()
  assert.equal((await call(at, { token: key })).body.code, 'operator_only')
  const unknown = `POST /v1/customers/cus_${'0'.repeat(26)}/password-setup`
  assert.equal((await call(unknown, { token: operator })).body.code, 'customer_not_found')
  await db.query(`update customers set status = 'closed' where id = $1`, [id])
  const closed = await call(at, { token: operator })
  assert.deepEqual([closed.status, closed.body.code], [409, 'account_closed'])
})
