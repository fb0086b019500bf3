// The page of a mailed link, as a browser without scripts gets it.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { sharedService, startService } from '../../../test/support/service.ts'

const registrar = await sharedService()
const password = 'a horse, a battery & a staple'
const customer = await registrar.customer({ funds_cents: 0, contact: false })

/** A link as it was mailed. */
async function mailed({ id, email } = customer): Promise<URL> {
  const wanted = { to: email, subject: /^Set your password/ }
  const count = (await registrar.mails({ ...wanted, count: 0 })).length + 1
  const path = `/v1/customers/${id}/password-setup`
  const asked = await registrar.request('POST', path, {
    token: registrar.operatorKey,
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  assert.equal(asked.status, 202, asked.text)
  const mails = await registrar.mails({ ...wanted, count })
  const link = /^(http:\S+\/password\?token=\S+)$/m.exec(mails.at(-1)?.text ?? '')?.[1]
  return new URL(link ?? '')
}

const open = (url: URL, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init })
const submit = (fields: Record<string, string>) =>
  open(new URL('/password', registrar.url), { method: 'POST', body: new URLSearchParams(fields) })
const logIn = async (tried: string) =>
  registrar.request('POST', '/v1/dashboard/login', {
    body: { email: customer.email, password: tried },
  })

describe('the link', () => {
  it('leads to our own origin, whatever Host the request names', async () => {
    assert.equal((await mailed()).origin, registrar.url)
  })

  it('shows a form that no other site can frame, that stores nothing and sends no referrer', async () => {
    const response = await open(await mailed())
    assert.equal(response.status, 200)
    const headers = Object.fromEntries(response.headers)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    const policy = headers['content-security-policy'] ?? ''
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"])
      assert.ok(policy.includes(part), policy)
    assert.ok(!policy.includes('unsafe-inline'), policy)
    assert.equal(response.headers.get('set-cookie'), null)
    const page = await response.text()
    assert.match(page, /<form method="post" action="\/password" class="stack">/)
    assert.match(
      page,
      /type="password" id="password" name="password" value=""\s+autocomplete="new-password"/,
    )
    assert.ok(page.includes(customer.email) && !/<script|style=|https?:/.test(page))
  })

  it('stays valid however often programs open it first', async () => {
    const link = await mailed()
    for (const method of ['GET', 'HEAD', 'GET', 'GET'])
      assert.equal((await open(link, { method })).status, 200)
    const token = link.searchParams.get('token') ?? ''
    assert.equal((await submit({ token, password, again: password })).status, 303)
    assert.equal((await logIn(password)).status, 200)
  })
})

describe('the words about being logged out', () => {
  const loggedOut = /You will be logged out everywhere/

  it('are missing at the first password, also where the form is shown again', async () => {
    const link = await mailed(await registrar.customer({ funds_cents: 0, contact: false }))
    assert.doesNotMatch(await (await open(link)).text(), loggedOut)
    const token = link.searchParams.get('token') ?? ''
    const again = await submit({ token, password: 'short', again: 'short' })
    assert.doesNotMatch(await again.text(), loggedOut)
  })

  it('are there where a password is changed', async () => {
    const link = await mailed()
    assert.match(await (await open(link)).text(), loggedOut)
    const token = link.searchParams.get('token') ?? ''
    const again = await submit({ token, password: 'short', again: 'other' })
    assert.match(await again.text(), loggedOut)
  })

  it('are there at a first password that ends a log-in by other means', async () => {
    const one = await registrar.customer({ funds_cents: 0, contact: false })
    const token = (await mailed(one)).searchParams.get('token') ?? ''
    assert.equal((await submit({ token, password, again: password })).status, 303)
    const body = { email: one.email, password }
    const logged = await registrar.request('POST', '/v1/dashboard/login', { body })
    assert.equal(logged.status, 200, logged.text)
    // The account now has no password, as that of an owner who logged in through an identity
    // provider.
    await rowsIn(registrar)('delete from passwords where customer_id = $1', [one.id])
    assert.match(await (await open(await mailed(one))).text(), loggedOut)
  })
})

describe('the form', () => {
  let token = ''
  before(async () => {
    token = (await mailed()).searchParams.get('token') ?? ''
  })

  it('says what is wrong, and may be sent again', async () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ password, again: `${password}!` }, /do not match/],
      [{ password: 'short', again: 'short' }, /should have at least 8 characters/],
      [{ password: 'password1', again: 'password1' }, /one that many people use/],
      [{}, /should have at least 8 characters/],
    ]
    for (const [fields, words] of wrong) {
      const response = await submit({ token, ...fields })
      assert.equal(response.status, 422)
      const page = await response.text()
      const problem = /role="alert">([^<]*)</.exec(page)?.[1] ?? ''
      assert.match(problem, words)
      assert.ok(page.includes(`value="${token}"`) && !page.includes(password))
    }
  })

  it('sets the password and continues to a page without the token', async () => {
    const next = `${password} + ünïcode`
    const response = await submit({ token, password: next, again: next })
    assert.equal(response.status, 303)
    const place = response.headers.get('location') ?? ''
    assert.equal(place, `${registrar.url}/password/done`)
    assert.match(await (await open(new URL(place))).text(), /Your password is set/)
    assert.deepEqual([(await logIn(password)).status, (await logIn(next)).status], [401, 200])
    const mails = { to: customer.email, subject: /Your password was changed/ }
    const [mail] = await registrar.mails(mails)
    assert.match(mail?.text ?? '', /\/password\/forgotten/)
  })

  it('is not shown for a link that is used, older, mistyped or none, and sets nothing by it', async () => {
    const none = ['', 'x', `${token}0`, `pwt_${'a'.repeat(40)}`]
    for (const one of [token, ...none]) {
      const link = new URL(`/password?token=${one}`, registrar.url)
      for (const response of [
        await open(link),
        await submit({ token: one, password, again: password }),
      ]) {
        const page = await response.text()
        assert.equal(response.status, 403, page)
        assert.ok(page.includes('This link is no longer valid') && !page.includes('<form'))
      }
    }
    const twice = new URL(`/password?token=${token}&token=x`, registrar.url)
    assert.equal((await open(twice)).status, 403)
    assert.equal((await logIn(password)).status, 401)
  })

  it('escapes what it is given', async () => {
    const script = '"><script>alert(1)</script>'
    const response = await submit({ token: script, password, again: '' })
    assert.ok(!(await response.text()).includes('<script'))
  })

  it('takes form data alone', async () => {
    const answer = await registrar.request('POST', '/password', { body: { token, password } })
    assert.equal(answer.status, 415)
  })
})

