// The caller of an access token: the scopes of token and consent together, a name for
// the audit log, and a last use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../../test/support/service.ts'
import {
  AuthenticationCache,
  newLastUses,
  writeLastUses,
} from '../../capabilities/api-keys/index.ts'
import { callTool, connect, ownerOf, person } from '../flow.fixture.ts'
import { authenticateAccessTokens, explainAccessTokens } from './access-tokens.ts'

const registrar = await sharedService({ worker: false })
const { app } = registrar.service
const query = ownerOf(registrar)

async function holder(scope = 'account:read domains:read openid') {
  const owner = await person(registrar, query)
  const { tokens } = await connect(registrar, owner, { scope })
  return { owner, token: tokens.access_token }
}

test('a caller has the scopes of ours that both its token and its consent have', async () => {
  const { owner, token } = await holder()
  await query(
    `update oauth_grants set scopes = '{domains:read,keys:write}' where customer_id = $1`,
    [owner.id],
  )
  const caller = await authenticateAccessTokens(app)(token, { entry_point: 'mcp' })
  assert.ok(caller?.kind === 'oauth_client')
  assert.deepEqual([...caller.scopes], ['domains:read'])
  assert.equal((await callTool(registrar.url, token)).status, 403)
  const [row] = await query(
    `select actor_type, actor_label, error_code from audit_logs
      where customer_id = $1 and result = 'denied'`,
    [owner.id],
  )
  assert.deepEqual(row, {
    actor_type: 'oauth_client',
    actor_label: 'A <b>client</b>',
    error_code: 'insufficient_scope',
  })
})

test('a name is shown without its hidden characters', async () => {
  const { owner, token } = await holder()
  await query('update oauth_grants set client_name = $2 where customer_id = $1', [
    owner.id,
    'Good\u202e client\u0007\n',
  ])
  const caller = await authenticateAccessTokens(app)(token, { entry_point: 'mcp' })
  assert.ok(caller?.kind === 'oauth_client')
  assert.equal(caller.label, 'Good client')
})

test('the last use is written for many at once, and kept for the next write when that fails', async () => {
  const { owner, token } = await holder()
  await callTool(registrar.url, token)
  const failing = {
    db: { ...app.db, count: () => Promise.reject(new Error('away')) },
    lastUses: newLastUses(),
  }
  failing.lastUses.oauth_grants.note('some grant', new Date())
  await assert.rejects(writeLastUses(failing), /away/)
  assert.equal(failing.lastUses.oauth_grants.size, 1)
  await writeLastUses(app)
  const [row] = await query('select last_used_at from oauth_grants where customer_id = $1', [
    owner.id,
  ])
  assert.ok(row?.last_used_at instanceof Date)
  assert.equal(app.lastUses.oauth_grants.size, 0)
})

test('refuses text without the form of a token, without a query', async () => {
  const asked: string[] = []
  const db = {
    ...app.db,
    lookUp: () => {
      asked.push('asked')
      return Promise.resolve(undefined)
    },
  }
  const authenticate = authenticateAccessTokens({
    ...app,
    db,
    authentications: new AuthenticationCache({ ...app, db }),
  })
  for (const token of ['x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}.`, 'a.b.c', ''])
    assert.equal(await authenticate(token, { entry_point: 'rest' }), undefined)
  assert.deepEqual(asked, [])
  await authenticate('x'.repeat(43), { entry_point: 'rest' })
  assert.deepEqual(asked, ['asked'])
})

test('a refused token gets its own reason, over REST and MCP alike', async () => {
  const why = async (token: string, entry_point: 'rest' | 'mcp' = 'mcp') =>
    (await explainAccessTokens(app)(token, { entry_point }))?.detail ?? ''
  const { owner, token } = await holder()
  assert.equal(await why(token), '')
  const { body } = await registrar.request('GET', '/v1/account', { token })
  const { base_url, mcp_url } = app.settings
  assert.equal(body.code, 'invalid_token')
  assert.equal(body.detail, `The access token is for ${mcp_url}/mcp, and this is ${base_url}/v1.`)
  assert.match(body.next_action.hint, new RegExp(`"resource=${base_url}/v1"`))
  await query(
    `update oauth_models set expires_at = now() where account_id = $1 and model = 'AccessToken'`,
    [owner.id],
  )
  app.authentications.invalidate()
  assert.match(await why(token), /has expired/)
  assert.equal((await callTool(registrar.url, token)).status, 401)
  await query('update oauth_grants set revoked_at = now() where customer_id = $1', [owner.id])
  assert.match(await why(token), /disconnected the app|unknown here/)
  assert.match(await why('x'.repeat(43)), /is unknown here/)
})
