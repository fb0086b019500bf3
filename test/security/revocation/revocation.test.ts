// Revocation takes effect within five seconds on every node: here on a second node over the same
// database, which has the token in its cache.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { modern, modernHeaders } from '../../support/mcp.ts'
import { newOwner } from '../../support/owner.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { cookieBrowser, ours } from '../../support/sign-in.ts'
import { must, openNodePair, within_ms } from './other-node.ts'

const pair = await openNodePair()
const { first, there, attacker, logIn, statusThere, streamThere, assertIsOpen } = pair
const { settings } = first.service

/** Valid on the second node until `end` is called, and rejected five seconds later. */
async function assertEnds(token: string, entryPoint: 'rest' | 'mcp', end: () => Promise<unknown>) {
  for (let times = 0; times < 3; times += 1) assert.equal(await statusThere(token, entryPoint), 200)
  const stream =
    entryPoint === 'rest' ? await streamThere({ authorization: `Bearer ${token}` }) : null
  await end()
  const began = performance.now()
  await stream?.ended
  assert.ok(performance.now() - began < within_ms, 'its stream is still open after 5 s')
  while ((await statusThere(token, entryPoint)) === 200) {
    assert.ok(performance.now() - began < within_ms, 'still valid after 5 s')
    await sleep(50)
  }
  assert.equal(await statusThere(token, entryPoint), 401)
}

async function assertStreamEnds(
  headers: Record<string, string>,
  end: () => Promise<unknown>,
): Promise<void> {
  const { ended } = await streamThere(headers)
  await end()
  const began = performance.now()
  await ended
  assert.ok(performance.now() - began < within_ms, 'still open after 5 s')
}

async function onlyGrantOf(session: string): Promise<string> {
  const { body } = await first.request('GET', '/v1/account/oauth-grants', { token: session })
  const [grant, ...others] = body.oauth_grants
  assert.equal(others.length, 0)
  return grant.id
}

