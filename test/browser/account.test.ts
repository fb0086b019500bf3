// The pages of the account in a real Chromium: profile, e-mail address, name servers, password,
// sessions, passkeys (with a virtual authenticator), and a forgotten password.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { buildIfStale } from '../../dashboard/build.ts'
import { openChromium, skipChromium } from '../support/chromium.ts'
import { newOwner, type Owner } from '../support/owner.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { startService } from '../support/service.ts'
import { assertViews, openPath } from './support/dashboard.ts'
import { type Opened, pagesOf } from './support/page-pool.ts'

await buildIfStale()
const registrar = await startService()
const openBlank = pagesOf(await openChromium())
// Passkeys need a domain name.
const site = `http://localhost:${new URL(registrar.url).port}/dashboard`

async function logIn(page: Page, { email, password }: Pick<Owner, 'email' | 'password'>) {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

type Place = Pick<Opened, 'alone'> & { path: string; heading: string }

async function openAs(owner: Owner, { path, heading, ...opened }: Place): Promise<Page> {
  const page = await openBlank(opened)
  await openPath(page, site + path, 'Log in')
  await logIn(page, owner)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
  return page
}

const accountOf = async ({ key }: Owner) =>
  (await registrar.request('GET', '/v1/account', { token: key })).body

/** The authenticator of this page's browser. It is the only one there, and confirms by itself. */
async function addAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

describe('the profile', { skip: skipChromium }, () => {
  it('stores name, company and default name servers', async () => {
    const owner = await newOwner(registrar)
    const page = await openAs(owner, { path: '/account', heading: 'Account' })
    await assertViews(page)
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper')
    await page.getByLabel('Company').fill('Cobol Ltd')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await page.getByLabel('Host names').fill('ns1.example.net\nns2 example')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('host name, such as').waitFor()
    await page.getByLabel('Host names').fill('ns1.example.net\nNS2.example.net')
    const stored = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).last().click()
    assert.equal((await stored).status(), 200)
    const account = await accountOf(owner)
    assert.deepEqual(
      [account.name, account.company_name, account.default_nameservers],
      ['Grace Hopper', 'Cobol Ltd', ['ns1.example.net', 'ns2.example.net']],
    )
    const own = [...registrar.service.settings.default_nameservers]
    await page.getByText(`Leave it empty to use those of this service: ${own.join(', ')}`).waitFor()
    await page.getByLabel('Host names').fill('')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('None are set').waitFor()
    assert.deepEqual((await accountOf(owner)).default_nameservers, own)
  })

  it('changes the email address by the mailed link, also after another log-in', async () => {
    const owner = await newOwner(registrar)
    const page = await openAs(owner, { path: '/account', heading: 'Account' })
    const email = `moved-${owner.id}@example.org`
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('New email address').fill(email)
    await page.getByLabel('Current password').fill(owner.password)
    await assertViews(page)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText(`We sent a link to ${email}`).waitFor()
    const [mail] = await registrar.mails({ to: email })
    const hash = /\/email\/verify(#token=\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const other = await openAs(owner, {
      path: `/email/verify${hash}`,
      heading: 'Verify your new email address',
    })
    assert.equal(other.url(), `${site}/email/verify`)
    await other.getByText(`From then on you log in with ${email}`).waitFor()
    await assertViews(other)
    await other.getByRole('button', { name: 'Use this address' }).click()
    await other.getByText(`Your email address is now ${email}.`).waitFor()
    assert.equal((await accountOf(owner)).email, email)
  })
})

describe('security', { skip: skipChromium }, () => {
  it('lists sessions, and ends all others', async () => {
    const owner = await newOwner(registrar)
    const page = await openAs(owner, { path: '/account/security', heading: 'Security' })
    const others = [
      await openAs(owner, { path: '/', heading: 'Home' }),
      await openAs(owner, { path: '/', heading: 'Home' }),
    ]
    await page.reload()
    await page.getByText('This browser').waitFor()
    await assertViews(page)
    await page.getByRole('button', { name: 'End all others' }).click()
    await page.getByText('2 sessions were ended').waitFor()
    assert.equal(await page.getByRole('button', { name: /^End the session/ }).count(), 0)
    for (const other of others) {
      await other.reload()
      await other.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
    }
  })

  it('changes the password', async () => {
    const owner = await newOwner(registrar)
    const page = await openAs(owner, { path: '/account/security', heading: 'Security' })
    await page.getByLabel('Current password').fill('not the password')
    await page.getByLabel('New password').fill('quite another horse')
    await page.getByRole('button', { name: 'Change the password' }).click()
    assert.match(await page.getByRole('alert').innerText(), /password is wrong/)
    await page.getByLabel('Current password').fill(owner.password)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('The password was changed').waitFor()
    const body = { email: owner.email, password: 'quite another horse' }
    assert.equal((await registrar.request('POST', '/v1/dashboard/login', { body })).status, 200)
  })
})

