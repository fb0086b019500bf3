// The sandbox's mailbox over HTTP: a browser reads the mails of its own requests, and no others.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, sharedService, startService } from '../../../../test/support/service.ts'
import { ownersPassword, sessionOf } from '../../../../test/support/sign-in.ts'
import { operationsIn } from '../../../catalog.ts'
import { operations } from '../index.ts'

const registrar = await sharedService()
type Service = Pick<typeof registrar, 'request'>
const at = '/v1/sandbox/mailbox'
const tag = process.pid
let made = 0
const newEmail = () => {
  made += 1
  return `reader-${tag}-${made}@example.org`
}
const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? ''

/** A sign-up by a browser; `cookie`: of an earlier request of the same browser. */
async function signUp({ request }: Service, cookie = '') {
  const email = newEmail()
  const answer = await request('POST', '/v1/dashboard/register', {
    body: { email, password: ownersPassword, name: 'Ada' },
    headers: { cookie },
  })
  assert.equal(answer.status, 202, answer.text)
  return { email, cookie: cookieOf(answer), answer }
}

const listed = async (
  options: { cookie?: string; token?: string },
  { request }: Service = registrar,
) => {
  const { cookie = '', token } = options
  const answer = await request('GET', at, {
    headers: { cookie },
    ...(token === undefined ? {} : { token }),
  })
  assert.equal(answer.status, 200, answer.text)
  const mails: { mail_id: string; to: string; subject: string; kind: string }[] = answer.body.mails
  return mails
}

/** Once the mail of this address is there. */
async function arrived(email: string, options: { cookie?: string; token?: string }) {
  for (const end = Date.now() + 15_000; Date.now() < end; ) {
    const mail = (await listed(options)).find(({ to }) => to === email)
    if (mail) return mail
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`No mail to ${email}`)
}

