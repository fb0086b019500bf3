// Single sign-on in a real Chromium, against oidc-provider in this process: sign-up, log-in, the
// link to an account that exists, linked identities, and errors.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { buildIfStale } from '../../dashboard/build.ts'
import { openChromium, skipChromium } from '../support/chromium.ts'
import { newOwner, type Owner } from '../support/owner.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { startService } from '../support/service.ts'
import { assertViews, newPage, openPath } from './support/dashboard.ts'
import { type IssuerUser, issuerSettings, openOidcIssuer } from './support/oidc-issuer.ts'
import { pagesOf } from './support/page-pool.ts'

await buildIfStale()
const issuers = await Promise.all([openOidcIssuer('acme'), openOidcIssuer('other')])
const [acme, other] = issuers
after(() => Promise.all(issuers.map((one) => one.close())))
const registrar = await startService({
  settings: {
    ...issuerSettings(issuers),
    TERMS_URL: 'https://a.example/terms',
    TERMS_VERSION: '1',
  },
})
const rows = rowsIn(registrar)
const openBlank = pagesOf(await openChromium())
const origin = `http://localhost:${new URL(registrar.url).port}`
const site = `${origin}/dashboard`
for (const { id, register } of issuers) register(`${origin}/v1/dashboard/sso/${id}/callback`)

/** Another user of the provider. */
function user(more: Partial<IssuerUser> = {}): IssuerUser {
  const sub = randomBytes(6).toString('hex')
  return { sub, email: `${sub}@provider.example`, email_verified: true, name: 'Ada', ...more }
}

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** The provider's button on the log-in page. */
async function continueWith(page: Page, name: string, path = '/log-in'): Promise<void> {
  await openPath(page, site + path, 'Log in')
  await press(page, `Continue with ${name}`)
}

async function logIn(page: Page, { email, password }: Pick<Owner, 'email' | 'password'>) {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Log in')
}

const identitiesOf = async ({ email, password }: Pick<Owner, 'email' | 'password'>) => {
  const body = { email, password }
  const { access_token: token } = (await registrar.request('POST', '/v1/dashboard/login', { body }))
    .body
  const answer = await registrar.request('GET', '/v1/account/identities', { token })
  const listed: { provider: string; email: string }[] = answer.body.identities
  return listed.map(({ provider, email: address }) => `${provider} ${address}`)
}

describe('a new user of a provider', { skip: skipChromium }, () => {
  it('signs up, stores the key, and is at the page that was asked for', async () => {
    acme.user = user()
    const page = await openBlank()
    await openPath(page, `${site}/domains`, 'Log in')
    await page.getByRole('button', { name: 'Continue with Acme Corp' }).waitFor()
    await page.getByText('By creating an account you accept').waitFor()
    await assertViews(page)
    await page.getByRole('link', { name: 'Create one' }).click()
    await heading(page, 'Create an account')
    await page.getByRole('button', { name: 'Continue with Acme Corp' }).waitFor()
    await assertViews(page)
    await press(page, 'Continue with Acme Corp')
    await heading(page, 'Your account is ready')
    assert.equal(page.url(), `${site}/sso`, 'the ticket is not in the address')
    await assertViews(page)
    const key = await page.locator('code').innerText()
    const account = await registrar.request('GET', '/v1/account', { token: key })
    assert.deepEqual(
      [account.body.email, account.body.name, account.body.email_verified],
      [acme.user.email, 'Ada', true],
    )
    await press(page, 'I have stored it')
    await heading(page, 'Domains')

    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await heading(page, 'Log in')
    await continueWith(page, 'Acme Corp', '/account')
    await heading(page, 'Account')
    await page.getByText(acme.user.email, { exact: true }).waitFor()
  })

  it('gets errors in words, with a next step, on the log-in page', async () => {
    acme.user = null
    const page = await openBlank()
    await continueWith(page, 'Acme Corp', '/domains?status=active')
    await page.waitForURL(`${site}/log-in?sso_error=sso_refused&next=%2Fdomains%3Fstatus%3Dactive`)
    const shown = page.getByRole('alert')
    assert.match(await shown.innerText(), /canceled at the provider[\s\S]*Start again/)
    await assertViews(page)
    await openPath(page, `${site}/log-in?sso_error=%3Cimg%3E`, 'Log in')
    assert.match(await shown.innerText(), /did not work[\s\S]*another way/)

    acme.user = user({ email_verified: false })
    await continueWith(page, 'Acme Corp')
    await heading(page, 'You are not logged in')
    assert.match(await shown.innerText(), /no verified email address[\s\S]*Verify one there/)
    await assertViews(page)
    await page.getByRole('link', { name: 'Go to the log-in page' }).click()
    await heading(page, 'Log in')
    await openPath(page, `${site}/sso`, 'You are not logged in')
    assert.match(await shown.innerText(), /no log-in to finish/)
    // The ticket of another browser, with a return path at another site.
    await page.goto(`${site}/sso#ticket=stk_${'a'.repeat(40)}&return_to=//evil.example`)
    await page.reload()
    await heading(page, 'You are not logged in')
  })
})