describe('on another node', () => {
  test('a revoked API key ends, at REST and at MCP', async () => {
    for (const entryPoint of ['rest', 'mcp'] as const) {
      const owner = await first.customer()
      const path = `/v1/customers/${owner.id}/api-keys/${owner.key_id}/revoke`
      await assertEnds(owner.key, entryPoint, () =>
        must(first.request('POST', path, { token: first.operatorKey })),
      )
    }
  })

  test('the session of a cookie ends with its log-out', async () => {
    const by = await cookieBrowser(first)
    const statusOfCookie = async () =>
      (await fetch(`${there}/v1/account`, { headers: { cookie: by.cookie } })).status
    assert.equal(await statusOfCookie(), 200)
    assert.equal((await by.send('POST', '/v1/dashboard/logout', { headers: ours })).status, 204)
    const began = performance.now()
    while ((await statusOfCookie()) === 200) {
      assert.ok(performance.now() - began < within_ms, 'still valid after 5 s')
      await sleep(50)
    }
    assert.equal(await statusOfCookie(), 401)
  })

  test('a token that its client revokes ends, and with a refresh token the whole family', async () => {
    const owner = await newOwner(first)
    for (const which of ['access_token', 'refresh_token'] as const) {
      const { client, tokens } = await attacker.connect(owner)
      await assertEnds(tokens.access_token, 'mcp', () =>
        must(
          attacker.form('/oauth/revoke', {
            client_id: client.client_id,
            token: tokens[which],
            token_type_hint: which,
          }),
        ),
      )
    }
  })

  test('a grant that its owner revokes ends, at REST and at MCP, and cannot be refreshed', async () => {
    for (const entryPoint of ['rest', 'mcp'] as const) {
      const owner = await newOwner(first)
      const session = await logIn(owner)
      const scope = 'account:read support:read'
      const changes = entryPoint === 'rest' ? { resource: settings.base_url, scope } : {}
      const { client, tokens } = await attacker.connect(owner, { changes })
      const path = `/v1/account/oauth-grants/${await onlyGrantOf(session)}`
      await assertEnds(tokens.access_token, entryPoint, () =>
        must(first.request('DELETE', path, { token: session })),
      )
      const refreshed = await fetch(`${there}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: client.client_id,
          refresh_token: tokens.refresh_token,
        }),
      })
      assert.equal(refreshed.status, 400)
    }
  })

  test('a stolen token ends when its refresh token is replayed', async () => {
    const owner = await newOwner(first)
    const { client, tokens } = await attacker.connect(owner)
    const next = await attacker.refresh(client, tokens.refresh_token)
    assert.equal(next.status, 200)
    const last = await attacker.refresh(client, next.body.refresh_token)
    await assertEnds(last.body.access_token, 'mcp', async () => {
      assert.equal((await attacker.refresh(client, tokens.refresh_token)).status, 400)
    })
  })
})

describe('with its owner', () => {
  test('a new password ends connected apps and other sessions', async () => {
    const owner = await newOwner(first)
    const { tokens } = await attacker.connect(owner)
    const [hash, other] = [await logIn(owner), await logIn(owner)]
    const body = { current_password: owner.password, new_password: `${owner.password}, changed` }
    await assertEnds(tokens.access_token, 'mcp', async () => {
      assert.equal(await statusThere(other, 'rest'), 200)
      await must(first.request('POST', '/v1/account/password', { token: hash, body }))
    })
    assert.equal(await statusThere(other, 'rest'), 401)
    assert.equal(await statusThere(hash, 'rest'), 200)
  })

  test('a password set by an emailed link ends connected apps and all sessions', async () => {
    const owner = await newOwner(first)
    const { client, tokens } = await attacker.connect(owner)
    const session = await logIn(owner)
    assert.equal(await statusThere(session, 'rest'), 200)
    const path = `/v1/customers/${owner.id}/password-setup`
    await must(first.request('POST', path, { token: first.operatorKey }))
    // The first link, that its password was set, and this one.
    const mails = await first.mails({ to: owner.email, subject: /password/i, count: 3 })
    const tokens_mailed = mails.flatMap(
      ({ text }) => /\/password\?token=(\S+)/.exec(text ?? '') ?? [],
    )
    const token = tokens_mailed.at(-1)
    const body = { token, password: `${owner.password}, set again` }
    await assertEnds(tokens.access_token, 'mcp', () =>
      must(first.request('POST', '/v1/dashboard/password-reset/confirm', { body })),
    )
    assert.equal(await statusThere(session, 'rest'), 401)
    assert.equal((await attacker.refresh(client, tokens.refresh_token)).status, 400)
  })

  test('all access ends with its account', async () => {
    const owner = await newOwner(first)
    const { tokens } = await attacker.connect(owner)
    const session = await logIn(owner)
    for (const one of [owner.key, session]) assert.equal(await statusThere(one, 'rest'), 200)
    await assertEnds(tokens.access_token, 'mcp', () =>
      rowsIn(first)(`update customers set status = 'closed' where id = $1`, [owner.id]),
    )
    const began = performance.now()
    for (const one of [owner.key, session])
      while ((await statusThere(one, 'rest')) !== 401) {
        assert.ok(performance.now() - began < within_ms)
        await sleep(50)
      }
  })

  test('a session ends with its logout', async () => {
    const session = await logIn(await newOwner(first))
    await assertEnds(session, 'rest', () =>
      must(first.request('POST', '/v1/dashboard/logout', { token: session })),
    )
  })
})

describe('a stream of events', () => {
  test('ends with a log-out by cookie, a rotated key, and a key that expires', async () => {
    const by = await cookieBrowser(first)
    await assertStreamEnds({ cookie: by.cookie }, () =>
      by.send('POST', '/v1/dashboard/logout', { headers: ours }),
    )
    const scopes = ['keys:write', 'support:read']
    const [rotated, expiring] = [await first.customer({ scopes }), await first.customer()]
    const path = `/v1/customers/${rotated.id}/api-keys/${rotated.key_id}/rotate`
    await assertStreamEnds({ authorization: `Bearer ${rotated.key}` }, () =>
      must(first.request('POST', path, { token: rotated.key, body: { name: 'next' } })),
    )
    await assertStreamEnds({ authorization: `Bearer ${expiring.key}` }, () =>
      rowsIn(first)('update api_keys set expires_at = now() where id = $1', [expiring.key_id]),
    )
  })

  test('ends with a new password, but for the session that set it', async () => {
    const owner = await newOwner(first)
    const [own, other] = [await logIn(owner), await logIn(owner)]
    const kept = await streamThere({ authorization: `Bearer ${own}` })
    const body = { current_password: owner.password, new_password: `${owner.password}, changed` }
    await assertStreamEnds({ authorization: `Bearer ${other}` }, () =>
      must(first.request('POST', '/v1/account/password', { token: own, body })),
    )
    await assertIsOpen(kept, owner)
    kept.close()
  })
})

describe('a stream over MCP', () => {
  test('cannot outlive a revocation, as there are no streams', async () => {
    const { key } = await first.customer()
    const authorization = `Bearer ${key}`
    const event = { authorization, accept: 'text/event-stream' }
    const opened = await fetch(`${there}/mcp`, { headers: event })
    assert.equal(opened.status, 405)
    const listen = { method: 'subscriptions/listen', params: { notifications: {} } }
    const messages: [object, Record<string, string>][] = [
      [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}],
      [{ jsonrpc: '2.0', id: 1, ...modern(listen) }, modernHeaders(listen.method)],
    ]
    for (const [message, headers] of messages) {
      const answer = await fetch(`${there}/mcp`, {
        method: 'POST',
        headers: { ...event, ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(message),
        signal: AbortSignal.timeout(within_ms),
      })
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
      assert.match(await answer.text(), /^data: /m)
    }
  })
})