describe('the mailbox of a browser', () => {
  it('has the mail of its sign-up, with code and link', async () => {
    const { email, cookie, answer } = await signUp(registrar)
    const attributes = String(answer.headers.get('set-cookie'))
    assert.match(attributes, /^__Host-mailbox-\d+=/)
    assert.match(attributes, /; Path=\/; Secure; HttpOnly; SameSite=Strict$/)
    const { mail_id, subject, kind } = await arrived(email, { cookie })
    assert.deepEqual([subject, kind], ['Verify your email address', 'sign_up'])
    const { status, body } = await registrar.request('GET', `${at}/${mail_id}`, {
      headers: { cookie },
    })
    assert.equal(status, 200)
    assert.match(body.text, /^\d{6}$/m)
    assert.match(body.text, /^http\S+#token=sgt_\w+$/m)
  })

  it('has the mails of its reset and of its change of address, too', async () => {
    const owner = await registrar.customer()
    const reset = await registrar.request('POST', '/v1/dashboard/password-reset', {
      body: { email: owner.email },
    })
    const ofReset = await arrived(owner.email, { cookie: cookieOf(reset) })
    assert.equal(ofReset.kind, 'password_reset')
    const email = newEmail()
    const changed = await registrar.request('PATCH', '/v1/account', {
      token: await sessionOf(registrar, owner),
      body: { email, current_password: ownersPassword },
    })
    assert.equal(changed.status, 200, changed.text)
    const ofChange = await arrived(email, { cookie: cookieOf(changed) })
    assert.equal(ofChange.kind, 'email_change')
  })

  it('has the last five requests of the browser', async () => {
    let cookie = ''
    const emails: string[] = []
    for (let i = 0; i < 6; i += 1) {
      const signedUp = await signUp(registrar, cookie)
      cookie = signedUp.cookie
      emails.push(signedUp.email)
    }
    for (const email of emails.slice(1)) await arrived(email, { cookie })
    const addresses = (await listed({ cookie })).map(({ to }) => to)
    assert.deepEqual(addresses.toSorted(), emails.slice(1).toSorted())
  })

  it('is empty for another browser, also one that knows the id or forges the cookie', async () => {
    const { email, cookie, answer } = await signUp(registrar)
    const { mail_id } = await arrived(email, { cookie })
    const [name = '', value = ''] = cookie.split('=')
    const [id = '', mac = ''] = value.split('.')
    assert.equal(id, answer.body.signup_id)
    const other = await signUp(registrar)
    const [, otherMac = ''] = other.cookie.split('=').at(-1)?.split('.') ?? []
    const forged = [
      '',
      `${id}`,
      `${id}.`,
      `${id}.${otherMac}`,
      `${id}.${other.answer.body.signup_id}.${mac}`,
    ]
    for (const one of forged) {
      const headers = { cookie: `${name}=${one}` }
      assert.deepEqual(await listed(headers), [], one)
      const { status, body } = await registrar.request('GET', `${at}/${mail_id}`, { headers })
      assert.deepEqual([status, body.code], [404, 'mail_not_found'], one)
    }
    const theirs = await registrar.request('GET', `${at}/${mail_id}`, {
      headers: { cookie: other.cookie },
    })
    assert.equal(theirs.status, 404)
    assert.equal((await registrar.request('GET', `${at}/mail_none`)).status, 404)
  })
})

describe('the mailbox of an account', () => {
  it('has the mails to its own address for a session, and none for a key', async () => {
    const [owner, other] = [await registrar.customer(), await registrar.customer()]
    const session = await sessionOf(registrar, owner)
    const { mail_id } = await arrived(owner.email, { token: session })
    assert.deepEqual(
      new Set((await listed({ token: session })).map(({ to }) => to)),
      new Set([owner.email]),
    )
    assert.deepEqual(await listed({ token: owner.key }), [])
    for (const token of [owner.key, other.key, await sessionOf(registrar, other)])
      assert.equal((await registrar.request('GET', `${at}/${mail_id}`, { token })).status, 404)
    assert.equal(
      (await registrar.request('GET', `${at}/${mail_id}`, { token: session })).status,
      200,
    )
  })

  it('has all mails for an operator', async () => {
    const { email } = await signUp(registrar)
    const token = registrar.operatorKey
    const { mail_id } = await arrived(email, { token })
    assert.equal((await registrar.request('GET', `${at}/${mail_id}`, { token })).status, 200)
  })
})

describe('the mailbox is off', () => {
  it('in production', () => {
    const offered = operationsIn('production')
    const mine = operations.filter(({ path }) => path.startsWith(at))
    assert.equal(mine.length, 2)
    assert.ok(mine.every((one) => !offered.includes(one)))
  })

  it('with a mail server: no operator reads it, and no cookie is set', async () => {
    const other = await startService({ reads_mailbox: false, worker: false })
    for (const token of [undefined, other.operatorKey]) {
      const { status, body } = await other.request('GET', at, token === undefined ? {} : { token })
      assert.deepEqual([status, body.code], [404, 'mailbox_unavailable'])
    }
    assert.equal((await signUp(other)).cookie, '')
  })

  for (const settings of [{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://sandbox.example' }])
    it(`but for operators where other machines reach it: ${JSON.stringify(settings)}`, async () => {
      const open = await startService({ settings, worker: false })
      const url = `http://127.0.0.1:${open.service.settings.port}${at}`
      const refused = await fetch(url)
      assert.equal(refused.status, 404)
      assert.match(await refused.text(), /mailbox_unavailable/)
      const headers = { authorization: `Bearer ${open.operatorKey}` }
      assert.equal((await fetch(url, { headers })).status, 200)
      const signedUp = await fetch(url.replace(at, '/v1/dashboard/register'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: newEmail(), password: ownersPassword, name: 'Ada' }),
      })
      assert.equal(signedUp.status, 202)
      assert.equal(signedUp.headers.get('set-cookie'), null)
    })
})
