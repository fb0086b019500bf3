// Limits: by principal, by address, by cost, and over all nodes together.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startSandbox } from '../../../sandbox/registry/index.ts'
import { newDatabase } from '../../support/database.ts'
import {
  type Answered,
  answered,
  type GivenKey,
  overTcp,
  signed,
  updateOf,
} from '../../support/dns/dns-update.ts'
import { type Answer, startService, type TestService } from '../../support/service.ts'
import { openUpdates } from '../dns/dns-updates.fixture.ts'
import { untilMinuteIsYoung } from '../support/minute.ts'
import { assertProblem } from '../support/problem.ts'

beforeEach(() => untilMinuteIsYoung())

const database_url = await newDatabase('template_of_tests')
const sandbox = await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR })
const settings = {
  REQUESTS_PER_MINUTE: '60',
  ANONYMOUS_REQUESTS_PER_MINUTE: '30',
  NAMES_PER_MINUTE: '500',
  ANONYMOUS_NAMES_PER_MINUTE: '200',
}
const registrar = await startService({ sandbox, database_url, settings })
const second = await startService({ sandbox, database_url, settings })
after(() => sandbox.close())
// The operator's own limit applies to these, too, so there are as few of its calls as possible.
const [one, other, shared, checker] = [
  await registrar.customer({ funds_cents: 0, contact: false }),
  await registrar.customer({ funds_cents: 0, contact: false }),
  await registrar.customer({ funds_cents: 0, contact: false }),
  await registrar.customer({ funds_cents: 0, contact: false }),
]
const account = (service: TestService, token?: string, headers: Record<string, string> = {}) =>
  service.request('GET', token === undefined ? '/v1/health' : '/v1/account', {
    ...(token === undefined ? {} : { token }),
    headers,
  })

async function many(count: number, ask: (i: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => ask(i)))
}
const passed = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length

function assertLimited(answer: Answer | undefined, policy: string): void {
  assert.ok(answer, 'nothing was limited')
  assertProblem(answer, '429 rate_limited')
  const { headers, body } = answer
  const wait = Number(headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60, `Retry-After ${wait}`)
  assert.match(headers.get('ratelimit') ?? '', new RegExp(`"${policy}";r=[0-9]+;t=[0-9]+`))
  assert.match(headers.get('ratelimit-policy') ?? '', new RegExp(`"${policy}";q=[0-9]+;w=60`))
  assert.deepEqual([body.retryable, body.next_action.type], [true, 'wait_and_retry'])
}

test('a key has its own limit, which no other key uses up', async () => {
  const answers = await many(80, () => account(registrar, one.key))
  assert.equal(passed(answers), 60)
  assertLimited(
    answers.find(({ status }) => status === 429),
    'requests',
  )
  assert.equal((await account(registrar, other.key)).status, 200)
})

test('each response shows the remaining units', async () => {
  const left = async () => {
    const { headers } = await account(registrar, other.key)
    assert.equal(headers.get('ratelimit-policy'), '"requests";q=60;w=60')
    return Number(/"requests";r=([0-9]+);t=[0-9]+/.exec(headers.get('ratelimit') ?? '')?.[1])
  }
  const first = await left()
  assert.equal(await left(), first - 1)
  assert.equal(await left(), first - 2)
})

test('a name costs a unit: 200 names are 200, and a request that costs too much does nothing', async () => {
  const check = (count: number) =>
    registrar.request('POST', '/v1/domains/check', {
      token: checker.key,
      body: { domains: Array.from({ length: count }, (_, i) => `cost-${i}.com`), depth: 'quick' },
    })
  assert.equal((await check(200)).status, 200)
  assert.equal((await check(200)).status, 200)
  const asked = sandbox.counters().thin.commands['domain:check']?.received
  assertLimited(await check(200), 'names')
  assert.equal(sandbox.counters().thin.commands['domain:check']?.received, asked)
  assert.equal((await check(100)).status, 200, 'what is left can still be used')
  assertLimited(await check(1), 'names')
  assert.equal((await account(registrar, checker.key)).status, 200, 'requests are counted apart')
})

test('two nodes on one database give one limit together', async () => {
  const answers = await many(100, (i) => account(i % 2 ? registrar : second, shared.key))
  const count = passed(answers)
  assert.ok(count <= 60, `${count} passed`)
  // A node keeps at most the share that it leased.
  assert.ok(count >= 48, `${count} passed`)
})

test('without a token an address is limited, and X-Forwarded-For does not make it another', async () => {
  const answers = await many(50, (i) =>
    account(registrar, undefined, {
      'x-forwarded-for': `198.51.100.${i}`,
      forwarded: `for=198.51.100.${i}`,
      'x-real-ip': `198.51.100.${i}`,
    }),
  )
  assert.equal(passed(answers), 30)
  assertLimited(
    answers.find(({ status }) => status === 429),
    'requests',
  )
  assert.equal(
    (await account(registrar, other.key)).status,
    200,
    'a key is not limited by other callers',
  )
})

test('a key for DNS updates has a quota of its own, and one with all keys of its account', async () => {
  const held = await openUpdates(registrar)
  const keys = [await held.tsigKey(), await held.tsigKey()]
  const other = (await openUpdates(second)).place
  await untilMinuteIsYoung()
  const send = async (key: GivenKey, at: number) => {
    const change = { updates: [`a.${held.domain} 0 ANY A`] }
    const bytes = signed(updateOf(held.domain, change), key)
    const place = at % 2 === 0 ? held.place : other
    return answered(await overTcp(bytes, place))
  }
  const [first, next] = keys
  assert.ok(first && next)
  const answers: Answered[] = []
  const sending = async (turn: number) => {
    for (let at = turn; at < 70; at += 4) answers.push(await send(first, at))
  }
  await Promise.all([0, 1, 2, 3].map(sending))
  assert.equal(answers.filter(({ rcode }) => rcode === 0).length, 60)
  assert.ok(answers.every(({ rcode, isSigned }) => isSigned && (rcode === 0 || rcode === 5)))
  assert.equal((await send(next, 0)).rcode, 0)
})