describe('the return from a provider', { skip: skipChromium }, () => {
  // A browser reads them as another origin, although they begin like a path.
  for (const way of ['/\t/evil.example', '/\n/evil.example', '/.//evil.example', '//evil.example'])
    it(`does not lead to ${JSON.stringify(way)}`, async () => {
      acme.user = user()
      const page = await openBlank()
      const left: string[] = []
      await page.route('**://evil.example/**', (route) => left.push(route.request().url()))
      // The ticket is of this browser; the rest of the address is another's.
      const at = `${origin}/v1/dashboard/sso/acme/start`
      const started = await page.request.post(at, { data: {} })
      const { authorization_url } = await started.json()
      const headers = { accept: 'application/json' }
      const { ticket } = await (await page.request.get(authorization_url, { headers })).json()
      await page.goto(`${site}/sso#${new URLSearchParams({ ticket, return_to: way })}`)
      await heading(page, 'Your account is ready')
      await press(page, 'I have stored it')
      await heading(page, 'Home')
      assert.deepEqual(left, [])
    })
})

describe('the log-in page', { skip: skipChromium }, () => {
  it('has the buttons of the providers from its first frame, and nothing moves', async () => {
    const page = await openBlank({ alone: true })
    await page.route('**/v1/dashboard/signup/config', async (route) => {
      await new Promise((done) => setTimeout(done, 700))
      await route.continue()
    })
    await openPath(page, `${site}/log-in`, 'Log in')
    assert.equal(await page.getByRole('button', { name: 'Continue with Acme Corp' }).count(), 1)
    await page.getByRole('button', { name: /passkey/ }).waitFor()
    const moved = await page.evaluate<number[]>(`new Promise((done) => {
      const values = (list) => list.getEntries().map((one) => one.value)
      const observer = new PerformanceObserver((list) => done(values(list)))
      observer.observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => done([]), 500)
    })`)
    assert.deepEqual(moved, [])
  })
})

describe('the owner of an account with that address', { skip: skipChromium }, () => {
  it('links the provider with the password', async () => {
    const owner = await newOwner(registrar)
    acme.user = user({ email: owner.email })
    const page = await openBlank()
    await continueWith(page, 'Acme Corp', '/account')
    await heading(page, 'You already have an account')
    await page.getByText(`${owner.email} has an account here`).waitFor()
    await assertViews(page)
    await page.getByLabel('Account password').fill('not the password')
    await press(page, 'Link and log in')
    assert.match(await page.getByRole('alert').innerText(), /password is wrong/)
    await page.getByLabel('Account password').fill(owner.password)
    await press(page, 'Link and log in')
    await heading(page, 'Account')
    assert.deepEqual(await identitiesOf(owner), [`acme ${owner.email}`])
  })

  it('links the provider with a code, which the mailbox of this browser shows', async () => {
    const owner = await newOwner(registrar)
    acme.user = user({ email: owner.email })
    const page = await openBlank()
    await continueWith(page, 'Acme Corp')
    await press(page, 'Use an emailed code instead')
    await assertViews(page)
    await press(page, 'Email me a code')
    await page.getByText(`We sent a code to ${owner.email}`).waitFor()
    await page.getByRole('link', { name: 'Open the mailbox' }).waitFor()
    await assertViews(page)
    const [mail] = await registrar.mails({ to: owner.email, subject: /Link Acme Corp/ })
    const code = /^\s*(\d{6})\s*$/m.exec(mail?.text ?? '')?.[1] ?? ''
    const field = page.getByRole('textbox', { name: '6-digit code' })
    await field.focus()
    await page.keyboard.type(code === '111111' ? '222222' : '111111')
    assert.match(await page.getByRole('alert').innerText(), /code is wrong[\s\S]*another code/)
    const mailbox = await newPage(page.context())
    await openPath(mailbox, `${site}/mailbox`, 'Mailbox')
    await mailbox.getByText('Link Acme Corp to your account').first().click()
    await mailbox.getByText(code, { exact: true }).first().waitFor()
    await field.focus()
    await page.keyboard.type(code)
    await heading(page, 'Home')
    assert.deepEqual(await identitiesOf(owner), [`acme ${owner.email}`])
  })
})

