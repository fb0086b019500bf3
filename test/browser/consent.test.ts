// The consent page in a real Chromium without scripts: login, partial consent, and the redirect to
// the client.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, describe, it } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { newClient } from '../../src/oauth/consent/consent.fixture.ts'
import { openChromium, skipChromium } from '../support/chromium.ts'
import { newOwner } from '../support/owner.ts'
import { startService } from '../support/service.ts'

const registrar = await startService()
const owner = await newOwner(registrar)
const chromium = await openChromium()

type Answering = { url: string; answer: (path: string) => { location?: string; html?: string } }

/** A web server of a third party. */
async function startOtherSite(answer: Answering['answer']): Promise<string> {
  const server = createServer((request, response) => {
    const { location, html = 'Another site' } = answer(request.url ?? '')
    response.writeHead(location ? 302 : 200, {
      'content-type': 'text/html',
      ...(location ? { location } : {}),
    })
    response.end(html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

const waiting = await startOtherSite(() => ({ html: 'You can go back to the app.' }))
const callback = `${waiting}/callback`
const client = await newClient(registrar, { client_name: 'Pocket', redirect_uris: [callback] })

type BrowserSession = { page: Page; context: BrowserContext; blocked: string[] }

/** A browser that was sent to the login page. */
async function arrive(url: URL, known?: BrowserContext): Promise<BrowserSession> {
  assert.ok(chromium)
  const context = known ?? (await chromium.person())
  const page = await context.newPage()
  const blocked: string[] = []
  page.on('console', (message) => blocked.push(message.text()))
  await page.goto(url.href)
  return { page, context, blocked }
}

async function logIn(
  { page }: Pick<BrowserSession, 'page'>,
  password = owner.password,
): Promise<void> {
  await page.getByLabel('Email address', { exact: true }).fill(owner.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}
const choose = ({ page }: Pick<BrowserSession, 'page'>) =>
  page.getByRole('radio', { name: /^Custom/ }).check()
/** Allows the request. For a connected app that requests more, the owner has to choose. */
async function allow({ page }: Pick<BrowserSession, 'page'>): Promise<void> {
  const keepsAccess = page.getByRole('radio', { name: /^Keep current access/ })
  if (await keepsAccess.isVisible()) await keepsAccess.check()
  await page.getByRole('button', { name: 'Allow' }).click()
}

describe('a browser without scripts', { skip: skipChromium }, () => {
  it('logs in, deselects a permission, allows, and is redirected to the client', async () => {
    const session = await arrive(client.url())
    const { page } = session
    const heading = page.getByRole('heading', { level: 1 })
    assert.equal(await heading.innerText(), 'Log in to connect an app')
    assert.equal(await page.locator('.claimed-name').innerText(), 'Pocket')
    assert.equal(await page.getByRole('button', { name: /passkey/ }).isVisible(), false)
    await logIn(session)
    assert.equal(await heading.innerText(), 'Connect an app to your account?')
    assert.equal(await page.locator('.claimed-name').innerText(), 'Pocket')
    const buying = page.getByRole('checkbox', { name: /^Buy from your balance/ })
    assert.equal(await buying.isVisible(), false)
    await choose(session)
    assert.equal(await buying.isChecked(), true)
    assert.equal(await page.getByRole('checkbox', { name: /API keys/ }).isChecked(), false)
    await buying.uncheck()
    await allow(session)
    await page.waitForURL(`${callback}?**`)
    assert.match(await page.innerText('body'), /go back to the app/)
    const code = new URL(page.url()).searchParams.get('code')
    const { status, body } = await client.redeem(code)
    assert.deepEqual([status, body.scope], [200, 'domains:read'])
    assert.deepEqual(session.blocked, [])
    await session.context.close()
  })

  it('shows that the password is incorrect, and keeps the other input', async () => {
    const session = await arrive(client.url())
    const { page } = session
    await logIn(session, 'not my password')
    const alert = page.getByRole('alert')
    assert.match(await alert.innerText(), /Incorrect email address or password/)
    assert.match(await page.title(), /^Error: /)
    assert.equal(await page.getByLabel('Email address', { exact: true }).inputValue(), owner.email)
    assert.equal(await page.getByLabel('Password').inputValue(), '')
    assert.equal(await page.locator('#password:focus').count(), 1)
    const [above, field] = [await alert.boundingBox(), await page.locator('#email').boundingBox()]
    assert.ok(above && field && field.y - above.y < 200, 'the message is beside the fields')
    await logIn(session)
    await allow(session)
    await page.waitForURL(`${callback}?**`)
    await session.context.close()
  })

  it('denies with empty fields, and the client gets access_denied', async () => {
    const session = await arrive(client.url())
    await session.page.getByRole('button', { name: 'Deny' }).click()
    await session.page.waitForURL(`${callback}?**`)
    assert.equal(new URL(session.page.url()).searchParams.get('error'), 'access_denied')
    await session.context.close()
  })
})

describe('a logged-in browser', { skip: skipChromium }, () => {
  it('is asked for consent again, and can switch to another account', async () => {
    const session = await arrive(client.url())
    await logIn(session)
    await allow(session)
    await session.page.waitForURL(`${callback}?**`)
    const again = await arrive(client.url(), session.context)
    const text = await again.page.innerText('main')
    assert.match(text, new RegExp(`Logged in as ${owner.email}`))
    assert.match(text, /Your balance is 1000\.00 USD/)
    await again.page.getByRole('button', { name: 'Use another account' }).click()
    assert.equal(await again.page.getByLabel('Password').inputValue(), '')
    await logIn(again)
    await allow(again)
    await again.page.waitForURL(`${callback}?**`)
    await session.context.close()
  })
})

describe('a phone', { skip: skipChromium }, () => {
  it('shows the page without horizontal scrolling', async () => {
    const { page, context } = await arrive(client.url())
    const main = await page.locator('main').boundingBox()
    assert.ok(main && main.x >= 0 && main.x + main.width <= 360, JSON.stringify(main))
    for (const box of await page.locator('input:not([type=hidden]), button').all()) {
      const size = await box.boundingBox()
      if (size) assert.ok(size.x + size.width <= 360 && size.height >= 20, JSON.stringify(size))
    }
    await context.close()
  })
})

describe('the redirect', { skip: skipChromium }, () => {
  it('follows a redirect of the client to another site', async () => {
    const home = await startOtherSite(() => ({ html: 'Welcome home' }))
    const elsewhere = home.replace('127.0.0.1', 'localhost')
    const relay = await startOtherSite(() => ({ location: `${elsewhere}/done` }))
    const far = await newClient(registrar, { redirect_uris: [`${relay}/cb`] })
    const session = await arrive(far.url())
    await logIn(session)
    await allow(session)
    await session.page.waitForURL(`${elsewhere}/done`)
    assert.deepEqual(session.blocked, [])
    await session.context.close()
  })

  it('opens an app by its private-use scheme, and leaves a page with instructions', async () => {
    const app = await newClient(registrar, { redirect_uris: ['com.example.pocket:/callback'] })
    const session = await arrive(app.url())
    const { page } = session
    assert.match(await page.innerText('main'), /opens com\.example\.pocket: links/)
    await logIn(session)
    const opened = page.waitForEvent('requestfailed', (request) =>
      request.url().startsWith('com.example.pocket:/callback?code='),
    )
    await allow(session)
    await opened
    assert.match(await page.innerText('main'), /You can close this page/)
    assert.deepEqual(session.blocked, [])
    await session.context.close()
  })
})

describe('another site', { skip: skipChromium }, () => {
  it('cannot frame the page', async () => {
    const evil = await startOtherSite(() => ({
      html: `<iframe src="${client.url().href.replaceAll('&', '&amp;')}"></iframe>`,
    }))
    const { page, context, blocked } = await arrive(new URL(evil))
    assert.equal(page.frames().length, 2)
    assert.ok(page.frames().every((frame) => !frame.url().startsWith(registrar.url)))
    assert.match(blocked.join('\n'), /frame-ancestors 'none'/)
    await context.close()
  })

  it('cannot submit the form of a logged-in browser', async () => {
    const session = await arrive(client.url())
    await logIn(session)
    await allow(session)
    await session.page.waitForURL(`${callback}?**`)
    const shown = await arrive(client.url(), session.context)
    const stolen = await shown.page.locator('form').innerHTML()
    const { origin } = new URL(shown.page.url())
    const other = await startOtherSite(() => ({
      html: `<form method="post" action="${origin}/oauth/authorize">${stolen}</form>`,
    }))
    const evil = other.replace('127.0.0.1', new URL(origin).hostname)
    // Even one that knew all of its fields. Another port is another origin on the same site, whose
    // requests have the cookies.
    const trap = await arrive(new URL(evil), session.context)
    await allow(trap)
    assert.match(await trap.page.innerText('h1'), /not sent from our page/)
    await allow(shown)
    await shown.page.waitForURL(`${callback}?**`)
    await session.context.close()
  })
})
