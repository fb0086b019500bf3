// Password verification: constant work, brute-force limits, and no account locked out.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Database } from '../../../db/database.ts'
import { goodPassword, openSignIn } from '../sign-in.fixture.ts'
import { type CheckParts, checkPassword } from './check-password.ts'

const registrar = await openSignIn()
const { app, db } = registrar
const { passwordHasher } = app
const wrong = 'not the password'
const at = (network: number) => `198.51.100.${network}`
const check = (email: string, address: string, password = wrong) =>
  checkPassword(app, { email, password, address })

/** The same database, recording the names of its statements. */
function watched(names: string[]): CheckParts {
  const { db } = app
  const note = <S extends { name: string }>(statement: S): S => {
    names.push(statement.name)
    return statement
  }
  const noting: Database = {
    ...db,
    maybe: (statement, ...params) => db.maybe(note(statement), ...params),
    one: (statement, ...params) => db.one(note(statement), ...params),
    count: (statement, ...params) => db.count(note(statement), ...params),
    run: (statement, ...params) => db.run(note(statement), ...params),
  }
  return { ...app, db: noting }
}

/** The results of `count` checks in sequence. */
async function kinds(count: number, ask: (i: number) => ReturnType<typeof check>) {
  const seen: string[] = []
  for (let i = 0; i < count; i += 1) seen.push((await ask(i)).kind)
  return seen
}

it('matches an email address in its canonical form', async () => {
  const { email, id } = await registrar.owner()
  const move = 'update customers set email = $2 where id = $1'
  await db.query(move, [id, `Ada.${email.split('@')[0]}@xn--bcher-kva.example`])
  const typed = `ADA.${email.split('@')[0]}@Bücher.example`
  assert.equal((await check(typed, at(4), goodPassword)).kind, 'good')
})

describe('the work', () => {
  it('is the same statements and one hash for every refusal', async () => {
    const owner = await registrar.owner()
    const { id } = await registrar.customer()
    const [bare] = await db.query('select email from customers where id = $1', [id])
    for (const email of [owner.email, 'unknown@example.net', String(bare?.email), 'no address']) {
      const names: string[] = []
      const before = passwordHasher.count
      const checked = await checkPassword(watched(names), {
        email,
        password: wrong,
        address: at(1),
      })
      assert.deepEqual(checked, { kind: 'wrong' }, email)
      const take = 'sign_in_take_units'
      assert.deepEqual(names, ['sign_in_account_of_email', take, take], email)
      assert.equal(passwordHasher.count - before, 1, email)
    }
  })

  it('is none once there were too many failures', async () => {
    const { email } = await registrar.owner()
    await kinds(10, () => check(email, at(2)))
    const before = passwordHasher.count
    const checked = await check(email, at(2), goodPassword)
    assert.ok(checked.kind === 'limited' && checked.retry_after_s > 0)
    assert.ok(checked.retry_after_s <= 90, `${checked.retry_after_s}`)
    assert.equal(passwordHasher.count, before)
  })

  it('is none, not even a query, while one network is at its concurrency limit', async () => {
    const { email } = await registrar.owner()
    const others = Array.from({ length: 6 }, (_, i) => check(`flood-${i}@example.net`, at(3)))
    const names: string[] = []
    const tried = { email, password: goodPassword, address: at(3) }
    const checked = await checkPassword(watched(names), tried)
    assert.ok(checked.kind === 'limited' && checked.retry_after_s <= 5)
    assert.deepEqual(names, [])
    await Promise.all(others)
    assert.equal((await check(email, at(3), goodPassword)).kind, 'good')
  })

  it('is one query while the queue is full, whether or not there is an account', async () => {
    const owner = await registrar.owner()
    const held = Promise.withResolvers<string>()
    const work = () => held.promise
    const others = Array.from({ length: 30 }, (_, i) =>
      passwordHasher.queue.run({ class: 'unknown', key: `${i}` }, work).catch(() => 'rejected'),
    )
    for (const email of [owner.email, 'unknown-1@example.net']) {
      const names: string[] = []
      const tried = { email, password: goodPassword, address: at(5) }
      assert.equal((await checkPassword(watched(names), tried)).kind, 'limited')
      assert.deepEqual(names, ['sign_in_account_of_email'])
    }
    held.resolve('done')
    await Promise.all(others)
  })
})

describe('brute force', () => {
  it('is limited after ten failures from one address at one account, whether or not it exists', async () => {
    const { email } = await registrar.owner()
    const expected = [...Array(10).fill('wrong'), 'limited', 'limited']
    assert.deepEqual(await kinds(12, () => check(email, at(10))), expected)
    assert.deepEqual(await kinds(12, () => check('unknown-2@example.net', at(11))), expected)
  })

  it('is limited for concurrent attempts, too', async () => {
    const { email } = await registrar.owner()
    const checks = Array.from({ length: 25 }, () => check(email, at(12)))
    const counted = (await Promise.all(checks)).filter(({ kind }) => kind === 'wrong').length
    assert.ok(counted <= 10, `${counted} were checked`)
  })

  it('from many addresses is limited, but not at a known place of the owner', async () => {
    const owner = await registrar.owner()
    await registrar.session(owner, '203.0.113.7')
    const seen = await kinds(65, (i) => check(owner.email, `198.51.${i}.20`))
    assert.deepEqual(seen, [...Array(60).fill('wrong'), ...Array(5).fill('limited')])
    assert.equal((await check(owner.email, at(90), goodPassword)).kind, 'limited')
    assert.equal((await check(owner.email, '203.0.113.7', goodPassword)).kind, 'good')
  })

  it('at many accounts from one address is limited', async () => {
    await check('many@example.net', '203.0.113.8')
    await db.query(`update sign_in_failures set level = 95 where key = 'address:203.0.113.8'`)
    const seen = await kinds(8, (i) => check(`many-${i}@example.net`, '203.0.113.8'))
    assert.deepEqual(seen, [...Array(5).fill('wrong'), ...Array(3).fill('limited')])
  })

  it('drains with time, a unit at a time, and refused attempts do not prolong it', async () => {
    const { email } = await registrar.owner()
    await kinds(15, () => check(email, at(13)))
    await db.query(`update sign_in_failures set at = at - interval '91 s'`)
    assert.deepEqual(await kinds(2, () => check(email, at(13))), ['wrong', 'limited'])
  })

  it('is reset by the right password', async () => {
    const { email } = await registrar.owner()
    const round = () => kinds(9, () => check(email, at(14)))
    for (let i = 0; i < 2; i += 1) {
      assert.ok((await round()).every((kind) => kind === 'wrong'))
      assert.equal((await check(email, at(14), goodPassword)).kind, 'good')
    }
  })

  it('leaves no email address in the table of failures', async () => {
    const { email } = await registrar.owner()
    await check(email, at(15))
    const rows = await db.query('select key from sign_in_failures')
    assert.ok(rows.length > 0 && !JSON.stringify(rows).includes('@'))
  })
})