describe('linked identities on the security page', { skip: skipChromium }, () => {
  it('are linked with another address, and removed by typing the name', async () => {
    const owner = await newOwner(registrar)
    acme.user = user()
    other.user = user()
    const page = await openBlank()
    await openPath(page, `${site}/account/security`, 'Log in')
    await logIn(page, owner)
    await heading(page, 'Security')
    await page.getByText('No account is linked.').waitFor()
    await press(page, 'Link Acme Corp')
    await page.getByText('You can now log in with the provider').waitFor()
    await page.getByText(acme.user.email).waitFor()
    await assertViews(page)
    await press(page, 'Link Other Corp')
    await page.getByText(other.user.email).waitFor()
    const linked = [`other ${other.user.email}`, `acme ${acme.user.email}`]
    assert.deepEqual(await identitiesOf(owner), linked)
    await press(page, `Remove Acme Corp, ${acme.user.email}`)
    await page.getByLabel('Type Acme Corp to confirm').fill('Acme Corp')
    await assertViews(page)
    await press(page, 'Remove')
    await page.getByText('Acme Corp was removed').waitFor()
    assert.deepEqual(await identitiesOf(owner), linked.slice(0, 1))

    other.user = null
    await page.context().clearCookies({ domain: '127.0.0.1' })
    await press(page, 'Link Other Corp')
    await page.waitForURL(`${site}/account/security?sso_error=sso_refused`)
    assert.match(await page.getByRole('alert').innerText(), /canceled at the provider/)
    await assertViews(page)
  })

  it('are not linked from another account, and after a new log-in where it is old', async () => {
    const owner = await newOwner(registrar)
    acme.user = user()
    const signUp = await openBlank()
    await continueWith(signUp, 'Acme Corp')
    await heading(signUp, 'Your account is ready')

    const page = await openBlank()
    await openPath(page, `${site}/account/security`, 'Log in')
    await logIn(page, owner)
    await heading(page, 'Security')
    await rows(
      "update sessions set signed_in_at = now() - interval '1 hour' where customer_id = $1",
      [owner.id],
    )
    registrar.service.app.authentications.invalidate()
    await press(page, 'Link Acme Corp')
    await heading(page, 'Confirm that it is you')
    await assertViews(page)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await press(page, 'Confirm')
    await heading(page, 'The provider was not linked')
    assert.match(await page.getByRole('alert').innerText(), /belongs to another account/)
    await page.getByRole('link', { name: 'Back to Security' }).click()
    await page.getByText('No account is linked.').waitFor()
  })
})

describe('an owner without a password', { skip: skipChromium }, () => {
  it('confirms an old log-in by a linked identity, and links another', async () => {
    acme.user = user()
    other.user = user()
    const page = await openBlank()
    await continueWith(page, 'Acme Corp', '/account/security')
    await press(page, 'I have stored it')
    await heading(page, 'Security')
    await rows(
      `update sessions set signed_in_at = now() - interval '1 hour'
        where customer_id = (select id from customers where email = $1)`,
      [acme.user.email],
    )
    registrar.service.app.authentications.invalidate()
    await press(page, 'Link Other Corp')
    await heading(page, 'Confirm that it is you')
    const acmeButton = page.getByRole('button', { name: 'Continue with Acme Corp' })
    await acmeButton.waitFor()
    // An identity that is not linked yet would create its own account.
    assert.equal(await page.getByRole('button', { name: 'Continue with Other Corp' }).count(), 0)
    await assertViews(page)
    await acmeButton.click()
    await page.getByText('Your log-in is confirmed. Now link the provider.').waitFor()
    await assertViews(page)
    await press(page, 'Link Other Corp')
    await page.getByText(other.user.email).waitFor()
  })
})
