// Suspending, closing and resuming an account, ending a session, and revoking a token during a
// wait: done at one node, and looked at on the other.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newOwner, type Owner } from '../../support/owner.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { parkedOrderIn } from '../../support/parked-order.ts'
import type { Answer } from '../../support/service.ts'
import { must, openNodePair, soon, within_ms } from './other-node.ts'

const pair = await openNodePair()
const { first, second, sandbox, attacker, logIn, askThere, toolThere, streamThere } = pair
const { assertIsOpen } = pair
const { settings } = first.service

const statusAt = (at: typeof first, path: string, body: object = {}) =>
  must(at.request('POST', `/v1/internal/customers/${path}`, { token: first.operatorKey, body }))
const reason = 'For a test'
const suspend = (id: string) => statusAt(first, `${id}/suspend`, { reason })
const close = (id: string) => statusAt(first, `${id}/close`, { reason })
const resume = (id: string) => statusAt(second, `${id}/resume`)

/** Every kind of token that reads and changes the account, and is in the second node's cache. */
async function tokensOf(owner: Owner) {
  const choice = { scopes: ['account:read', 'contacts:write', 'support:read'] }
  const scope = choice.scopes.join(' ')
  const atMcp = await attacker.connect(owner, { changes: { scope }, choice })
  const changes = { scope, resource: settings.base_url }
  const atRest = await attacker.connect(owner, { changes, choice })
  const rest = [owner.key, await logIn(owner), atRest.tokens.access_token]
  const mcp = [owner.key, atMcp.tokens.access_token]
  for (const token of rest) assert.equal(await readAt('rest', token), '200')
  for (const token of mcp) assert.equal(await readAt('mcp', token), '200')
  const all = [
    ...rest.map((token) => ({ at: 'rest', token }) as const),
    ...mcp.map((token) => ({ at: 'mcp', token }) as const),
  ]
  return { rest, all }
}

type EntryPoint = 'rest' | 'mcp'

/** The status, or of a refusal its code. */
async function readAt(at: EntryPoint, token: string): Promise<string> {
  const { status, body } =
    at === 'rest'
      ? await askThere(['GET', '/v1/account'], { token })
      : await toolThere(token, 'get_account')
  return outcomeOf(status, body)
}

async function changeAt(at: EntryPoint, token: string, owner: Owner): Promise<string> {
  const { id: customer_id, contact_id } = owner
  const city = 'Utrecht'
  const path = `/v1/customers/${customer_id}/contacts/${contact_id}`
  const { status, body } =
    at === 'rest'
      ? await askThere(['PATCH', path], { token, body: { city } })
      : await toolThere(token, 'update_contact', { customer_id, contact_id, city })
  return outcomeOf(status, body)
}

/** The code of a refusal: an MCP client has it in the text of the result. */
function outcomeOf(status: number, { code, result, error }: Answer['body']): string {
  if (status === 401) return 'invalid_token'
  assert.equal(error, undefined)
  return String(code ?? (result?.isError ? JSON.parse(result.content[0].text).code : status))
}

describe('at the other node', () => {
  test('a suspended account is read and not changed, by every token; resumed, it is', async () => {
    const owner = await newOwner(first)
    const { rest, all } = await tokensOf(owner)
    for (const { at, token } of all) assert.equal(await changeAt(at, token, owner), '200')
    const streams = await Promise.all(
      rest.map((token) => streamThere({ authorization: `Bearer ${token}` })),
    )
    await suspend(owner.id)
    for (const { at, token } of all) {
      const isRefused = async () => (await changeAt(at, token, owner)) === 'account_suspended'
      await soon(`a change over ${at} is not refused`, isRefused)
      assert.equal(await readAt(at, token), '200')
    }
    const body = { domain: `bought-while-suspended-${owner.id.slice(-8)}.com` }
    const bought = await askThere(['POST', '/v1/domains'], { token: owner.key, body })
    assert.deepEqual([bought.status, bought.body.code], [403, 'account_suspended'])
    assert.ok(!sandbox.effects().some(({ domain }) => domain === body.domain))
    const reply = { customer_id: owner.id, body: 'Why it is suspended' }
    const options = { token: first.operatorKey, body: reply }
    await must(first.request('POST', '/v1/internal/support/messages', options))
    for (const stream of streams) {
      const [message] = await stream.until(1)
      assert.match(message?.data ?? '', /Why it is suspended/, 'support is open to it')
    }
    await resume(owner.id)
    for (const { at, token } of all)
      await soon(
        `a change over ${at} is refused`,
        async () => (await changeAt(at, token, owner)) === '200',
      )
    for (const stream of streams) stream.close()
  })

  test('a closed account has no token and no stream; resumed, it is opened by a log-in', async () => {
    const owner = await newOwner(first, { funds_cents: 0 })
    const { rest, all } = await tokensOf(owner)
    const streams = await Promise.all(
      rest.map((token) => streamThere({ authorization: `Bearer ${token}` })),
    )
    await close(owner.id)
    const began = performance.now()
    await Promise.all(streams.map(({ ended }) => ended))
    assert.ok(performance.now() - began < within_ms, 'a stream is still open after 5 s')
    for (const { at, token } of all)
      await soon(`${at} is open`, async () => (await readAt(at, token)) === 'invalid_token')
    const logInThere = async () => {
      const body = { email: owner.email, password: owner.password }
      return (await askThere(['POST', '/v1/dashboard/login'], { body })).status
    }
    assert.equal(await logInThere(), 401)
    await resume(owner.id)
    for (const { at, token } of all) assert.equal(await readAt(at, token), 'invalid_token')
    assert.equal(await logInThere(), 200)
  })

  test('a session that its owner ends has no access and no stream; the others have', async () => {
    const owner = await newOwner(first, { funds_cents: 0 })
    const [own, ended] = [await logIn(owner), await logIn(owner)]
    for (const token of [own, ended]) assert.equal(await readAt('rest', token), '200')
    const [kept, stream] = [
      await streamThere({ authorization: `Bearer ${own}` }),
      await streamThere({ authorization: `Bearer ${ended}` }),
    ]
    const { body } = await first.request('GET', '/v1/account/sessions', { token: ended })
    const { id } = body.sessions.find(({ current }: { current: boolean }) => current)
    await must(first.request('DELETE', `/v1/account/sessions/${id}`, { token: own }))
    const began = performance.now()
    await stream.ended
    assert.ok(performance.now() - began < within_ms)
    await soon('it is open', async () => (await readAt('rest', ended)) === 'invalid_token')
    assert.equal(await readAt('rest', own), '200')
    await assertIsOpen(kept, owner)
    kept.close()
  })
})