describe('a forgotten password', () => {
  const ask = (email: string) =>
    open(new URL('/password/forgotten', registrar.url), {
      method: 'POST',
      body: new URLSearchParams({ email }),
    })

  it('is asked for in a form, and the mail leads to a new one', async () => {
    const form = await open(new URL('/password/forgotten', registrar.url))
    assert.equal(form.status, 200)
    assert.match(form.headers.get('content-security-policy') ?? '', /form-action 'self'/)
    const html = await form.text()
    assert.match(html, /<form method="post" action="\/password\/forgotten" class="stack">/)
    const answer = await ask(` ${customer.email} `)
    assert.equal(answer.status, 303)
    const next = new URL(answer.headers.get('location') ?? '')
    assert.equal(next.href, `${registrar.url}/password/forgotten/asked`)
    assert.match(await (await open(next)).text(), /If an account has that address/)
    const mails = await registrar.mails({ to: customer.email, subject: /^Reset your password/ })
    const token = /\/password\?token=(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
    const forgot = `${password}, forgotten once`
    assert.equal((await submit({ token, password: forgot, again: forgot })).status, 303)
    assert.equal((await logIn(forgot)).status, 200)
  })

  it('has the same response for an unknown address; asks again for an invalid one', async () => {
    const unknown = await ask('absent@example.net')
    assert.deepEqual(
      [unknown.status, unknown.headers.get('location')],
      [303, `${registrar.url}/password/forgotten/asked`],
    )
    for (const none of ['', 'x', '"><script>alert(1)</script>']) {
      const again = await ask(none)
      assert.equal(again.status, 422)
      const page = await again.text()
      assert.match(page, /role="alert">Please enter the email address/)
      assert.ok(!page.includes('<script'))
    }
  })
})

it('no log line holds a token, a code or a password', async () => {
  const link = await mailed()
  await open(link)
  await open(new URL(`${link.href}/nothing`))
  await submit({ token: link.searchParams.get('token') ?? '', password, again: password })
  const logs = registrar.logs.join('')
  assert.ok(logs.includes('"route":"/password"'))
  assert.ok(!logs.includes('pwt_') && !logs.includes('horse'))
})

describe('a rate-limited client', () => {
  it('gets a page that says so, from each route', async () => {
    const small = await startService({
      settings: { ANONYMOUS_REQUESTS_PER_MINUTE: '2' },
      worker: false,
    })
    for (const path of ['/password?token=x', '/password/done', '/password/forgotten']) {
      let response = await open(new URL(path, small.url))
      for (let i = 0; i < 6 && response.status !== 429; i += 1)
        response = await open(new URL(path, small.url))
      assert.equal(response.status, 429)
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/, path)
      assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
      assert.match(await response.text(), /Wait \d+ seconds?, then load this page again/)
    }
  })

  it('gets a page about mails and not about a link, for a second mail', async () => {
    const at = new URL('/password/forgotten', registrar.url)
    const ask = () => {
      const body = new URLSearchParams({ email: 'in-a-hurry@example.com' })
      return open(at, { method: 'POST', body })
    }
    assert.equal((await ask()).status, 303)
    const second = await ask()
    assert.equal(second.status, 429)
    assert.match(await second.text(), /Please wait \d+ seconds, then try again/)
  })

  it('gets a page for a body that is not our form, too', async () => {
    const at = new URL('/password', registrar.url)
    for (const [type, body, status] of [
      ['application/x-www-form-urlencoded', 'x'.repeat(20_000), 413],
      ['application/json', '{}', 415],
    ] as const) {
      const response = await open(at, { method: 'POST', body, headers: { 'content-type': type } })
      assert.equal(response.status, status)
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
    }
  })
})
