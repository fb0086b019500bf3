// Isolation between callers: floods of one caller, signed in or not, keep no other from logging in.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkPassword } from './passwords/check-password.ts'
import { goodPassword, openSignIn, secretsOf } from './sign-in.fixture.ts'

const registrar = await openSignIn()
const { app, call, db } = registrar
const wrong = 'not the password'
const check = (email: string, address: string, password = goodPassword) =>
  checkPassword(app, { email, password, address })
const kindOf = async (...tried: Parameters<typeof check>) => (await check(...tried)).kind
const change = (token: string, address: string, body: object = {}) =>
  call('POST /v1/account/password', {
    token,
    address,
    body: { new_password: 'quite another horse', ...body },
  })

/** Repeats concurrent calls until the work is done. Returns their results. */
async function amid<T>(asking: () => Promise<string>, work: () => Promise<T>) {
  const ends: Record<string, number> = {}
  let over = false
  let asked = 0
  const flood = Promise.withResolvers<void>()
  const loops = Array.from({ length: 45 }, async () => {
    while (!over) {
      const end = await asking()
      ends[end] = (ends[end] ?? 0) + 1
      asked += 1
      // As many again are under way.
      if (asked === 45) flood.resolve()
      await new Promise((done) => setTimeout(done, 20))
    }
  })
  await flood.promise
  const result = await work().finally(() => {
    over = true
  })
  await Promise.all(loops)
  return { ends, result }
}

/** Fifteen log-ins with the right password, each from an address of its own. */
async function innocents(of: (i: number) => string): Promise<string[]> {
  const { email } = await registrar.owner()
  const kinds: string[] = []
  for (let i = 0; i < 15; i += 1) kinds.push(await kindOf(email, of(i)))
  return kinds
}
const allGood = Array(15).fill('good')

describe('a flood of password changes', () => {
  it('keeps no other customer from logging in', async () => {
    const mallory = await registrar.owner()
    const token = await registrar.session(mallory, '203.0.113.9')
    const asking = async () => {
      const { status, body } = await change(token, '203.0.113.9')
      return `${status} ${body.code ?? ''}`.trim()
    }
    const { ends, result } = await amid(asking, () => innocents((i) => `198.51.${i}.1`))
    assert.deepEqual(result, allGood, JSON.stringify(ends))
    assert.ok((ends['200'] ?? 0) <= 10, JSON.stringify(ends))
  })

  it('is answered with Retry-After before any hash is made', async () => {
    const mallory = await registrar.owner()
    const token = await registrar.session(mallory, '203.0.113.10')
    for (let i = 0; i < 10; i += 1)
      assert.equal((await change(token, '203.0.113.10')).status, 200, `${i}`)
    const before = app.passwordHasher.count
    const answer = await change(token, '203.0.113.10', { current_password: 'quite another horse' })
    assert.deepEqual([answer.status, answer.body.code], [429, 'too_many_tries'])
    const wait_s = Number(answer.headers['Retry-After'])
    assert.ok(wait_s > 0 && wait_s <= 1_800, `${wait_s}`)
    assert.equal(app.passwordHasher.count, before)
  })
})

describe('concurrent attempts with many passwords', () => {
  it('keep no other address from logging in', async () => {
    let i = 0
    const asking = () => {
      i += 1
      return kindOf(`unknown-${i}@example.net`, '203.0.113.20', wrong)
    }
    const { result } = await amid(asking, () => innocents((k) => `198.51.${k}.2`))
    assert.deepEqual(result, allGood)
  })

  it('share one queue, however many networks the /48 has', async () => {
    let i = 0
    const asking = () => {
      i += 1
      return kindOf(`unknown-6-${i}@example.net`, `2001:db8:7:${i.toString(16)}::/64`, wrong)
    }
    const { result } = await amid(asking, () => innocents((k) => `198.51.${k}.3`))
    assert.deepEqual(result, allGood)
  })

  it('keep no owner out of a known place, even from everywhere at once', async () => {
    const owner = await registrar.owner()
    assert.equal(await kindOf(owner.email, '192.0.2.77'), 'good')
    let i = 0
    const asking = () => {
      i += 1
      return kindOf(`unknown-b-${i}@example.net`, `100.${i % 60}.${(i * 7) % 250}.1`, wrong)
    }
    const logIns = async () => {
      const kinds: string[] = []
      for (let k = 0; k < 15; k += 1) kinds.push(await kindOf(owner.email, '192.0.2.77'))
      return kinds
    }
    assert.deepEqual((await amid(asking, logIns)).result, allGood)
  })
})

