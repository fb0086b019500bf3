// Every way in which a consent ends leaves an audit row, an event and a mail to its owner. The acts
// that do not end one are listed, too.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sharedService } from '../../../test/support/service.ts'
import { systemCall } from '../../capabilities/audit/index.ts'
import {
  authorization,
  type Client,
  connect,
  decide,
  ownerOf,
  type Person,
  person,
  post,
  redeem,
  refresh,
  register,
  type Tokens,
} from '../flow.fixture.ts'
import { type EndReason, endReasons } from '../storage/end-reasons.ts'
import { endUnusedGrants } from '../storage/end-unused-grants.job.ts'

const registrar = await sharedService()
const query = ownerOf(registrar)
const { app } = registrar.service

type Connected = { owner: Person; client: Client; tokens: Tokens }
type Way = (connected: Connected) => Promise<unknown>

async function mustBe(answer: Promise<{ status: number; text: string }>, status: number) {
  const { status: got, text } = await answer
  assert.equal(got, status, text)
}

const operator = { token: registrar.operatorKey }

async function disconnect({ owner }: Connected): Promise<void> {
  const [grant] = await query('select id from oauth_grants where customer_id = $1', [owner.id])
  const made = await registrar.request('POST', `/v1/customers/${owner.id}/api-keys`, {
    ...operator,
    body: { scopes: ['keys:write'] },
  })
  const path = `/v1/account/oauth-grants/${grant?.id}`
  await mustBe(registrar.request('DELETE', path, { token: made.body.api_key }), 200)
}

async function replayRefresh({ client, tokens }: Connected): Promise<void> {
  const first = await refresh(registrar, client, tokens)
  await refresh(registrar, client, { refresh_token: first.body.refresh_token })
  await mustBe(refresh(registrar, client, { refresh_token: tokens.refresh_token }), 400)
}

/** A consent of its own, whose code is redeemed twice. */
async function replayCode({ owner }: Connected): Promise<void> {
  const client = await register(registrar)
  const asked = authorization(registrar, client)
  const code = (await decide(owner, asked)).get('code') ?? ''
  await mustBe(redeem(registrar, client, { code, verifier: asked.verifier }), 200)
  await mustBe(redeem(registrar, client, { code, verifier: asked.verifier }), 400)
}

const revokeToken =
  (which: 'access_token' | 'refresh_token'): Way =>
  ({ client, tokens }) =>
    mustBe(
      post(`${registrar.url}/oauth/revoke`, { token: tokens[which], client_id: client.client_id }),
      200,
    )

const closeByOperator: Way = ({ owner }) =>
  mustBe(
    registrar.request('POST', `/v1/internal/customers/${owner.id}/close`, {
      ...operator,
      body: { reason: 'asked by mail' },
    }),
    200,
  )

/** The one that its owner gave before allowed more. */
async function consentToNothing({ owner, client }: Connected): Promise<void> {
  const asked = authorization(registrar, client, { scope: 'openid account:read domains:read' })
  await decide(owner, asked, { scopes: ['domains:read'] })
}

async function letExpire({ owner }: Connected): Promise<void> {
  await query(
    `update oauth_models set expires_at = clock_timestamp() - interval '1 second',
            consumed_at = consumed_at - interval '11 minutes'
      where account_id = $1`,
    [owner.id],
  )
  await query(
    `update oauth_grants set created_at = created_at - interval '11 minutes'
      where customer_id = $1`,
    [owner.id],
  )
  await endUnusedGrants.run(app, systemCall(app, 'test'))
}

const change =
  (sql: string): Way =>
  ({ owner }) =>
    query(sql, [owner.id])

const ways: readonly (readonly [name: string, EndReason | 'unknown', Way])[] = [
  ['its owner, or a key of theirs, disconnects the app', 'disconnected', disconnect],
  ['the app revokes its access token', 'revoked_by_app', revokeToken('access_token')],
  ['the app revokes its refresh token', 'revoked_by_app', revokeToken('refresh_token')],
  ['a refresh token is replayed', 'refresh_token_reused', replayRefresh],
  ['a code is replayed', 'code_reused', replayCode],
  [
    'the password is changed, in whatever way',
    'password_changed',
    change('update passwords set changed_at = clock_timestamp() where customer_id = $1'),
  ],
  ['an operator closes the account', 'account_closed', closeByOperator],
  ['a later consent leaves nothing of it', 'narrowed', consentToNothing],
  ['all of its tokens have expired', 'unused', letExpire],
  [
    'someone ends it in the database, or a version before does',
    'unknown',
    change('update oauth_grants set revoked_at = clock_timestamp() where customer_id = $1'),
  ],
]

