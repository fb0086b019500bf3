// Limits of signing in (decision 22): fields at their edges, and concurrent attempts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PasswordHasher } from '../../../src/capabilities/sign-in/index.ts'
import { startService } from '../../support/service.ts'
import { sessionOf } from '../../support/sign-in.ts'
import { assertEdges, bad } from '../support/edges.ts'
import { assertInvalid, assertProblem } from '../support/problem.ts'

// A hash takes its usual time, because the attempts that wait for one are counted.
const registrar = await startService({ passwordHasher: new PasswordHasher() })
const { passwordHasher } = registrar.service.app
const customer = await registrar.customer({ funds_cents: 0, contact: false })
const phrase = 'a horse, a battery & '

const post = (path: string, token?: string) => (body: object) =>
  registrar.request('POST', path, { body, ...(token === undefined ? {} : { token }) })

test('an email address has 3 to 320 characters, a tried password 1 to 256', async () => {
  const path = '/v1/dashboard/login'
  await assertEdges(post(path), { email: 'absent@example.net', password: 'x' }, [
    bad('email', 'a@', 'body.email string_too_short'),
    bad('email', `${'a'.repeat(312)}@b.example`, 'body.email string_too_long'),
    bad('email', 'absent', 'body.email value_error'),
    bad('email', undefined, 'body.email missing'),
    bad('password', '', 'body.password string_too_short'),
    bad('password', '🐎'.repeat(257), 'body.password string_too_long'),
    bad('password', 12345678, 'body.password string_type'),
    bad('remember', true, 'body.remember extra_forbidden'),
  ])
  const longest = { email: 'absent@example.net', password: '🐎'.repeat(256) }
  assertProblem(await post(path)(longest), '401 wrong_credentials', `POST ${path}`)
})

test('a new password has 8 to 256 characters', async () => {
  const path = '/v1/account/password'
  const field = 'new_password'
  // They run one after another: each ends the other sessions, and this one stays.
  const token = await sessionOf(registrar, customer)
  const current = { current_password: 'a horse, a battery & a staple' }
  await assertEdges(post(path, token), current, [
    bad(field, '1 horse', `body.${field} string_too_short`),
    bad(field, phrase.repeat(13), `body.${field} string_too_long`),
    bad(field, 'password', `body.${field} value_error`),
    bad(field, undefined, `body.${field} missing`),
    bad('current_password', '', 'body.current_password string_too_short', `body.${field} missing`),
  ])
  let known = current.current_password
  for (const next of ['a 1 hors', `${phrase.repeat(12)}${'🐎'.repeat(4)}`]) {
    const body = { current_password: known, new_password: next }
    const answer = await post(path, token)(body)
    assert.equal(answer.status, 200, answer.text)
    known = next
  }
  assert.equal([...known].length, 256)
})

test('a reset is confirmed in one way only, with valid parts', async () => {
  const base = { reset_id: 'pwl_1', code: '123456', password: `${phrase}a staple` }
  await assertEdges(post('/v1/dashboard/password-reset/confirm'), base, [
    bad('code', '12345', 'body.code string_pattern_mismatch'),
    bad('code', '1234567', 'body.code string_pattern_mismatch'),
    bad('code', '１２３４５６', 'body.code string_pattern_mismatch'),
    bad('code', 123456, 'body.code string_type'),
    bad('code', undefined, 'body value_error'),
    bad('reset_id', '', 'body.reset_id string_too_short'),
    bad('token', 't'.repeat(19), 'body.token string_too_short'),
    bad('token', 't'.repeat(513), 'body.token string_too_long'),
    bad('token', 't'.repeat(40), 'body value_error'),
    bad('password', 'short', 'body.password string_too_short'),
  ])
  assertInvalid(await post('/v1/dashboard/password-reset')({}), ['body.email missing'])
})

test('two hundred concurrent log-ins cost a few hashes, and the rest of the service is not affected', async () => {
  const before = passwordHasher.count
  const logIns = Array.from({ length: 200 }, (_, i) => {
    const body = { email: `many-${i}@example.net`, password: phrase }
    return registrar.request('POST', '/v1/dashboard/login', { body })
  })
  const health = await Promise.all(
    Array.from({ length: 20 }, () => registrar.request('GET', '/v1/health')),
  )
  assert.ok(health.every(({ status }) => status === 200))
  const answers = await Promise.all(logIns)
  for (const answer of answers)
    if (answer.status !== 401) assertProblem(answer, '429 too_many_tries')
  const refused = answers.filter(({ status }) => status === 429).length
  assert.ok(refused >= 100, `${refused} were refused with Retry-After`)
  assert.equal(passwordHasher.count - before, 200 - refused)
})
