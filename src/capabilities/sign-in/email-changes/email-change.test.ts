// Changes of the e-mail address: re-authentication, the link, and the mails to both addresses.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { notedStatements } from '../../../../test/support/database.ts'
import { goodPassword, openSignIn } from '../sign-in.fixture.ts'

let jump_ms = 0
const registrar = await openSignIn({ clock: { now: () => new Date(Date.now() + jump_ms) } })
const { app, call, db, mails } = registrar
const verifyAt = 'POST /v1/account/email/verify'
const current_password = goodPassword
let made = 0
const newEmail = () => {
  made += 1
  return `moved-${made}@example.org`
}
const change = (token: string, body: object) => call('PATCH /v1/account', { token, body })
const verify = (token: string, link: string) => call(verifyAt, { token, body: { token: link } })
const outcomeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  `${status} ${body.code ?? ''}`.trim()
const linkOf = async (email: string) => {
  const mail = (await mails('email_change', email)).at(-1)
  return /http:\/\/localhost:8080\/dashboard\/email\/verify#token=(\w+)/.exec(mail?.text ?? '')?.[1]
}

/** An owner with a session, who asked for another address. */
async function changing() {
  const owner = await registrar.owner()
  const session = await registrar.session(owner)
  const email = newEmail()
  const { status, body } = await change(session, { email, current_password })
  assert.equal(status, 200, JSON.stringify(body))
  return { owner, session, email, body, link: (await linkOf(email)) ?? '' }
}

describe('a change', () => {
  it('is refused to a key and an OAuth client of every scope, and changes nothing', async () => {
    const owner = await registrar.owner()
    const answer = await change(owner.key, { email: newEmail(), name: 'New', current_password })
    assert.equal(outcomeOf(answer), '403 session_required')
    const account = await call('GET /v1/account', { token: owner.key })
    assert.notEqual(account.body.name, 'New')
    assert.equal((await mails('email_change_requested', owner.email)).length, 0)
  })

  it('needs the current password ten minutes after the log-in, and accepts no wrong one', async () => {
    const owner = await registrar.owner()
    const session = await registrar.session(owner)
    const email = newEmail()
    const wrong = await change(session, { email, current_password: 'not the password' })
    assert.equal(outcomeOf(wrong), '403 wrong_password')
    const fresh = await change(session, { email })
    assert.equal(fresh.status, 200, 'the log-in is fresh')
    jump_ms = 601_000
    try {
      assert.equal(outcomeOf(await change(session, { email })), '403 password_needed')
      assert.equal((await change(session, { email, current_password })).status, 200)
      assert.equal((await change(session, { name: 'Grace' })).status, 200, 'the name needs none')
    } finally {
      jump_ms = 0
    }
  })

  it('counts only once verified; both addresses are notified', async () => {
    const { owner, session, email, body, link } = await changing()
    assert.equal(body.email_verification_sent, true)
    assert.equal(Object(body.customer).email, owner.email)
    assert.match(link, /^emt_[0-9A-Za-z]{40}$/)
    assert.ok(link.length >= 20 && link.length <= 512)
    const [requested] = await mails('email_change_requested', owner.email)
    assert.ok(requested?.text.includes(email))
    const done = await verify(session, link)
    assert.deepEqual(
      [done.status, done.body.email, done.body.email_verified],
      [200, email, true],
      JSON.stringify(done.body),
    )
    const [changed] = await mails('email_changed', owner.email)
    assert.ok(changed?.text.includes(email))
    assert.equal(await registrar.guess(email, '192.0.2.9', goodPassword), '200')
    assert.equal(
      await registrar.guess(owner.email, '192.0.2.9', goodPassword),
      '401 wrong_credentials',
    )
  })
})

