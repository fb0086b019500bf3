// The look-up of a caller has a connection and a timeout of its own: slow reads of others do not
// hold it up, and an outage of it is 503 with Retry-After, never 401.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { scopes } from '../../../src/app.ts'
import { openAttacker } from '../../security/client.ts'
import { newOwner } from '../../support/owner.ts'
import { type Answer, startService } from '../../support/service.ts'
import { sessionOf } from '../../support/sign-in.ts'
import { assertProblem } from '../support/problem.ts'

const registrar = await startService()
const attacker = openAttacker(registrar)
const people = await Promise.all(
  Array.from({ length: 12 }, () => registrar.customer({ scopes: [...scopes], contact: false })),
)
const locker = new pg.Client({ connectionString: registrar.service.settings.database_url ?? '' })
await locker.connect()
after(() => locker.end())

/** Runs the work while nothing can read these tables. */
async function whileLocked<T>(tables: string, work: () => Promise<T>): Promise<T> {
  await locker.query('begin')
  try {
    await locker.query(`lock table ${tables} in access exclusive mode`)
    return await work()
  } finally {
    await locker.query('rollback')
  }
}

/** Waits until a session waits to read this table for a listing. */
async function untilListingsWait(table: string): Promise<void> {
  const blocked = `select from pg_stat_clear_snapshot() cross join pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'
                      and query ~ 'from ${table}\\s.* limit'`
  while ((await locker.query(blocked)).rows.length === 0) await sleep(5)
}

async function timed(answer: Promise<Answer>) {
  const began = performance.now()
  const done = await answer
  return { ...done, ms: performance.now() - began }
}

/** Remembered callers are forgotten after 3 s: each of these keys is a new one. */
const freshKey = async () => {
  const [one] = people
  const path = `/v1/customers/${one?.id}/api-keys`
  const made = await registrar.request('POST', path, { token: registrar.operatorKey, body: {} })
  const key: string = made.body.api_key
  return key
}

test('slow listings do not delay the look-up of tokens', async () => {
  const key = await freshKey()
  await Promise.all(
    people.map(({ key: token }) => registrar.request('GET', '/v1/account', { token })),
  )
  const listings = await whileLocked('domains', async () => {
    const begun = people.map(({ key: token }) => registrar.request('GET', '/v1/domains', { token }))
    const first = Promise.race(begun).then(() => 'a listing')
    await untilListingsWait('domains')
    const answer = registrar.request('GET', '/v1/contact-countries', { token: key })
    assert.equal(await Promise.race([first, answer.then(({ status }) => status)]), 200)
    return { begun }
  })
  for (const { status } of await Promise.all(listings.begun)) assert.equal(status, 200)
})

describe('a look-up that does not end in time is 503 with Retry-After', () => {
  const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account' } }
  const rest = (token: string) => timed(registrar.request('GET', '/v1/account', { token }))
  const mcp = (token: string) => timed(attacker.post(token, tool))
  const userinfo = (token: string) => timed(registrar.request('GET', '/oauth/userinfo', { token }))

  function assertLate(answer: Answer & { ms: number }): void {
    assert.equal(answer.status, 503, answer.text)
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/)
    assert.equal(answer.headers.get('www-authenticate'), null)
    // Other statements have 12 s to be answered.
    assert.ok(answer.ms < 10_000, `took ${answer.ms} ms`)
  }

  test('of API keys, over REST and MCP', async () => {
    const keys = await Promise.all(people.map(() => freshKey()))
    await whileLocked('api_keys', async () => {
      const answers = await Promise.all(keys.flatMap((key) => [rest(key), mcp(key)]))
      for (const answer of answers) assertLate(answer)
      const [first, second] = answers
      assert.ok(first && second)
      assertProblem(first, '503 database_unavailable', 'GET /v1/account')
      assert.equal(second.body.error?.data?.code, 'database_unavailable', second.text)
    })
    for (const key of keys.slice(0, 2)) assert.equal((await rest(key)).status, 200)
  })

  test('of sessions', async () => {
    const [one] = people
    assert.ok(one)
    const session = await sessionOf(registrar, one)
    await whileLocked('sessions', async () => assertLate(await rest(session)))
    assert.equal((await rest(session)).status, 200)
  })

  test('of operator keys', async () => {
    const path = '/v1/internal/parked-orders'
    registrar.service.app.authentications.invalidate()
    await whileLocked('operator_keys', async () =>
      assertLate(await timed(registrar.request('GET', path, { token: registrar.operatorKey }))),
    )
    assert.equal(
      (await registrar.request('GET', path, { token: registrar.operatorKey })).status,
      200,
    )
  })

  test('of OAuth access tokens, at each resource', async () => {
    const owner = await newOwner(registrar)
    const { tokens } = await attacker.connect(owner)
    const { access_token } = tokens
    await whileLocked('oauth_models, oauth_grants', async () => {
      for (const answer of await Promise.all([mcp(access_token), rest(access_token)]))
        assertLate(answer)
      const shown = await userinfo(access_token)
      assertLate(shown)
      assert.equal(shown.body.error, 'temporarily_unavailable')
    })
    assert.equal((await mcp(access_token)).status, 200)
  })
})
