// Notifications and the settings of approvals in a real Chromium. Its headless shell has no push
// service, and shows no notifications. So three things of the browser itself are replaced: the
// permission and PushManager in the page, showNotification in the service worker. The worker is
// real, and gets the message that the simulated push service decrypted, as the browser delivers it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BrowserContext, Page, Worker } from 'playwright-core'
import { startPushService } from '../../../sandbox/push/index.ts'
import { until } from '../../contract/support/fixture.ts'
import { skipChromium } from '../../support/chromium.ts'
import { newOwner, type Owner } from '../../support/owner.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { startService } from '../../support/service.ts'
import { assertAccessible, assertViews, settled } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { shot } from '../support/shots.ts'

const registrar = await startService({ settings: { ALLOW_LOOPBACK_WEBHOOKS: 'true' } })
const service = await startPushService()
registrar.closers.push(service.close)
const rows = rowsIn(registrar)
const { openAs, site } = await openDashboard(registrar)
const { origin } = new URL(site)
const public_key = registrar.service.app.webPush?.public_key ?? ''
const path = '/approvals/settings'
const heading = 'Approval settings'
const scopes = ['domains:read', 'domains:purchase', 'keys:write']

type Subscription = Awaited<ReturnType<typeof service.subscribe>>['subscription']

type Permission = 'granted' | 'denied'

/** The boundary of the browser: its push service is the simulated one. */
const boundary = (subscription: Subscription, permission: Permission) => `
  (() => {
    Object.defineProperty(Notification, 'permission', { get: () => '${permission}' })
    Notification.requestPermission = async () => '${permission}'
    const octets = (text) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
    const subscribed = () => ({
      options: { applicationServerKey: octets('${public_key}').buffer },
      toJSON: () => (${JSON.stringify(subscription)}),
      unsubscribe: async () => localStorage.removeItem('test-subscribed'),
    })
    PushManager.prototype.getSubscription = async () =>
      localStorage.getItem('test-subscribed') ? subscribed() : null
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      const isOurs = applicationServerKey.toString() === octets('${public_key}').toString()
      if (!userVisibleOnly || !isOurs) throw new Error('wrong options')
      localStorage.setItem('test-subscribed', 'yes')
      return subscribed()
    }
  })()`

const switchOf = (page: Page) => page.getByRole('switch', { name: 'Notify this browser' })

async function openSettings(owner: Owner, permission: Permission) {
  const browser = await service.subscribe(public_key)
  const page = await openAs(owner, { path: '', heading: 'Home', alone: true })
  const context = page.context()
  const cdp = await context.newCDPSession(page)
  await page.addInitScript(boundary(browser.subscription, permission))
  await page.goto(site + path)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  return { page, context, browser, cdp }
}

async function ask(owner: Owner, domain: string): Promise<string> {
  const made = await registrar.request('POST', `/v1/customers/${owner.id}/api-keys`, {
    token: owner.key,
    body: { name: 'Shopping agent', scopes, approval_above: { amount: '5.00' } },
  })
  const token = String(made.body.api_key)
  const refused = await registrar.request('POST', '/v1/domains', { token, body: { domain } })
  return String(refused.body.approval.id)
}

const stored = (owner: Owner) =>
  rows('select id, session_id from push_subscriptions where customer_id = $1', [owner.id])

async function workerOf(context: BrowserContext): Promise<Worker> {
  const [known] = context.serviceWorkers()
  return known ?? context.waitForEvent('serviceworker')
}

/** Notes the notifications that the worker shows from now on. */
const noteShown = (worker: Worker) =>
  worker.evaluate(`
    self.shown = []
    self.registration.showNotification = async (title, options) => {
      self.shown.push({ title, ...options })
    }`)

const shownBy = (worker: Worker) => worker.evaluate<object[]>('self.shown')

/** The place that a click on the notification opens. */
const clicked = (worker: Worker, tag: string) =>
  worker.evaluate<string>(`(async () => {
    const { promise, resolve } = Promise.withResolvers()
    self.clients.openWindow = async (url) => resolve(url)
    const event = new Event('notificationclick')
    const notification = { tag: '${tag}', close: () => undefined }
    self.dispatchEvent(Object.assign(event, { notification, waitUntil: () => undefined }))
    return promise
  })()`)

