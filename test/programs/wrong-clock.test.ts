// A node whose machine's clock is wrong by more than a day behaves like any other node.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import {
  authorization,
  callTool,
  decide,
  ownerOf,
  person,
  redeem,
  refresh,
  register,
} from '../../src/oauth/flow.fixture.ts'
import { type RunningNode, startNode } from '../disasters/support/nodes.ts'
import { newDatabase } from '../support/database.ts'
import { answerTransfer, sellElsewhere, soldCode } from '../support/other-registrar.ts'
import { openBrowser } from '../support/owner.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { startService, type TestCustomer, type TestService } from '../support/service.ts'
import { ask, hasRun, until, untilDone } from './wrong-clock.fixture.ts'

const hour_ms = 3_600_000
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find(existsSync)

type Wrong = { name: string; skew_ms: number; env: Record<string, string> }
const shift = (hours: number) => ({ TEST_SHIFT_MS: String(hours * hour_ms) })
const clocks: Wrong[] = [
  { name: 'right', skew_ms: 0, env: {} },
  { name: '26 h ahead', skew_ms: 26 * hour_ms, env: shift(26) },
  { name: '26 h behind', skew_ms: -26 * hour_ms, env: shift(-26) },
  {
    name: '26 h ahead by libfaketime',
    skew_ms: 26 * hour_ms,
    env: { LD_PRELOAD: library ?? '', FAKETIME: '+26h', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
  },
]

/** A correct node without a worker, and one with this clock, which runs all jobs. */
type Setup = { registrar: TestService; node: RunningNode; url: string; wrong: Wrong }

async function setUp(wrong: Wrong): Promise<Setup> {
  const database_url = await newDatabase('template_of_tests')
  const registrar = await startService({ worker: false, database_url })
  const { settings } = registrar.service
  const place = { database_url, data_dir: settings.data_dir, sandbox: registrar.sandbox }
  const node = await startNode(
    { ...place, settings: { ...wrong.env, PUBLIC_URL: registrar.url } },
    {
      worker: true,
      preload: '../support/shifted-date.ts',
      settings: {
        ENCRYPTION_KEY: Buffer.alloc(32, 'k').toString('base64'),
        OPERATOR_KEY: registrar.operatorKey,
        SMTP_URL: registrar.mailbox.url,
        POLL_EVERY_MS: '200',
      },
    },
  )
  registrar.closers.push(() => node.kill())
  return { registrar, node, url: node.url, wrong }
}

type Wanted = { domain: string; status: string }

function reaches({ url }: Setup, { key: token }: TestCustomer, { domain, status }: Wanted) {
  const read = () => ask(url, `GET /v1/domains/${domain}`, { token })
  return until(read, ({ body }) => body.status === status)
}

async function balance({ registrar }: Setup, { id, key: token }: TestCustomer): Promise<string> {
  const { body } = await registrar.request('GET', `/v1/customers/${id}/billing/balance`, { token })
  return `${body.available} ${body.held}`
}

async function transfers(setup: Setup): Promise<void> {
  const { registrar, url } = setup
  for (const [answer, status, left] of [
    ['approve', 'active', '9.15 0.00'],
    ['reject', 'failed', '20.00 0.00'],
  ] as const) {
    const buyer = await registrar.customer({ funds_cents: 2_000 })
    const domain = `clock-${answer}.com`
    await sellElsewhere(registrar, domain)
    const body = { domain, auth_code: soldCode }
    const asked = await ask(url, 'POST /v1/domains/transfer', { token: buyer.key, body })
    assert.equal(asked.body.status, 'transfer_pending', asked.text)
    await answerTransfer(registrar, domain, answer)
    await reaches(setup, buyer, { domain, status })
    assert.equal(await balance(setup, buyer), left, domain)
  }
}

async function lives(setup: Setup): Promise<void> {
  const { registrar, url } = setup
  const owner = await registrar.customer()
  const token = owner.key
  for (const label of ['renewed', 'automatic', 'unrenewed']) {
    const body = { domain: `clock-${label}.com` }
    const bought = await ask(url, 'POST /v1/domains', { token, body })
    assert.equal(bought.body.status, 'active', bought.text)
    assert.equal(bought.body.expiry, registrar.sandbox.lookup(body.domain)?.expires_at)
  }
  const at = 'POST /v1/domains/clock-renewed.com/renew'
  const renewed = await ask(url, at, { token, body: {} })
  assert.equal(renewed.body.expiry, registrar.sandbox.lookup('clock-renewed.com')?.expires_at)
  const again = await ask(url, at, { token, body: {} })
  assert.equal(again.body.code, 'recently_renewed', again.text)
  const automatic = { token, body: { auto_renew: true } }
  assert.equal((await ask(url, 'PATCH /v1/domains/clock-automatic.com', automatic)).status, 200)
  const effects = (domain: string) =>
    registrar.sandbox.effects().flatMap((one) => (one.domain === domain ? [one.kind] : []))
  const about = async (domain: string) =>
    (await registrar.mails({ to: owner.email, subject: new RegExp(domain), count: 0 })).length
  const end_ms = Date.parse(registrar.sandbox.lookup('clock-unrenewed.com')?.expires_at ?? '')
  const goTo = (days: number) => {
    const left_ms = end_ms + days * 24 * hour_ms - registrar.sandbox.now()
    return registrar.advance(`PT${Math.ceil(left_ms / 1000)}S`)
  }
  await goTo(-31)
  await hasRun(registrar, 'send_expiry_notices')
  const notices = `select from mails where subject like '%clock-unrenewed%'`
  assert.deepEqual(await rowsIn(registrar)(notices), [], 'no notice 31 days before')
  await goTo(-29)
  await untilDone(
    registrar,
    () => about('clock-unrenewed'),
    (mails) => mails > 0,
  )
  assert.deepEqual(effects('clock-automatic.com'), ['create'], 'not renewed 29 days before')
  await goTo(-12)
  await untilDone(
    registrar,
    async () => effects('clock-automatic.com'),
    (kinds) => kinds.includes('renew'),
  )
  await goTo(34)
  await hasRun(registrar, 'delete_unpaid_domains')
  assert.deepEqual(effects('clock-unrenewed.com'), ['create', 'autorenew'], 'day 34: not deleted')
  await goTo(35)
  await untilDone(
    registrar,
    () => ask(url, 'GET /v1/domains/clock-unrenewed.com', { token }),
    ({ body }) => body.status === 'redemption',
  )
  assert.deepEqual(effects('clock-unrenewed.com'), ['create', 'autorenew', 'refund'])
}

/** Sessions, links by mail and API keys of either node are valid at the other. */
async function signsIn({ registrar, url }: Setup): Promise<void> {
  const owner = await registrar.customer({ contact: false, funds_cents: 0 })
  const places = [url, registrar.url]
  for (const [round, issuer] of places.entries()) {
    const other = places[1 - round] ?? ''
    const password = `a good long password, number ${round}`
    const asked = await ask(issuer, `POST /v1/customers/${owner.id}/password-setup`, {
      token: registrar.operatorKey,
    })
    assert.equal(asked.status, 202, asked.text)
    const mails = await registrar.mails({
      to: owner.email,
      subject: /^Set your password/,
      count: round + 1,
    })
    const link = /\/password\?token=(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1]
    const body = { token: link, password }
    const set = await ask(other, 'POST /v1/dashboard/password-reset/confirm', { body })
    assert.equal(set.status, 200, set.text)
    const login = { email: owner.email, password }
    const { body: session } = await ask(issuer, 'POST /v1/dashboard/login', { body: login })
    const days = (Date.parse(session.expires_at) - Date.now()) / 24 / hour_ms
    assert.ok(Math.abs(days - 7) < 0.01, session.expires_at)
    for (const place of places) {
      const { status } = await ask(place, 'GET /v1/account', { token: session.access_token })
      assert.equal(status, 200)
    }
    const minted = await ask(issuer, `POST /v1/customers/${owner.id}/api-keys`, {
      token: session.access_token,
      body: { expires_at: new Date(Date.now() + hour_ms).toISOString() },
    })
    assert.equal(minted.status, 201, minted.text)
    const used = await ask(other, 'GET /v1/account', { token: minted.body.api_key })
    assert.equal(used.status, 200, used.text)
  }
}

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** A browser and a client whose requests alternate between the nodes. */
async function consents({ registrar, url }: Setup): Promise<void> {
  const query = ownerOf(registrar)
  const places = [url, registrar.url]
  for (const [round, first] of places.entries()) {
    const second = places[1 - round] ?? ''
    let turn = round
    const alternating = () => places[turn++ % 2] ?? ''
    const owner = {
      ...(await person(registrar, query)),
      browser: openBrowser(registrar.url, alternating),
    }
    const client = await register(registrar)
    const asked = authorization(registrar, client, { scope: 'openid account:read', max_age: '300' })
    const answer = await decide(owner, asked)
    const code = answer.get('code')
    assert.ok(code, String(answer))
    const at = (place: string) => ({ ...registrar, url: place })
    const redeemed = await redeem(at(first), client, { code, verifier: asked.verifier })
    assert.equal(redeemed.status, 200, redeemed.text)
    const now_s = Date.now() / 1000
    const { iat, exp, auth_time } = claimsOf(redeemed.body.id_token)
    for (const moment of [iat, exp - 3_600, auth_time])
      assert.ok(Math.abs(moment - now_s) < 60, `${JSON.stringify({ iat, exp, auth_time })}`)
    for (const place of places)
      assert.equal((await callTool(place, redeemed.body.access_token)).status, 200)
    const { refresh_token } = redeemed.body
    const fresh = await refresh(at(second), client, { refresh_token })
    assert.equal(fresh.status, 200, fresh.text)
    const last = await refresh(at(first), client, { refresh_token: fresh.body.refresh_token })
    assert.equal(last.status, 200, last.text)
    const shown = await refresh(at(second), client, { refresh_token })
    assert.equal(shown.body.error, 'invalid_grant', 'used already')
  }
}

/** Health is degraded when the clock is off by more than a minute, and says by how much. */
async function health({ registrar, url, wrong }: Setup): Promise<void> {
  const { body } = await ask(url, 'GET /v1/health')
  assert.ok(Math.abs(body.clock.skew_ms - wrong.skew_ms) < 5_000, JSON.stringify(body.clock))
  assert.equal(body.clock.state, wrong.skew_ms === 0 ? 'up' : 'down')
  if (wrong.skew_ms !== 0) assert.equal(body.status, 'degraded')
  assert.ok(Math.abs(Date.parse(body.checked_at) - Date.now()) < 5_000, body.checked_at)
  const right = await registrar.request('GET', '/v1/health')
  assert.equal(right.body.clock.state, 'up')
}

/** Stored times are right, whichever node wrote them. */
async function rows({ registrar }: Setup): Promise<void> {
  const query = ownerOf(registrar)
  for (const [table, column] of [
    ['audit_logs', 'created_at'],
    ['customers', 'created_at'],
    ['sessions', 'created_at'],
    ['sessions', 'last_used_at'],
    ['api_keys', 'created_at'],
    ['orders', 'created_at'],
    ['password_links', 'created_at'],
    ['oauth_grants', 'created_at'],
  ] as const) {
    const [range] = await query(
      `select min(${column}) as first, max(${column}) as last from ${table}`,
    )
    for (const at of Object.values(range ?? {})) {
      assert.ok(at instanceof Date, table)
      const off_ms = Math.abs(at.getTime() - Date.now())
      assert.ok(off_ms < 10 * 60_000, `${table}.${column}: ${at.toISOString()}`)
    }
  }
}

// Side by side, each with its own database and registries: most of a journey is waiting for jobs.
describe('beside a right one', { concurrency: true }, () => {
  for (const wrong of clocks) {
    const missing = 'LD_PRELOAD' in wrong.env && library === undefined
    const skip = missing && process.env.CI !== 'true' ? 'libfaketime is not installed' : false
    test(`a node whose clock is ${wrong.name}`, { skip }, async (t) => {
      const setup = await setUp(wrong)
      await t.test('transfers end', () => transfers(setup))
      await t.test('sign-in', () => signsIn(setup))
      await t.test('consents', () => consents(setup))
      await t.test('rows', () => rows(setup))
      await t.test('health', () => health(setup))
      await t.test('lives of domains', () => lives(setup))
      await setup.node.kill()
    })
  }
})
