// Sign-up within an authorization: by the mailed code, or by the link in another tab or on another
// device; the limits and the answers are those of the API.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newOwner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { startService, type TestService } from '../../../test/support/service.ts'
import { cookieOf, ours } from '../../../test/support/sign-in.ts'
import { formIn, isPage, newClient, newVisitor, type Seen } from '../consent/consent.fixture.ts'

const registrar = await startService()
const client = await newClient(registrar)
const rows = rowsIn(registrar)
const password = 'four unlikely words here'
let made = 0

/** A browser at the page that asks for the code. */
async function signedUp(given?: string) {
  made += 1
  const email = given ?? `new-${made}@example.org`
  const visitor = newVisitor(registrar)
  const { form } = await visitor.page(client.url())
  const asked = await visitor.press(form, 'show_sign_up')
  const typed = { email, password, name: 'Ada Lovelace', company_name: '' }
  const page = await visitor.press(formIn(asked), 'sign_up', typed)
  isPage(page, 200, /<h1>Check your email<\/h1>/)
  return { visitor, email, page }
}

async function mailTo(to: string, count = 1): Promise<string> {
  const mails = await registrar.mails({ to, subject: /verify/i, count })
  return mails.at(-1)?.text ?? ''
}
const codeIn = (mail: string) => /^\s*(\d{6})\s*$/m.exec(mail)?.[1] ?? ''
const wrongFor = (code: string) => (code === '111111' ? '222222' : '111111')

async function assertConnects(visitor: ReturnType<typeof newVisitor>, page: Seen): Promise<void> {
  isPage(page, 200, /value="allow"/)
  const away = await visitor.leave(await visitor.press(formIn(page), 'allow', { preset: 'read' }))
  const { status, body } = await client.redeem(away.searchParams.get('code'))
  assert.deepEqual([status, body.scope], [200, 'domains:read'])
}

describe('a sign-up within an authorization', () => {
  it('creates the account with the mailed code, and goes on with the consent', async () => {
    const { visitor, email, page } = await signedUp()
    const code = codeIn(await mailTo(email))
    const typed = { code: `${code.slice(0, 3)} ${code.slice(3)}` }
    const consent = await visitor.press(formIn(page), 'verify', typed)
    assert.match(consent.text, new RegExp(`Logged in as <strong>${email}`))
    await assertConnects(visitor, consent)
    const [account] = await rows(
      `select c.email_verified, count(s.id) filter (where s.agent like 'consent page%') as begun
         from customers c join sessions s on s.customer_id = c.id
        where c.email = $1 group by c.id`,
      [email],
    )
    assert.deepEqual([account.email_verified, Number(account.begun)], [true, 1])
  })

  it('answers a known address in the same way, and creates nothing', async () => {
    const owner = await newOwner(registrar)
    const [known, unknown] = [await signedUp(owner.email), await signedUp()]
    const plain = ({ page, email }: typeof known) =>
      page.text.replaceAll(email, '').replaceAll(/name="(csrf|interaction)" value="[^"]*"/g, '')
    assert.equal(plain(known), plain(unknown))
    await registrar.mails({ to: owner.email, subject: /already have an account/ })
    const { visitor, page } = known
    isPage(await visitor.press(formIn(page), 'verify', { code: '123456' }), 422, /code is wrong/)
  })

  it('refuses the right code after five wrong ones, and takes that of another mail', async () => {
    const { visitor, email, page } = await signedUp()
    const code = codeIn(await mailTo(email))
    for (let tries = 0; tries < 5; tries += 1) {
      const wrong = await visitor.press(formIn(page), 'verify', { code: wrongFor(code) })
      isPage(wrong, 422, /The code is wrong, or has expired/)
    }
    isPage(await visitor.press(formIn(page), 'verify', { code }), 422, /The code is wrong/)
    const early = await visitor.press(formIn(page), 'resend')
    isPage(early, 429, /Too many attempts\. Wait \d+ seconds/)
    assert.match(early.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/)
    await rows(`delete from sign_in_failures where key like 'sign-up:%'`)
    isPage(await visitor.press(formIn(page), 'resend'), 200, /Another code is on its way/)
    const other = codeIn(await mailTo(email, 2))
    await assertConnects(visitor, await visitor.press(formIn(page), 'verify', { code: other }))
  })

  it('shows what is wrong beside its field, with the input but the password', async () => {
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const typed = { email: 'no address', password: 'short', name: 'Ada <b>', company_name: '' }
    const page = await visitor.press(form, 'show_sign_up')
    const again = await visitor.press(formIn(page), 'sign_up', typed)
    isPage(again, 422, /id="password-problem">The password should have at least 8/)
    assert.match(again.text, /value="Ada &lt;b&gt;"/)
    assert.ok(!again.text.includes('short'))
  })

  it('belongs to its browser, and ends with its page', async () => {
    const { visitor, email, page } = await signedUp()
    const code = codeIn(await mailTo(email))
    const other = newVisitor(registrar)
    await other.page(client.url())
    isPage(await other.press(formIn(page), 'verify', { code }), 400, /page has expired/)
    await rows(`update oauth_models set expires_at = now() where model = 'Interaction'`)
    isPage(await visitor.press(formIn(page), 'verify', { code }), 400, /page has expired/)
    const accounts = await rows('select id from customers where email = $1', [email])
    assert.equal(accounts.length, 0)
  })
})