describe('the switch "Notify this browser"', { skip: skipChromium }, () => {
  it('subscribes; a request that waits is shown, and a click opens it here', async () => {
    const owner = await newOwner(registrar, { scopes })
    const { page, context, browser, cdp } = await openSettings(owner, 'granted')
    await assertViews(page)
    await switchOf(page).check()
    await page.getByText('This browser is notified until you log out here.').waitFor()
    await page.evaluate(settled)
    await assertAccessible(page)
    await shot(page, 'settings-on')
    assert.equal((await stored(owner)).length, 1)

    const id = await ask(owner, 'pushed-to-browser.com')
    const [message] = await browser.until(1)
    const worker = await workerOf(context)
    assert.equal(worker.url(), `${site}/push-worker.js`)
    const registered = Promise.withResolvers<string>()
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations
      if (found) registered.resolve(found.registrationId)
    })
    await cdp.send('ServiceWorker.enable')
    const registrationId = await registered.promise
    const deliver = (data: string) =>
      cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
    await noteShown(worker)
    await deliver(message?.text ?? '')
    const isShown = (count: number) => until(async () => (await shownBy(worker)).length === count)
    await isShown(1)
    const title = 'Approve or decline: register pushed-to-browser.com'
    const body = 'Open the request. Nothing happens until you approve it there.'
    assert.deepEqual(await shownBy(worker), [{ title, body, tag: id }])
    assert.equal(await clicked(worker, id), `${site}/approvals/${id}`)
    for (const tag of ['//evil.example/apr', '', `${id}/../../x`, 'https://evil.example/'])
      assert.equal(await clicked(worker, tag), `${site}/approvals`, tag)
    await deliver('not JSON')
    await isShown(2)
    assert.deepEqual((await shownBy(worker))[1], { title: 'A request is waiting for you' })

    const { state } = (await registrar.request('GET', `/v1/approvals/${id}`, { token: owner.key }))
      .body
    assert.equal(state, 'pending', 'a click approves nothing')
  })

  it('stays on over a load and a new session, and is off after a log-out', async () => {
    const owner = await newOwner(registrar, { scopes })
    const { page } = await openSettings(owner, 'granted')
    await switchOf(page).check()
    await page.getByText('until you log out here').waitFor()
    const [before] = await stored(owner)
    await rows(`update sessions set expires_at = now() where customer_id = $1`, [owner.id])
    registrar.service.app.authentications.invalidate()
    await page.goto(site + path)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.keyboard.press('Enter')
    await page.getByText('until you log out here').waitFor()
    await page.waitForFunction('localStorage.getItem("push") !== null')
    await page.reload()
    await page.getByText('until you log out here').waitFor()
    const [after] = await stored(owner)
    assert.equal(after.id, before.id)
    assert.notEqual(after.session_id, before.session_id)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in' }).first().waitFor()
    assert.deepEqual(await stored(owner), [])
    await page.waitForFunction('localStorage.getItem("push") === null')
  })
})

describe('the switch, on or not available', { skip: skipChromium }, () => {
  it('is turned off here and at the service', async () => {
    const owner = await newOwner(registrar, { scopes })
    const { page } = await openSettings(owner, 'granted')
    await switchOf(page).check()
    await page.getByText('until you log out here').waitFor()
    await switchOf(page).uncheck()
    await page.getByText('until you log out here').waitFor({ state: 'detached' })
    assert.deepEqual(await stored(owner), [])
    assert.equal(await page.evaluate('localStorage.getItem("test-subscribed")'), null)
  })

  it('says so where the browser blocks notifications, or has none', async () => {
    const owner = await newOwner(registrar, { scopes })
    const { page } = await openSettings(owner, 'denied')
    await page.getByText('This browser blocks notifications from this site.').waitFor()
    assert.equal(await switchOf(page).isDisabled(), true)
    await assertViews(page)
    await shot(page, 'settings-denied')
    await page.addInitScript('delete window.PushManager')
    await page.reload()
    await page.getByText('This browser cannot be notified here').waitFor()
    assert.equal(await switchOf(page).isDisabled(), true)
  })

  it('shows an error where the push service of the browser cannot be reached', async () => {
    const owner = await newOwner(registrar, { scopes })
    const { page } = await openSettings(owner, 'granted')
    await page.evaluate(
      `PushManager.prototype.subscribe = async () => { throw new DOMException('x', 'AbortError') }`,
    )
    await switchOf(page).click()
    await page.getByText('could not be registered with its push service').waitFor()
    assert.equal(await switchOf(page).isChecked(), false)
    await assertAccessible(page)
    assert.deepEqual(await stored(owner), [])
  })

  it('is not there where the service has no key', async () => {
    const owner = await newOwner(registrar, { scopes })
    const page = await openAs(owner, { path: '', heading: 'Home', alone: true })
    await page.route('**/v1/dashboard/config', async (route) => {
      const response = await route.fetch()
      const json = { ...(await response.json()), vapid_public_key: null }
      await route.fulfill({ response, json })
    })
    await page.goto(site + path)
    await page.getByText('Ask above an amount').waitFor()
    assert.equal(await switchOf(page).count(), 0)
    await assertAccessible(page)
  })
})

describe('the sum for a fresh log-in', { skip: skipChromium }, () => {
  it('is lowered at once, raised and turned off after a fresh log-in', async () => {
    const owner = await newOwner(registrar, { scopes })
    const page = await openAs(owner, { path: '/approvals', heading: 'Approvals' })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    const old = `signed_in_at = now() - interval '1 hour'`
    await rows(`update sessions set ${old} where customer_id = $1`, [owner.id])
    registrar.service.app.authentications.invalidate()
    const sum = page.getByLabel('Amount', { exact: true })
    const save = () => page.getByRole('button', { name: 'Save' }).click()
    const isSet = (text: string) =>
      until(async () => {
        const [row] = await rows(
          `select concat_ws(' ', fresh_log_in_amount, fresh_log_in_currency) as sum
             from customers where id = $1`,
          [owner.id],
        )
        return row.sum === text
      })
    assert.equal(await sum.inputValue(), '100.00')
    await sum.fill('twenty')
    await save()
    await page.getByText(/Enter an amount, such as 25\.00/).waitFor()
    assert.equal(await sum.getAttribute('aria-invalid'), 'true')
    await assertAccessible(page)
    await sum.fill('20')
    await save()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await isSet('2000 USD')

    await page.getByLabel('Currency of the amount').selectOption('EUR')
    await save()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await isSet('2000 EUR')

    await page.getByRole('switch', { name: 'Ask above an amount' }).uncheck()
    await page.getByText('No amount requires a fresh log-in').waitFor()
    await page.evaluate(settled)
    await assertViews(page)
    await shot(page, 'sum-off')
    await save()
    await isSet('')
  })
})