describe('changes', () => {
  it('are counted: after ten the owner waits', async () => {
    const owner = await registrar.owner()
    const session = await registrar.session(owner)
    for (let i = 0; i < 10; i += 1)
      assert.equal((await change(session, { email: newEmail() })).status, 200)
    assert.equal(outcomeOf(await change(session, { email: newEmail() })), '429 too_many_tries')
  })

  it('mail one new address five times at once, whichever accounts ask', async () => {
    const email = newEmail()
    const outcomes: string[] = []
    for (let i = 0; i < 6; i += 1) {
      const session = await registrar.session(await registrar.owner())
      outcomes.push(outcomeOf(await change(session, { email })))
    }
    assert.deepEqual(outcomes, [...Array(5).fill('200'), '429 too_many_tries'])
  })

  it('are in the audit log, without password and link', async () => {
    const { owner, session, link } = await changing()
    await verify(session, link)
    const rows = await db.query(
      `select action, result, metadata from audit_logs
        where customer_id = $1 and action in ('update_account', 'verify_email') order by id`,
      [owner.id],
    )
    assert.deepEqual(
      rows.map(({ action, result }) => [action, result]),
      [
        ['update_account', 'success'],
        ['verify_email', 'success'],
      ],
    )
    assert.deepEqual(Object(rows[0]?.metadata).fields, ['email'])
    const dump = JSON.stringify(rows)
    assert.ok(!dump.includes(goodPassword) && !dump.includes(link))
  })
})

describe('an address that another account has', () => {
  it('is not disclosed: same response, same statements, and its owner gets another mail', async () => {
    const taken = (await registrar.owner()).email
    const seen: unknown[] = []
    for (const email of [taken, newEmail()]) {
      const session = await registrar.session(await registrar.owner())
      const names: string[] = []
      const real = app.db
      app.db = notedStatements(real, (name) => names.push(name))
      const { status, body } = await change(session, { email }).finally(() => {
        app.db = real
      })
      seen.push([names, status, Object.keys(body), body.email_verification_sent])
    }
    assert.deepEqual(seen[0], seen[1])
    assert.equal(await linkOf(taken), undefined)
    const [mail] = await mails('email_change_taken', taken)
    assert.match(mail?.text ?? '', /already\shas\san\saccount/)
  })

  it('is 409 for a link whose address was taken meanwhile', async () => {
    const { session, email, link, owner } = await changing()
    const body = { email: email.toUpperCase(), name: 'Faster' }
    await call('POST /v1/customers', { token: registrar.operator, body })
    assert.equal(outcomeOf(await verify(session, link)), '409 email_taken')
    assert.equal((await call('GET /v1/account', { token: session })).body.email, owner.email)
    assert.deepEqual(await mails('email_changed', owner.email), [])
  })
})

describe('the link', () => {
  it('works once, for its own account, in a session', async () => {
    const { session, link, owner, email } = await changing()
    const other = await registrar.session(await registrar.owner())
    assert.equal(outcomeOf(await verify(other, link)), '403 email_link_not_valid')
    assert.equal(outcomeOf(await verify(owner.key, link)), '403 session_required')
    const body = { token: link }
    assert.equal(outcomeOf(await call(verifyAt, { body })), '401 unauthenticated')
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify(session, link)))
    const outcomes = answers.map(outcomeOf).sort()
    assert.deepEqual(outcomes, ['200', ...Array(3).fill('403 email_link_not_valid')])
    assert.equal((await call('GET /v1/account', { token: session })).body.email, email)
    assert.equal((await mails('email_changed', owner.email)).length, 1)
  })

  it('is valid for 24 hours', async () => {
    const { owner, link } = await changing()
    jump_ms = 23.9 * 3_600_000
    try {
      const session = await registrar.session(owner)
      jump_ms = 24.1 * 3_600_000
      assert.equal(outcomeOf(await verify(session, link)), '403 email_link_not_valid')
      jump_ms = 23.95 * 3_600_000
      assert.equal((await verify(session, link)).status, 200)
    } finally {
      jump_ms = 0
    }
  })

  it('ends with the next change, and with a new password', async () => {
    const { session, link, email } = await changing()
    await change(session, { email: newEmail() })
    assert.equal(outcomeOf(await verify(session, link)), '403 email_link_not_valid')
    await change(session, { email })
    const next = 'quite another horse'
    const body = { current_password, new_password: next }
    assert.equal((await call('POST /v1/account/password', { token: session, body })).status, 200)
    const latest = (await linkOf(email)) ?? ''
    assert.equal(outcomeOf(await verify(session, latest)), '403 email_link_not_valid')
  })

  it('is not stored in clear text', async () => {
    const { link } = await changing()
    for (const table of ['email_changes', 'mails', 'tasks', 'audit_logs']) {
      const dump = JSON.stringify(await db.query(`select t::text as row from ${table} t`))
      assert.ok(!dump.includes(link.slice(4)), table)
    }
  })
})