describe('a wait at the other node', () => {
  type Waiting = { token: string; order: string }
  const waits: readonly [string, (one: Waiting) => Promise<Pick<Answer, 'status' | 'body'>>][] = [
    [
      'list_events over REST',
      ({ token }) => wait('/v1/events?start=now&wait=50&types=webhook.*', token),
    ],
    [
      'wait_for_operation over REST',
      ({ token, order }) => wait(`/v1/operations/${order}/wait`, token),
    ],
    [
      'list_events over MCP',
      ({ token }) =>
        toolThere(token, 'list_events', { start: 'now', wait: 50, types: 'webhook.*' }),
    ],
    [
      'wait_for_operation over MCP',
      ({ token, order }) => toolThere(token, 'wait_for_operation', { id: order, wait: 50 }),
    ],
  ]
  const wait = (path: string, token: string) => askThere(['GET', path], { token })
  const rows = rowsIn(first)

  /** At 20 looks in a row: a wait would have it for longer. Nothing else runs at this node. */
  async function assertNoConnectionIsHeld(): Promise<void> {
    const latest = performance.now() + 10_000
    for (let free = 0; free < 20; ) {
      const { open, idle, waiting } = second.service.app.db.load()
      free = open === idle && waiting === 0 ? free + 1 : 0
      assert.ok(performance.now() < latest, `${open - idle} are held, ${waiting} wait for one`)
      await sleep(5)
    }
  }

  const endings: Record<string, (key_id: number, owner: Owner) => Promise<unknown>> = {
    'its key is revoked': (key_id, { id }) => {
      const path = `/v1/customers/${id}/api-keys/${key_id}/revoke`
      return must(first.request('POST', path, { token: first.operatorKey }))
    },
    'its key is revoked without a notification': (key_id) =>
      rows('update api_keys set revoked_at = now() where id = $1', [key_id]),
  }
  for (const [name, end] of Object.entries(endings))
    test(`ends within 5 s when ${name}, shows nothing, and holds no connection`, async () => {
      const owner = await newOwner(first)
      const { id: order } = await parkedOrderIn(first, { key: owner.key, fault: 'drop_before' })
      const under_way = waits.map(([, begin]) => begin({ token: owner.key, order }))
      const early = Promise.race(under_way).then((answer) => JSON.stringify(answer))
      const { eventWaits } = second.service.app
      while (eventWaits.size < waits.length)
        assert.equal(await Promise.race([early, sleep(5, 'none')]), 'none')
      await assertNoConnectionIsHeld()
      assert.equal(await Promise.race([early, sleep(0, 'none')]), 'none')
      await end(owner.key_id, owner)
      const began = performance.now()
      const answers = await Promise.all(under_way)
      assert.ok(performance.now() - began < within_ms, `${performance.now() - began} ms`)
      for (const [i, { status, body }] of answers.entries()) {
        assert.equal(outcomeOf(status, body), 'invalid_token', waits[i]?.[0] ?? '')
        assert.ok(!JSON.stringify(body).includes('next_cursor'))
      }
    })
})
