// The dashboard's log-in may be continued within an authorization, by its owner alone.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newOwner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { sharedService } from '../../../test/support/service.ts'
import {
  browserWith,
  type CookieBrowser,
  cookieBrowser,
  ours,
  ownersPassword,
} from '../../../test/support/sign-in.ts'
import { passkeyService } from '../../capabilities/sign-in/passkeys/passkeys.fixture.ts'
import { formIn, isPage, newClient, newVisitor } from '../consent/consent.fixture.ts'

const registrar = await sharedService()
const client = await newClient(registrar)
const rows = rowsIn(registrar)
const plain = { scope: 'domains:read' }

async function loggedIn(given?: CookieBrowser) {
  const by = given ?? (await cookieBrowser(registrar))
  const visitor = newVisitor(registrar)
  visitor.cookies.set('session /', { pair: by.cookie, path: '/' })
  return { by, visitor }
}
const age = async ({ account }: CookieBrowser, minutes: number) => {
  const sql = `update sessions set signed_in_at = now() - $2 * interval '1 minute'
                where customer_id = $1`
  await rows(sql, [account.id, minutes])
  registrar.service.app.authentications.invalidate()
}

describe('"Continue as"', () => {
  it('goes on with the consent only when it is pressed', async () => {
    const { by, visitor } = await loggedIn()
    const page = await visitor.page(client.url())
    assert.match(page.text, new RegExp(`Continue as ${by.account.email}`))
    assert.doesNotMatch(page.text, /value="allow"|balance/)
    const early = await visitor.press(page.form, 'allow', { preset: 'read' })
    assert.doesNotMatch(early.text, /value="allow"/)
    const consent = await visitor.press(page.form, 'continue')
    isPage(consent, 200, /value="allow"/)
    const away = await visitor.leave(
      await visitor.press(formIn(consent), 'allow', { preset: 'read' }),
    )
    assert.equal((await client.redeem(away.searchParams.get('code'))).body.scope, 'domains:read')
  })

  it('is refused from another origin, without the token, and by a form from before', async () => {
    const { visitor } = await loggedIn()
    const { form } = await visitor.page(client.url())
    const hidden = form.inputs.filter(({ type }) => type === 'hidden')
    const fields = hidden.map(({ name, value }): [string, string] => [name, value])
    const all: [string, string][] = [...fields, ['decision', 'continue']]
    const evil = { origin: 'https://evil.example' }
    isPage(await visitor.submit(all, evil), 403, /not sent from our page/)
    const bare = all.filter(([name]) => name !== 'csrf')
    isPage(await visitor.submit(bare), 403, /out of date/)
    isPage(await visitor.press(form, 'continue'), 200, /value="allow"/)
    isPage(await visitor.press(form, 'allow', { preset: 'buy' }), 403, /out of date/)
  })

  it('keeps the age of the log-in: what spends needs the password after ten minutes', async () => {
    const { by, visitor } = await loggedIn()
    await age(by, 11)
    const { form } = await visitor.page(client.url())
    const confirm = await visitor.press(form, 'continue')
    isPage(confirm, 200, /<h1>Confirm that it is you<\/h1>/)
    assert.match(confirm.text, /type="password"/)
    const early = await visitor.press(formIn(confirm), 'allow', { preset: 'buy' })
    isPage(early, 422, /Enter your password/)
    await age(by, 8 * 60 + 1)
    assert.doesNotMatch((await visitor.page(client.url(plain))).text, /Continue as/)
  })

  it('is not offered where the app requires a log-in, or names another account', async () => {
    const { visitor } = await loggedIn()
    for (const asked of [{ prompt: 'login' }, { max_age: '100000' }]) {
      const { form, text } = await visitor.page(
        client.url({ scope: 'openid domains:read', ...asked }),
      )
      assert.doesNotMatch(text, /Continue as/)
      assert.doesNotMatch((await visitor.press(form, 'continue')).text, /value="allow"/)
    }
  })

  it('is void once the session has ended, before the owner allows', async () => {
    const { by, visitor } = await loggedIn()
    const { form } = await visitor.page(client.url())
    const consent = await visitor.press(form, 'continue')
    await rows('update sessions set ended_at = now() where customer_id = $1', [by.account.id])
    registrar.service.app.authentications.invalidate()
    const after = await visitor.press(formIn(consent), 'allow', { preset: 'read' })
    isPage(after, 200, /name="password"/)
    const grants = await rows('select id from oauth_grants where customer_id = $1', [by.account.id])
    assert.equal(grants.length, 0)
  })

  it('can be declined for another account', async () => {
    const { by, visitor } = await loggedIn()
    const owner = await newOwner(registrar)
    const { form } = await visitor.page(client.url())
    const asked = await visitor.press(form, 'switch')
    isPage(asked, 200, /name="password"/)
    assert.ok(!asked.text.includes(by.account.email))
    const consent = await visitor.logIn(formIn(asked), owner)
    assert.match(consent.text, new RegExp(`Logged in as <strong>${owner.email}`))
    assert.equal(await by.status(), 200, 'the dashboard stays logged in')
  })
})