describe('a link that is opened elsewhere', () => {
  async function confirmed() {
    const all = await signedUp()
    const token = /#token=(\S+)/.exec(await mailTo(all.email))?.[1]
    const at = '/v1/dashboard/register/verify'
    const answer = await registrar.request('POST', at, { body: { token }, headers: ours })
    assert.equal(answer.status, 201, answer.text)
    return { ...all, cookie: cookieOf(answer.headers) }
  }

  it('in another tab of the browser has logged it in: the page goes on', async () => {
    const { visitor, page, cookie } = await confirmed()
    visitor.cookies.set('session /', { pair: cookie, path: '/' })
    await assertConnects(visitor, await visitor.press(formIn(page), 'confirmed'))
  })

  it('on another device has not: the page asks for the new password', async () => {
    const { visitor, page, email } = await confirmed()
    const asked = await visitor.press(formIn(page), 'confirmed')
    isPage(asked, 422, /log in with the password that you chose/)
    assert.ok(asked.text.includes(`value="${email}"`))
    const consent = await visitor.logIn(formIn(asked), { email, password })
    await assertConnects(visitor, consent)
  })

  it('that was not opened leads to the log-in, too', async () => {
    const { visitor, page } = await signedUp()
    isPage(await visitor.press(formIn(page), 'confirmed'), 422, /not logged in yet/)
  })

  it('is no log-in for the browser of another account', async () => {
    const { visitor, page } = await confirmed()
    const { cookie } = await confirmed()
    visitor.cookies.set('session /', { pair: cookie, path: '/' })
    isPage(await visitor.press(formIn(page), 'confirmed'), 422, /not logged in yet/)
  })

  it('makes the code of the page a used one: the page asks for the password', async () => {
    const { visitor, page, email } = await confirmed()
    const code = codeIn(await mailTo(email))
    const asked = await visitor.press(formIn(page), 'verify', { code })
    isPage(asked, 422, /has already been created\. Log in/)
  })
})

describe('a service that takes no sign-ups', () => {
  const refusalAt = async (other: TestService) => {
    const visitor = newVisitor(other)
    const { form, text } = await visitor.page((await newClient(other)).url())
    assert.doesNotMatch(text, /show_sign_up/)
    const typed = { email: 'a@example.org', password, name: 'Ada', company_name: '' }
    return visitor.press(form, 'sign_up', typed)
  }

  it('offers none, and refuses one', async () => {
    const closed = await startService({ settings: { SIGN_UP: 'closed' }, worker: false })
    isPage(await refusalAt(closed), 422, /creates no new accounts/)
    const invite = await startService({ settings: { SIGN_UP: 'invite' }, worker: false })
    isPage(await refusalAt(invite), 422, /created by invitation/)
  })
})
