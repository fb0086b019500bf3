// Isolation between callers: a flood of sign-ups neither uses up the password hashing nor keeps
// anybody from logging in.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PasswordHasher } from '../sign-in/index.ts'
import { openSignUps, outcomeOf, password } from './sign-up.fixture.ts'

// The hasher has the costs of production, since the flood must outlast the log-ins beside it.
const passwordHasher = new PasswordHasher()
const { register, started, verify, call } = await openSignUps({ app: { passwordHasher } })

const logIn = async (email: string, address: string) =>
  outcomeOf(await call('POST /v1/dashboard/login', { body: { email, password }, address }))

describe('200 concurrent sign-ups', () => {
  it('of as many networks are refused without a hash once the queue is full', async () => {
    const { signup_id, code, email } = await started()
    assert.equal((await verify({ signup_id, code }, '192.0.2.9')).status, 201)
    const before = passwordHasher.count
    const flood = Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        register(`flood-${i}@example.net`, { address: `100.${64 + (i % 60)}.${i}.1` }),
      ),
    )
    let over = false
    void flood.then(() => {
      over = true
    })
    // The class of known clients is served beside that of the flood.
    assert.equal(await logIn(email, '192.0.2.9'), '200')
    assert.equal(over, false, 'the flood still lasts')
    const answers = await flood
    const accepted = answers.filter(({ status }) => status === 202).length
    assert.equal(passwordHasher.count - before, accepted + 1, 'one of them by the log-in')
    const refused = answers.filter(({ status }) => status !== 202)
    assert.ok(accepted > 0 && refused.length > 0, `${accepted} were accepted`)
    for (const answer of refused) {
      assert.equal(outcomeOf(answer), '503 sign_in_busy')
      assert.ok(Number(answer.headers['Retry-After']) > 0)
    }
  })

  it('of one address make no more hashes than it may sign up', async () => {
    const before = passwordHasher.count
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        register(`one-network-${i}@example.net`, { address: '203.0.113.5' }),
      ),
    )
    const made = passwordHasher.count - before
    // Thirty sign-ups of an address are accepted at once, and six of them hashed.
    assert.ok(made >= 1 && made <= 30, `${made}`)
    for (const answer of answers)
      assert.match(outcomeOf(answer), /^(202|429 too_many_tries|503 sign_in_busy)$/)
  })
})
