// The consent page in a real Chromium with scripts switched off: logging in, giving less than was
// asked for, and arriving where the program waits.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, describe, it } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { newProgram } from '../../src/oauth/consent/consent.fixture.ts'
import { openChromium, skipChromium } from '../support/chromium.ts'
import { newOwner } from '../support/owner.ts'
import { startService } from '../support/service.ts'

const registrar = await startService()
const owner = await newOwner(registrar)
const chromium = await openChromium()

type Answering = { url: string; answer: (path: string) => { location?: string; html?: string } }

/** A web server of somebody else's. */
async function somebody(answer: Answering['answer']): Promise<string> {
  const server = createServer((request, response) => {
    const { location, html = 'Somebody else' } = answer(request.url ?? '')
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

const waiting = await somebody(() => ({ html: 'You can go back to the program.' }))
const callback = `${waiting}/callback`
const program = await newProgram(registrar, { client_name: 'Pocket', redirect_uris: [callback] })

type Scene = { page: Page; context: BrowserContext; blocked: string[] }

/** A person who was sent to the log-in page. */
async function arrive(url: URL, known?: BrowserContext): Promise<Scene> {
  assert.ok(chromium)
  const context = known ?? (await chromium.person())
  const page = await context.newPage()
  const blocked: string[] = []
  page.on('console', (message) => blocked.push(message.text()))
  await page.goto(url.href)
  return { page, context, blocked }
}

async function logIn({ page }: Pick<Scene, 'page'>, password = owner.password): Promise<void> {
  await page.getByLabel('Email address', { exact: true }).fill(owner.email)
  await page.getByLabel('Password').fill(password)
}
const allow = ({ page }: Pick<Scene, 'page'>) => page.getByRole('button', { name: 'Allow' }).click()

describe('a person without scripts', { skip: skipChromium }, () => {
  it('logs in, unchecks what goes too far, allows, and is back at the program', async () => {
    const scene = await arrive(program.url())
    const { page } = scene
    assert.equal(
      await page.getByRole('heading', { level: 1 }).innerText(),
      'Connect an app to your account?',
    )
    assert.equal(await page.locator('.claimed-name').innerText(), 'Pocket')
    const buying = page.getByRole('checkbox', { name: /^Buy from your balance/ })
    assert.equal(await buying.isChecked(), true)
    assert.equal(await page.getByRole('checkbox', { name: /API keys/ }).isChecked(), false)
    await buying.uncheck()
    await logIn(scene)
    await allow(scene)
    await page.waitForURL(`${callback}?**`)
    assert.match(await page.innerText('body'), /go back to the program/)
    const code = new URL(page.url()).searchParams.get('code')
    const { status, body } = await program.redeem(code)
    assert.deepEqual([status, body.scope], [200, 'domains:read'])
    assert.deepEqual(scene.blocked, [])
    await scene.context.close()
  })

  it('hears that the password was wrong, and finds the rest as it was', async () => {
    const scene = await arrive(program.url())
    const { page } = scene
    await page.getByRole('checkbox', { name: /^Buy from your balance/ }).uncheck()
    await logIn(scene, 'not my password')
    await allow(scene)
    const alert = page.getByRole('alert')
    assert.match(await alert.innerText(), /Incorrect email address or password/)
    assert.match(await page.title(), /^Error: /)
    assert.equal(await page.getByLabel('Email address', { exact: true }).inputValue(), owner.email)
    assert.equal(await page.getByLabel('Password').inputValue(), '')
    assert.equal(
      await page.getByRole('checkbox', { name: /^Buy from your balance/ }).isChecked(),
      false,
    )
    assert.equal(await page.locator('#password:focus').count(), 1)
    const [above, field] = [await alert.boundingBox(), await page.locator('#email').boundingBox()]
    assert.ok(above && field && field.y - above.y < 200, 'the words are beside the fields')
    await logIn(scene)
    await allow(scene)
    await page.waitForURL(`${callback}?**`)
    await scene.context.close()
  })

  it('denies with empty fields, and the program is told', async () => {
    const scene = await arrive(program.url())
    await scene.page.getByRole('button', { name: 'Deny' }).click()
    await scene.page.waitForURL(`${callback}?**`)
    assert.equal(new URL(scene.page.url()).searchParams.get('error'), 'access_denied')
    await scene.context.close()
  })
})

describe('a person who was here before', { skip: skipChromium }, () => {
  it('is asked again in the same browser, and may go on as somebody else', async () => {
    const scene = await arrive(program.url())
    await logIn(scene)
    await allow(scene)
    await scene.page.waitForURL(`${callback}?**`)
    const again = await arrive(program.url(), scene.context)
    const text = await again.page.innerText('main')
    assert.match(text, new RegExp(`Logged in as ${owner.email}`))
    assert.match(text, /currently 1000\.00 USD/)
    await again.page.getByRole('button', { name: 'Use another account' }).click()
    assert.equal(await again.page.getByLabel('Password').inputValue(), '')
    await logIn(again)
    await allow(again)
    await again.page.waitForURL(`${callback}?**`)
    await scene.context.close()
  })
})

describe('a person with a phone', { skip: skipChromium }, () => {
  it('reads the page without moving it sideways', async () => {
    const { page, context } = await arrive(program.url())
    const main = await page.locator('main').boundingBox()
    assert.ok(main && main.x >= 0 && main.x + main.width <= 360, JSON.stringify(main))
    for (const box of await page.locator('input, button').all()) {
      const size = await box.boundingBox()
      if (size) assert.ok(size.x + size.width <= 360 && size.height >= 20, JSON.stringify(size))
    }
    await context.close()
  })
})

describe('the way back', { skip: skipChromium }, () => {
  it('goes on to another site, where the program leads there', async () => {
    const home = await somebody(() => ({ html: 'Welcome home' }))
    const elsewhere = home.replace('127.0.0.1', 'localhost')
    const relay = await somebody(() => ({ location: `${elsewhere}/done` }))
    const far = await newProgram(registrar, { redirect_uris: [`${relay}/cb`] })
    const scene = await arrive(far.url())
    await logIn(scene)
    await allow(scene)
    await scene.page.waitForURL(`${elsewhere}/done`)
    assert.deepEqual(scene.blocked, [])
    await scene.context.close()
  })

  it('opens an app by its own scheme, and leaves a page that says what to do', async () => {
    const app = await newProgram(registrar, { redirect_uris: ['com.example.pocket:/callback'] })
    const scene = await arrive(app.url())
    const { page } = scene
    assert.match(await page.innerText('main'), /opens com\.example\.pocket: links/)
    await logIn(scene)
    const opened = page.waitForEvent('requestfailed', (request) =>
      request.url().startsWith('com.example.pocket:/callback?code='),
    )
    await allow(scene)
    await opened
    assert.match(await page.innerText('main'), /You can close this page/)
    assert.deepEqual(scene.blocked, [])
    await scene.context.close()
  })
})

describe('another site', { skip: skipChromium }, () => {
  it('cannot show the page in a frame of its own', async () => {
    const evil = await somebody(() => ({
      html: `<iframe src="${program.url().href.replaceAll('&', '&amp;')}"></iframe>`,
    }))
    const { page, context, blocked } = await arrive(new URL(evil))
    assert.equal(page.frames().length, 2)
    assert.ok(page.frames().every((frame) => !frame.url().startsWith(registrar.url)))
    assert.match(blocked.join('\n'), /frame-ancestors 'none'/)
    await context.close()
  })

  it('cannot submit the form for a person who is signed in', async () => {
    const scene = await arrive(program.url())
    await logIn(scene)
    await allow(scene)
    await scene.page.waitForURL(`${callback}?**`)
    const shown = await arrive(program.url(), scene.context)
    const stolen = await shown.page.locator('form').innerHTML()
    const evil = await somebody(() => ({
      html: `<form method="post" action="${registrar.url}/oauth/authorize">${stolen}</form>`,
    }))
    // Even one that knew all of its fields. Another port is another origin on the same site, whose
    // requests have the cookies.
    const trap = await arrive(new URL(evil), scene.context)
    await allow(trap)
    assert.match(await trap.page.innerText('h1'), /not sent from our page/)
    await allow(shown)
    await shown.page.waitForURL(`${callback}?**`)
    await scene.context.close()
  })
})
