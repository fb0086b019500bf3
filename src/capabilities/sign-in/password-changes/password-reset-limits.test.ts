// Limits of password resets: requests, mails to one account, attempts with codes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSignIn } from '../sign-in.fixture.ts'
import { codeOf, next, openResets } from './reset.fixture.ts'

const registrar = await openSignIn()
const { db } = registrar
const { ask, confirm, asked } = openResets(registrar)

describe('requests', () => {
  it('are limited for one email address from one address, known or not', async () => {
    const owner = await registrar.owner()
    for (const email of [owner.email, 'unknown-4@example.net']) {
      const first = await ask(email, '203.0.113.1')
      assert.equal(first.status, 200)
      const again = await ask(email, '203.0.113.1')
      assert.equal(codeOf(again), '429 too_many_tries')
      const wait = Number(again.headers['Retry-After'])
      assert.ok(wait > 0 && wait <= 60, `${wait}`)
    }
  })

  it('cannot be exhausted for all by a flood: new places are slowed', async () => {
    const fill = `insert into sign_in_failures values ('resets', 20000, clock_timestamp())
                  on conflict (key) do update set level = 20000, at = clock_timestamp()`
    await db.query(fill)
    try {
      const answers: string[] = []
      for (const i of [1, 2])
        answers.push(codeOf(await ask(`unknown-f${i}@example.net`, '203.0.9.1')))
      assert.deepEqual(answers, ['200', '429 too_many_tries'])
      assert.equal((await ask('unknown-f3@example.net', '203.0.10.1')).status, 200)
    } finally {
      await db.query(`delete from sign_in_failures where key = 'resets'`)
    }
  })
})

describe('many requests for one account', () => {
  const mailed = async (email: string) => {
    await registrar.answerResets()
    return (await registrar.mails('password_reset', email)).length
  }

  it('send a few mails only, and get the same response all the while', async () => {
    const owner = await registrar.owner()
    for (let i = 0; i < 5; i += 1)
      assert.equal((await ask(owner.email, `203.1.7.${i}`)).status, 200)
    assert.equal(await mailed(owner.email), 3)
    for (let i = 0; i < 12; i += 1) {
      const answer = await ask(owner.email, `203.2.${i}.1`)
      assert.deepEqual([answer.status, answer.body.email], [200, owner.email])
    }
    assert.equal(await mailed(owner.email), 10)
    await db.query(
      `update sign_in_failures set at = at - interval '31 min' where key like 'mail:%'`,
    )
    await ask(owner.email, '203.2.99.1')
    assert.equal(await mailed(owner.email), 11)
  })

  it('take nothing from its owner at a known place', async () => {
    const owner = await registrar.owner()
    await registrar.session(owner, '192.0.2.55')
    for (let i = 0; i < 12; i += 1) await ask(owner.email, `203.3.${i}.1`)
    assert.equal(await mailed(owner.email), 10)
    await ask(owner.email, '192.0.2.55')
    assert.equal(await mailed(owner.email), 11)
  })
})

describe('the code', () => {
  it('is refused after twenty wrong ones a day, while the link stays valid', async () => {
    const { owner, reset_id, code, token } = await asked()
    const email = owner.email
    const fill = `update sign_in_failures set level = 20, at = clock_timestamp()
                   where key like 'code:%'`
    await confirm({ reset_id, code: code === '000000' ? '000001' : '000000' })
    await db.query(fill)
    assert.equal(codeOf(await confirm({ reset_id, code })), '429 too_many_tries')
    assert.equal((await confirm({ token })).status, 200)
    assert.equal(await registrar.guess(email, '192.0.2.9', next), '200')
    await db.query('delete from sign_in_failures')
  })

  it('is refused for all after a thousand wrong ones a day, but not at a known place', async () => {
    const { owner, reset_id, code, token } = await asked()
    await registrar.session(owner, '192.0.2.56')
    await db.query(`insert into sign_in_failures values ('codes', 500, clock_timestamp())`)
    try {
      assert.equal(codeOf(await confirm({ reset_id, code }, '198.51.7.1')), '429 too_many_tries')
      const other = await asked()
      assert.equal((await confirm({ token: other.token }, '198.51.8.1')).status, 200)
      assert.equal((await confirm({ reset_id, code }, '192.0.2.56')).status, 200)
      assert.equal(codeOf(await confirm({ token }, '192.0.2.56')), '403 link_not_good')
    } finally {
      await db.query('delete from sign_in_failures')
    }
  })
})
