// "Confirm that it is you" of the dashboard: an old log-in is confirmed by password or by a linked
// provider, and the interrupted action continues.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skipChromium } from '../support/chromium.ts'
import { newOwner, type Owner } from '../support/owner.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { startService } from '../support/service.ts'
import { assertViews } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'
import { issuerSettings, openOidcIssuer } from './support/oidc-issuer.ts'

const acme = await openOidcIssuer('acme')
after(() => acme.close())
const registrar = await startService({ settings: issuerSettings([acme]) })
const { origin } = new URL(registrar.url.replace('127.0.0.1', 'localhost'))
acme.register(`${origin}/v1/dashboard/sso/acme/callback`)
const rows = rowsIn(registrar)
const { openAs } = await openDashboard(registrar)

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

/** The log-in of an owner's browsers was an hour ago. */
async function age({ id }: Owner): Promise<void> {
  const sql = `update sessions set signed_in_at = now() - interval '1 hour' where customer_id = $1`
  await rows(sql, [id])
  registrar.service.app.authentications.invalidate()
}

async function creatingKey(owner: Owner): Promise<Page> {
  const page = await openAs(owner, { path: '/api-keys', heading: 'API keys' })
  await age(owner)
  await press(page, 'Create API key')
  await page.getByRole('textbox', { name: 'Name' }).fill('deploy bot')
  await press(page, 'Create')
  await dialogOf(page).waitFor()
  return page
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement.name')
const keysOf = async ({ id }: Owner) =>
  (await rows(`select name from api_keys where customer_id = $1 and name = 'deploy bot'`, [id]))
    .length

describe('a new API key with an old log-in', { skip: skipChromium }, () => {
  it('is made after the password, in which the focus is', async () => {
    const owner = await newOwner(registrar)
    const page = await creatingKey(owner)
    assert.equal(await focused(page), 'password')
    await page.getByText('Your log-in is older than ten minutes.').waitFor()
    await assertViews(page)
    assert.equal(await page.getByRole('button', { name: /passkey|Acme/ }).count(), 0)
    await page.keyboard.type('not the password')
    await page.keyboard.press('Enter')
    await dialogOf(page).getByRole('alert').waitFor()
    assert.equal(await keysOf(owner), 0)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Store your API key' }).waitFor()
    assert.equal(await keysOf(owner), 1)
  })

  it('is not made when the dialog is closed, and the form stays', async () => {
    const owner = await newOwner(registrar)
    const page = await creatingKey(owner)
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.getByText('The log-in is older than ten minutes.').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'deploy bot')
    assert.equal(await keysOf(owner), 0)
  })
})

describe('a change of a domain with an old log-in', { skip: skipChromium }, () => {
  const holding = async () => {
    const owner = await newOwner(registrar, { funds_cents: 10_000 })
    const domain = `moved-${randomBytes(4).toString('hex')}.com`
    const bought = await registrar.request('POST', '/v1/domains', {
      token: owner.key,
      body: { domain },
    })
    assert.equal(bought.status, 200, bought.text)
    return { owner, domain }
  }
  const confirm = async (page: Page, { password }: Owner) => {
    await dialogOf(page).waitFor()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await dialogOf(page).waitFor({ state: 'detached' })
  }
  const factsOf = async (domain: string) =>
    (await rows('select locked, nameservers from domains where name = $1', [domain]))[0]

  it('unlocks it by its switch, and sets its name servers, after the password', async () => {
    const { owner, domain } = await holding()
    const page = await openAs(owner, { path: `/domains/${domain}`, heading: domain })
    const lock = page.getByRole('switch', { name: 'Transfer lock' })
    await lock.click()
    await page.getByText(`${domain} is locked`).first().waitFor()
    await age(owner)
    await lock.click()
    await confirm(page, owner)
    await page.getByText(`${domain} is unlocked`).first().waitFor()
    assert.equal((await factsOf(domain))?.locked, false)
    await age(owner)
    await page.getByRole('tab', { name: 'Name servers' }).click()
    await page
      .getByRole('textbox', { name: 'Host names, one per line' })
      .fill('ns1.example.net\nns2.example.net')
    await press(page, 'Save name servers')
    await press(page, 'Change anyway')
    await confirm(page, owner)
    await page.getByText(`The name servers of ${domain} are changed`).first().waitFor()
    assert.deepEqual((await factsOf(domain))?.nameservers, ['ns1.example.net', 'ns2.example.net'])
  })
})

describe('a new webhook with an old log-in', { skip: skipChromium }, () => {
  it('is added after the password, above the dialog of its form', async () => {
    const owner = await newOwner(registrar)
    const page = await openAs(owner, { path: '/webhooks', heading: 'Webhooks' })
    await age(owner)
    await page.getByRole('button', { name: 'Add webhook', exact: true }).first().click()
    await page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example.net/in')
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click()
    await dialogOf(page).waitFor()
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Store the signing secret' }).waitFor()
  })
})

describe('a confirmation by a provider', { skip: skipChromium }, () => {
  async function linked(): Promise<Owner & { sub: string }> {
    const owner = await newOwner(registrar)
    const sub = randomBytes(6).toString('hex')
    await rows(
      `insert into sso_identities
         (customer_id, provider, issuer, subject, email, created_at, last_used_at)
       values ($1, 'acme', $2, $3, $4, now(), now())`,
      [owner.id, acme.url, sub, owner.email],
    )
    return { ...owner, sub }
  }
  const userOf = (sub: string, email: string) => ({ sub, email, email_verified: true, name: 'Ada' })

  it('is a fresh log-in by the linked user, after which the page is open again', async () => {
    const owner = await linked()
    const page = await creatingKey(owner)
    await page.getByRole('button', { name: 'Continue with Acme Corp' }).waitFor()
    await assertViews(page)
    acme.user = userOf(owner.sub, owner.email)
    await press(page, 'Continue with Acme Corp')
    // The dialog that was open before.
    await page.getByRole('textbox', { name: 'Name' }).fill('deploy bot')
    await press(page, 'Create')
    await page.getByRole('dialog', { name: 'Store your API key' }).waitFor()
    assert.equal(await keysOf(owner), 1)
  })

  it('by another user says so, and leaves the session and its account alone', async () => {
    const owner = await linked()
    const page = await creatingKey(owner)
    const email = `${randomBytes(6).toString('hex')}@provider.example`
    acme.user = userOf(randomBytes(6).toString('hex'), email)
    await press(page, 'Continue with Acme Corp')
    await page.getByRole('heading', { name: 'Your identity was not confirmed' }).waitFor()
    await page.getByText('is not linked to this account').waitFor()
    await assertViews(page)
    assert.deepEqual(await rows('select id from customers where email = $1', [email]), [])
    await page.getByRole('link', { name: 'Go back' }).click()
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    assert.equal(await keysOf(owner), 0)
  })
})