/** Wrong passwords, one after another. */
async function guess(email: string, address: string, times: number): Promise<string[]> {
  const kinds: string[] = []
  for (let i = 0; i < times; i += 1) kinds.push(await kindOf(email, address, wrong))
  return kinds
}

describe('brute force at one account', () => {
  it('from one network locks its owner out of no new place', async () => {
    const [near, far] = [await registrar.owner(), await registrar.owner()]
    for (let i = 1; i <= 4; i += 1) {
      await guess(near.email, `203.0.113.${30 + i}`, 10)
      await guess(far.email, `2001:db8:0:${i}00::/64`, 10)
    }
    assert.equal(await kindOf(near.email, '198.51.100.31'), 'good')
    assert.equal(await kindOf(far.email, '198.51.100.32'), 'good')
  })

  it('from many networks is reset by a password reset, at the address that requested it', async () => {
    const { email } = await registrar.owner()
    const place = '198.51.100.41'
    for (let i = 0; i < 7; i += 1) await guess(email, `203.0.${i}.1`, 10)
    await guess(email, place, 1)
    assert.equal(await kindOf(email, place), 'limited')
    await call('POST /v1/dashboard/password-reset', { body: { email }, address: place })
    await registrar.answerResets()
    const { token } = secretsOf((await registrar.mails('password_reset', email))[0])
    const body = { token, password: 'quite another horse' }
    const at = 'POST /v1/dashboard/password-reset/confirm'
    assert.equal((await call(at, { body, address: place })).status, 200)
    // The attempts continue at once.
    for (let i = 0; i < 7; i += 1) await guess(email, `203.0.${100 + i}.1`, 10)
    assert.equal(await kindOf(email, place, body.password), 'good')
  })
})

describe('brute force at many accounts', () => {
  it('from one IPv6 network is counted by that network', async () => {
    await guess('first@example.net', '2001:db8:9:0::/64', 1)
    for (const [key, net] of [
      ['2001:db8:9:1200::/56', '2001:db8:9:1234::/64'],
      ['2001:db8:9::/48', '2001:db8:9:ffff::/64'],
      ['2001:db8::/32', '2001:db8:aaaa:0::/64'],
    ] as const) {
      await guess('second@example.net', net, 1)
      const fill = `update sign_in_failures set level = 1e6, at = clock_timestamp() where key = $1`
      await db.query(fill, [`address:${key}`])
      assert.deepEqual(await guess('third@example.net', net, 1), ['limited'], key)
      await db.query('delete from sign_in_failures where key = $1', [`address:${key}`])
    }
  })

  it('slows new places down and refuses none; a known place is not affected', async () => {
    const [owner, other] = [await registrar.owner(), await registrar.owner()]
    assert.equal(await kindOf(owner.email, '192.0.2.90'), 'good')
    await db.query(
      `insert into sign_in_failures values ('everybody', 20000, clock_timestamp())
       on conflict (key) do update set level = 20000, at = clock_timestamp()`,
    )
    try {
      assert.equal(await kindOf(other.email, '198.51.77.1'), 'good')
      const tried: string[] = []
      for (let i = 0; i < 6; i += 1)
        tried.push(await kindOf(`unknown-s-${i}@example.net`, `198.51.78.${i}`, wrong))
      assert.deepEqual(tried, [...Array(3).fill('wrong'), ...Array(3).fill('limited')])
      for (let i = 0; i < 6; i += 1) assert.equal(await kindOf(owner.email, '192.0.2.90'), 'good')
    } finally {
      await db.query(`delete from sign_in_failures where key = 'everybody'`)
    }
  })
})