describe('an app that asks to select an account', () => {
  it('has the one of the dashboard offered, and another taken', async () => {
    const { by, visitor } = await loggedIn()
    const asked = { ...plain, prompt: 'select_account' }
    const first = await visitor.page(client.url(asked))
    assert.match(first.text, new RegExp(`Continue as.*${by.account.email}`))
    const consent = await visitor.press(first.form, 'continue')
    const away = await visitor.leave(
      await visitor.press(formIn(consent), 'allow', { preset: 'read' }),
    )
    assert.match(away.searchParams.get('code') ?? '', /./)
    // The browser is logged in to the authorization server, and still asked.
    const other = await newOwner(registrar)
    const again = await visitor.page(client.url(asked))
    assert.doesNotMatch(again.text, /value="allow"/)
    const page = await visitor.press(again.form, 'switch')
    const theirs = await visitor.logIn(formIn(page), other)
    assert.match(theirs.text, new RegExp(`Logged in as <strong>${other.email}`))
    const back = await visitor.leave(
      await visitor.press(formIn(theirs), 'allow', { preset: 'read' }),
    )
    assert.match(back.searchParams.get('code') ?? '', /./)
    const silent = await visitor.leave(await visitor.open(client.url({ ...plain, prompt: 'none' })))
    assert.equal(silent.searchParams.get('error'), 'consent_required')
  })
})

describe('a confirmation by password', () => {
  async function confirming(by?: CookieBrowser) {
    const owner = by ?? (await cookieBrowser(registrar))
    const visitor = newVisitor(registrar)
    const key = `${owner.cookie.split('=')[0]} /`
    visitor.cookies.set(key, { pair: owner.cookie, path: '/' })
    await age(owner, 11)
    const { form } = await visitor.page(client.url())
    const asked = formIn(await visitor.press(form, 'continue'))
    const now = () =>
      browserWith(registrar, {
        account: owner.account,
        cookie: visitor.cookies.get(key)?.pair ?? '',
      })
    return { owner, visitor, asked, now }
  }
  const newKey = ({ send, account }: CookieBrowser) =>
    send('POST', `/v1/customers/${account.id}/api-keys`, { headers: ours, body: {} })

  it('is a fresh log-in for the dashboard of the same browser and owner, too', async () => {
    const { owner, visitor, asked, now } = await confirming()
    assert.equal((await newKey(now())).body.code, 'fresh_log_in_needed')
    const consent = await visitor.press(asked, 'log_in', { password: ownersPassword })
    isPage(consent, 200, /value="allow"/)
    const made = await newKey(now())
    assert.equal(made.status, 201, made.text)
    assert.notEqual(now().cookie, owner.cookie)
    assert.equal(await owner.status(), 401, 'the old session has ended')
    const allowed = await visitor.press(formIn(consent), 'allow', { preset: 'read' })
    const away = await visitor.leave(allowed)
    assert.equal((await client.redeem(away.searchParams.get('code'))).status, 200)
  })

  it('that is wrong leaves the session of the dashboard as it was', async () => {
    const { owner, visitor, asked, now } = await confirming()
    isPage(
      await visitor.press(asked, 'log_in', { password: 'not this one' }),
      422,
      /Incorrect pass/,
    )
    assert.equal(now().cookie, owner.cookie)
    assert.equal((await newKey(now())).body.code, 'fresh_log_in_needed')
  })

  it('leaves the session of another account in the same browser alone', async () => {
    const { visitor, asked, now } = await confirming()
    const other = await cookieBrowser(registrar)
    await age(other, 11)
    visitor.cookies.set(`${other.cookie.split('=')[0]} /`, { pair: other.cookie, path: '/' })
    await visitor.press(asked, 'log_in', { password: ownersPassword })
    assert.equal(now().cookie, other.cookie)
    assert.equal((await newKey({ ...now(), account: other.account })).status, 403)
  })
})

describe('a passkey', () => {
  const { page, challenge, passkeyOwner } = passkeyService(registrar)

  it('logs in with the response that the script puts into the form', async () => {
    const { by, key } = await passkeyOwner()
    const visitor = newVisitor(registrar)
    const shown = await visitor.page(client.url())
    assert.match(shown.text, /<script type="module" src="\/assets\/passkey-[\w-]+\.js">/)
    const { options, cookie } = await challenge()
    visitor.cookies.set('passkey /', { pair: cookie, path: '/' })
    const credential = JSON.stringify(key.get(options, page))
    const consent = await visitor.press(shown.form, 'passkey', { credential })
    assert.match(consent.text, new RegExp(`Logged in as <strong>${by.account.email}`))
  })

  it('of another account confirms nothing, and begins no session', async () => {
    const { by, visitor } = await loggedIn()
    await age(by, 11)
    const { form } = await visitor.page(client.url())
    const confirm = await visitor.press(form, 'continue')
    const { key } = await passkeyOwner()
    const { options, cookie } = await challenge()
    visitor.cookies.set('passkey /', { pair: cookie, path: '/' })
    const credential = JSON.stringify(key.get(options, page))
    const next = await visitor.press(formIn(confirm), 'passkey', { credential })
    isPage(next, 422, /belongs to another account/)
    assert.equal(next.headers.getSetCookie().length, 0)
    assert.equal(await by.status(), 200)
  })

  it('that was used before, or is none, is refused', async () => {
    const { key } = await passkeyOwner()
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const { options } = await challenge()
    const credential = JSON.stringify(key.get(options, page))
    const refused = await visitor.press(form, 'passkey', { credential })
    isPage(refused, 422, /passkey was not accepted/)
    for (const broken of ['', '{', 'null'])
      assert.equal((await visitor.press(form, 'passkey', { credential: broken })).status, 422)
  })
})