async function connected(): Promise<Connected> {
  const owner = await person(registrar, query)
  return { owner, ...(await connect(registrar, owner, { scope: 'account:read' })) }
}

/** The audit rows, events and mails, once all are there. */
async function reportsOf(customer_id: string, grant: string) {
  const rows = async (sql: string) => query(sql, [customer_id, grant])
  for (;;) {
    const audit = await rows(
      `select metadata, actor_type, result from audit_logs
        where customer_id = $1 and action = 'end_oauth_grant' and target = $2`,
    )
    const events = await rows(
      `select data from events
        where customer_id = $1 and type = 'app.disconnected' and subject_id = $2`,
    )
    const mails = await rows(
      `select subject, body from mails
        where customer_id = $1 and kind = 'oauth_grants_ended' and $2 <> ''`,
    )
    if (audit.length > 0 && events.length > 0 && mails.length > 0) return { audit, events, mails }
  }
}

describe('a consent ends with an audit row, an event and a mail', () => {
  for (const [name, reason, end] of ways)
    it(`when ${name}`, { timeout: 20_000 }, async () => {
      const given = await connected()
      await end(given)
      const [grant] = await query(
        `select id, end_reason from oauth_grants
          where customer_id = $1 and revoked_at is not null`,
        [given.owner.id],
      )
      assert.ok(grant, 'the consent has ended')
      assert.equal(grant.end_reason ?? 'unknown', reason)
      const { audit, events, mails } = await reportsOf(given.owner.id, String(grant.id))
      assert.equal(audit.length, 1)
      assert.deepEqual([audit[0]?.actor_type, audit[0]?.result], ['system', 'success'])
      assert.equal(Object(audit[0]?.metadata).reason, reason)
      assert.equal(events.length, 1)
      assert.equal(Object(events[0]?.data).reason, reason)
      assert.equal(mails.length, 1)
      assert.match(String(mails[0]?.subject), /^An app was disconnected/)
    })

  it('and every reason is in this table', () => {
    const tried = new Set(ways.map(([, reason]) => reason))
    assert.deepEqual(
      [...endReasons].filter((one) => !tried.has(one)),
      [],
    )
  })

  it('and every statement that ends one says why', () => {
    const root = join(import.meta.dirname, '../..')
    const texts = globSync(['**/*.sql.ts', 'db/functions/*.sql'], { cwd: root }).map((file) =>
      readFileSync(join(root, file), 'utf8'),
    )
    const ending = texts.flatMap(
      (text) => text.match(/update oauth_grants set revoked_at[\s\S]{0,100}/g) ?? [],
    )
    assert.equal(ending.length, 5)
    for (const one of ending) assert.match(one, /end_reason = /)
  })
})

describe('one mail', () => {
  it('is about all apps that ended together', { timeout: 20_000 }, async () => {
    const given = await connected()
    await connect(registrar, given.owner)
    await change('update passwords set changed_at = clock_timestamp() where customer_id = $1')(
      given,
    )
    const grants = await query('select id from oauth_grants where customer_id = $1', [
      given.owner.id,
    ])
    assert.equal(grants.length, 2)
    for (const { id } of grants) {
      const { mails } = await reportsOf(given.owner.id, String(id))
      assert.equal(mails.length, 1)
    }
  })
})

describe('a consent stays', () => {
  const stays: readonly (readonly [string, Way])[] = [
    [
      'when its account is suspended, which holds up what it may change',
      ({ owner }) =>
        mustBe(
          registrar.request('POST', `/v1/internal/customers/${owner.id}/suspend`, {
            ...operator,
            body: { reason: 'unpaid' },
          }),
          200,
        ),
    ],
    [
      'when its owner logs out everywhere',
      change('update sessions set ended_at = clock_timestamp() where customer_id = $1'),
    ],
    [
      'when a key of its owner is revoked',
      change('update api_keys set revoked_at = clock_timestamp() where customer_id = $1'),
    ],
  ]
  for (const [name, act] of stays)
    it(name, async () => {
      const given = await connected()
      await act(given)
      const [grant] = await query('select revoked_at from oauth_grants where customer_id = $1', [
        given.owner.id,
      ])
      assert.equal(grant?.revoked_at, null)
    })
})
