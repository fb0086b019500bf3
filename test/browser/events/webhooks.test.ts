// Webhooks in a real Chromium, with a receiver that answers: added, tested, changed, turned off,
// sent again, rotated and deleted.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  isSigned,
  receiverOf,
  until,
} from '../../../src/capabilities/events/webhooks/webhooks.fixture.ts'
import { skipChromium } from '../../support/chromium.ts'
import { startService } from '../../support/service.ts'
import { givePassword, ownersPassword } from '../../support/sign-in.ts'
import { assertAccessible, assertViews, settled } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'

const registrar = await startService({ settings: { ALLOW_LOOPBACK_WEBHOOKS: 'true' } })
const owner = { ...(await registrar.customer()), password: ownersPassword }
const { openAs } = await openDashboard(registrar)
const receiver = await receiverOf()
const { host } = new URL(receiver.url)

before(() => givePassword(registrar, owner))

async function webhooks(): Promise<{ types: string[]; enabled: boolean; url: string }[]> {
  const { status, body } = await registrar.request('GET', '/v1/webhooks', { token: owner.key })
  assert.equal(status, 200)
  return body.webhooks
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The secret that the dialog shows, which is gone once the dialog is closed. */
async function storedSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Store the signing secret' })
  const secret = await dialog.locator('code').innerText()
  assert.match(secret, /^whsec_/)
  await page.evaluate(settled)
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(secret))
  return secret
}

async function received(count: number) {
  const all = await until(
    () => receiver.received,
    ({ length }) => length >= count,
  )
  assert.equal(all.length, count)
  const newest = all.at(-1)
  assert.ok(newest)
  return newest
}

async function add(page: Page): Promise<string> {
  await button(page, 'Add webhook').first().click()
  const dialog = page.getByRole('dialog', { name: 'Add webhook' })
  await dialog.getByLabel('URL').fill('ftp://nothing.example')
  await button(page, 'Add webhook').last().click()
  await dialog.getByText('is not https').waitFor()
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByLabel('Description').fill('On this machine')
  for (const family of ['Support', 'Webhooks']) await dialog.getByLabel(family).uncheck()
  await dialog.getByLabel('Single event types').fill('webhook.tset')
  await button(page, 'Add webhook').last().click()
  await dialog.getByText('webhook.tset').waitFor()
  await page.evaluate(settled)
  await assertViews(page)
  await dialog.getByLabel('Single event types').fill('webhook.test, webhook.deleted')
  await button(page, 'Add webhook').last().click()
  return await storedSecret(page)
}

/** A test, and the same event again, which fails. */
async function assertSends(page: Page, secret: string): Promise<void> {
  await button(page, `Send a test to ${host}`).click()
  const first = await received(1)
  assert.ok(isSigned(first, secret))
  await page.getByText('Last delivered').waitFor()
  await page.getByText('Latest deliveries', { exact: true }).click()
  await page.getByText('HTTP 204').waitFor()

  receiver.answer = (response) => response.writeHead(500).end()
  await button(page, 'Redeliver webhook.test').click()
  const second = await received(2)
  assert.equal(second.headers['webhook-id'], first.headers['webhook-id'])
  await page.getByText('It answered 500.').waitFor()
  await page.getByText('Last attempt failed').waitFor()
  await page.reload()
  await page.getByText('Failing', { exact: true }).waitFor()
  await page.getByText('Latest deliveries', { exact: true }).click()
  await page.getByText('It answered 500.').waitFor()
  await assertViews(page)
  receiver.answer = (response) => response.writeHead(204).end()
}

async function turnOffAndOn(page: Page): Promise<void> {
  const sending = page.getByRole('switch', { name: `Send events to ${host}` })
  await sending.click()
  await page.getByText('Off', { exact: true }).waitFor()
  assert.equal((await webhooks())[0]?.enabled, false)
  assert.equal(await button(page, `Send a test to ${host}`).count(), 0)
  await sending.click()
  await page.getByText('Active', { exact: true }).waitFor()
}

async function change(page: Page): Promise<void> {
  await button(page, `Edit ${host}`).click()
  const form = page.getByRole('dialog', { name: `Edit ${host}` })
  const single = form.getByLabel('Single event types')
  assert.equal(await single.inputValue(), 'webhook.test webhook.deleted')
  await single.fill('')
  await form.getByLabel('Contacts').uncheck()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText(`${host} is saved`).waitFor()
  assert.ok(!(await webhooks())[0]?.types.some((type) => /^(contact|webhook)/.test(type)))
}

describe('webhooks', { skip: skipChromium }, () => {
  it('show a list that could not be read, and read it again', async () => {
    const page = await openAs(owner, { path: '/support', heading: 'Support' })
    let isDown = true
    await page.route('**/v1/webhooks', (route) => (isDown ? route.abort() : route.continue()))
    await page.goto(page.url().replace('/support', '/webhooks'))
    const retry = button(page, 'Try again')
    await retry.waitFor()
    isDown = false
    await retry.click()
    await page.getByText('No webhooks yet').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
  })

  it('are added, tested, changed, turned off, rotated and deleted', async () => {
    const view = { width: 360, theme: 'light' } as const
    const page = await openAs(owner, { path: '/webhooks', heading: 'Webhooks', view })
    await page.getByText('No webhooks yet').waitFor()
    const secret = await add(page)
    const [made] = await webhooks()
    assert.deepEqual(made?.types.slice(-3), ['account.*', 'webhook.test', 'webhook.deleted'])
    assert.ok(!made.types.includes('support.*'))

    await assertSends(page, secret)
    await turnOffAndOn(page)
    await change(page)
    await button(page, `Rotate secret of ${host}`).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const rotated = await storedSecret(page)
    assert.notEqual(rotated, secret)
    await page.getByText('Events are also signed with the previous secret until').waitFor()

    await button(page, `Delete ${host}`).click()
    await page.getByLabel(`Type ${host} to confirm`).fill(host)
    await page.evaluate(settled)
    await assertAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet').waitFor()
    assert.deepEqual(await webhooks(), [])
  })
})
