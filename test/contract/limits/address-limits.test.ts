// The limit of an address: for all its callers, with a valid token, an invalid
// one or none.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { startService } from '../../support/service.ts'
import { untilMinuteIsYoung } from '../support/minute.ts'
import { assertProblem } from '../support/problem.ts'

beforeEach(() => untilMinuteIsYoung())

const settings = { ADDRESS_REQUESTS_PER_MINUTE: '100', TRUSTED_PROXIES: '127.0.0.1' }
const registrar = await startService({ settings })
const from = (address: string, token?: string) =>
  registrar.request('GET', '/v1/health', {
    ...(token === undefined ? {} : { token }),
    headers: { 'x-forwarded-for': address },
  })

test('guesses of a token are counted by address, and end in 429 for that address alone', async () => {
  const guesses = Array.from({ length: 130 }, (_, i) =>
    from('198.51.100.7', `op_${i}`.padEnd(43, 'g')),
  )
  const answers = await Promise.all(guesses)
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  assert.deepEqual([count(401), count(429)], [100, 30])
  const limited = answers.find(({ status }) => status === 429)
  assert.ok(limited)
  assertProblem(limited, '429 rate_limited')
  assert.match(limited.headers.get('ratelimit-policy') ?? '', /"address";q=100;w=60/)
  assert.equal(
    (await from('198.51.100.7', registrar.operatorKey)).status,
    429,
    'also with a valid one',
  )
  assert.equal((await from('198.51.100.8')).status, 200)
})

test('behind a trusted proxy the nearest untrusted address counts, and an IPv6 /64 is one', async () => {
  const spoofed = (i: number) => from(`203.0.113.${i}, 198.51.100.9`)
  const answers = await Promise.all(Array.from({ length: 130 }, (_, i) => spoofed(i)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 100)
  const household = await Promise.all(
    Array.from({ length: 130 }, (_, i) => from(`2001:db8:1:2::${(i + 1).toString(16)}`)),
  )
  assert.equal(household.filter(({ status }) => status === 200).length, 100)
})

test('an IPv6 site has four times the requests of one of its /64, and other sites their own', async () => {
  const network = (i: number) => `2001:db8:7:${i.toString(16)}::1`
  const answers = await Promise.all(Array.from({ length: 500 }, (_, i) => from(network(i))))
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(refused.length, 100)
  for (const one of refused) assertProblem(one, '429 rate_limited')
  assert.match(refused[0]?.headers.get('ratelimit-policy') ?? '', /"address-of-site";q=400;w=60/)
  assert.equal((await from('2001:db8:8::1')).status, 200)
})

test('an element of X-Forwarded-For with a port counts for its address', async () => {
  const ports = Array.from({ length: 130 }, (_, i) => from(`198.51.100.20:${40_000 + i}`))
  const answers = await Promise.all(ports)
  assert.equal(answers.filter(({ status }) => status === 200).length, 100)
  const bracketed = Array.from({ length: 130 }, (_, i) => from(`[2001:db8:77::${i}]:443`))
  const others = await Promise.all(bracketed)
  assert.equal(others.filter(({ status }) => status === 200).length, 100)
})