describe('a passkey', { skip: skipChromium }, () => {
  it('is added, logs in, and is removed by typing its name', async () => {
    const owner = await newOwner(registrar)
    const page = await openAs(owner, {
      path: '/account/security',
      heading: 'Security',
      alone: true,
    })
    await addAuthenticator(page)
    await page.getByPlaceholder('My laptop').fill('Test laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Test laptop was added').waitFor()
    await assertViews(page)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
    await openPath(page, `${site}/account/security`, 'Log in')
    await page.getByRole('button', { name: 'Continue with a passkey' }).click()
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
    await page.getByRole('button', { name: 'Remove Test laptop' }).click()
    await page.getByLabel('Type Test laptop to confirm').fill('Test laptop')
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Test laptop was removed').waitFor()
    await page.getByText('No passkeys yet.').waitFor()
  })

  it('gives the new log-in that a change needs', async () => {
    const owner = await newOwner(registrar)
    const page = await openAs(owner, {
      path: '/account/security',
      heading: 'Security',
      alone: true,
    })
    await addAuthenticator(page)
    const add = async (name: string) => {
      await page.getByPlaceholder('My laptop').fill(name)
      await page.getByRole('button', { name: 'Add a passkey' }).click()
    }
    await add('Test laptop')
    await page.getByText('Test laptop was added').waitFor()
    const rows = rowsIn(registrar)
    await rows(
      "update sessions set signed_in_at = now() - interval '1 hour' where customer_id = $1",
      [owner.id],
    )
    registrar.service.app.authentications.invalidate()
    await page.getByRole('button', { name: 'Remove Test laptop' }).click()
    await page.getByLabel('Type Test laptop to confirm').fill('Test laptop')
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.waitFor()
    await assertViews(page)
    await dialog.getByRole('button', { name: 'Continue with a passkey' }).click()
    await page.getByText('Test laptop was removed').waitFor()
    const actions = await rows(
      'select action from audit_logs where customer_id = $1 order by id desc limit 2',
      [owner.id],
    )
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['remove_passkey', 'log_in_with_passkey'],
    )
  })
})

describe('the host of a page', { skip: skipChromium }, () => {
  const obstacleAt = async (PUBLIC_URL: string) => {
    const node = await startService({ settings: { PUBLIC_URL } })
    const page = await openBlank()
    const { port } = node.service.settings
    await openPath(page, `http://localhost:${port}/dashboard/log-in`, 'Log in')
    await page.getByText(/^Passkeys /).waitFor()
    const button = page.getByRole('button', { name: 'Continue with a passkey' })
    assert.equal(await button.isDisabled(), true)
    await assertViews(page)
    return page.getByText(/^Passkeys /).innerText()
  }

  it('says where passkeys work, or that the service has no domain name', async () => {
    assert.equal(
      await obstacleAt('https://registrar.example'),
      'Passkeys of this service work at registrar.example only. Open it there.',
    )
    assert.match(await obstacleAt('https://192.0.2.1'), /^Passkeys need a domain name/)
  })

  it('is localhost where a browser opens another loopback address', async () => {
    const page = await openBlank()
    await page.goto(`${registrar.url}/dashboard/account?a=b#c`)
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
    assert.equal(new URL(page.url()).origin, new URL(site).origin)
    assert.equal(
      await page.getByRole('button', { name: 'Continue with a passkey' }).isEnabled(),
      true,
    )
    await page.goto(registrar.url)
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
    assert.equal(new URL(page.url()).origin, new URL(site).origin)
  })
})

describe('a forgotten password', { skip: skipChromium }, () => {
  it('is replaced with the mailed code', async () => {
    const owner = await newOwner(registrar)
    const page = await openBlank()
    await openPath(page, `${site}/log-in`, 'Log in')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('heading', { level: 1, name: 'Reset your password' }).waitFor()
    await assertViews(page)
    await page.getByLabel('Email address').fill(owner.email)
    await page.getByRole('button', { name: 'Send the code' }).click()
    await page.getByRole('heading', { level: 1, name: 'Check your email' }).waitFor()
    await page.getByRole('link', { name: 'Open the mailbox' }).waitFor()
    await assertViews(page)
    const [mail] = await registrar.mails({ to: owner.email, subject: /reset/i })
    const code = /^\s*(\d{6})\s*$/m.exec(mail?.text ?? '')?.[1] ?? ''
    await page.getByRole('textbox', { name: '6-digit code' }).focus()
    await page.keyboard.type(code)
    const password = 'a horse that is new here'
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your password is set' }).waitFor()
    await page.getByRole('link', { name: 'Log in' }).click()
    await logIn(page, { email: owner.email, password })
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })
})
