// The operators' pages of support, of parked card payments and of failed webhooks, in a real
// Chromium.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { newSigningSecret } from '../../../src/capabilities/events/webhooks/sending/signature.ts'
import { cardPayments } from '../../../src/capabilities/top-ups/card/card-payments.fixture.ts'
import { newId } from '../../../src/kit/random.ts'
import { skipChromium } from '../../support/chromium.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { startService, type TestCustomer } from '../../support/service.ts'
import {
  assertFits,
  assertOfTemplate,
  assertViews,
  openPath,
  settled,
} from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { shot } from '../support/shots.ts'

const registrar = await startService({ worker: false })
const { site, newVisitor } = await openDashboard(registrar)
const { request, operatorKey: token } = registrar
const sql = rowsIn(registrar)

/** A page of an operator who is logged in. */
async function openAs(path: string, heading: string): Promise<Page> {
  const page = await newVisitor()
  await openPath(page, `${site}${path}`, 'Log in as an operator')
  await page.getByLabel('Operator key').fill(token)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
  return page
}

async function writes({ key }: TestCustomer, body: string): Promise<void> {
  const sent = await request('POST', '/v1/support/messages', { token: key, body: { body } })
  assert.equal(sent.status, 201, sent.text)
}

async function actionsOf({ id, key }: TestCustomer, action: string): Promise<unknown[]> {
  const path = `/v1/customers/${id}/audit-logs?action=${action}`
  return (await request('GET', path, { token: key })).body.audit_logs
}

const decide = async (page: Page, name: string) => {
  // A notification that is still shown is no modal dialog.
  const dialog = page.locator('[role="dialog"]:not([aria-modal="false"])')
  await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

describe('the page of support', { skip: skipChromium }, () => {
  it('lists the longest wait first, and lets an operator read and reply', async () => {
    const [first, second] = [await registrar.customer(), await registrar.customer()]
    await writes(first, 'My transfer does not move.\nCan you look?')
    await writes(second, 'What does a .de cost?')
    const page = await openAs('/operator/support', 'Support')
    const items = page.getByRole('tabpanel', { name: 'Waiting' }).getByRole('listitem')
    await items.first().getByText('My transfer does not move.').waitFor()
    await items.last().getByText('What does a .de cost?').waitFor()
    await shot(page, 'support')
    await assertViews(page)
    await items.first().getByRole('link').click()
    const messages = page.getByRole('log', { name: 'Messages' })
    await messages.getByText('Can you look?').waitFor()
    await messages.getByText('Not read yet').waitFor()
    await shot(page, 'support-thread')
    await assertViews(page)
    await page.getByLabel('Message', { exact: true }).fill('It waits for the other registrar.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await messages.getByText('It waits for the other registrar.').waitFor()
    await messages.getByText('environment', { exact: true }).waitFor()
    await page.getByText('Not read yet').waitFor({ state: 'detached' })
    await page.getByText('1 unread').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Mark as read' }).count(), 0)
    const reads = (await actionsOf(first, 'read_support_thread')).length
    await writes(first, 'Thank you!')
    await messages.getByText('Thank you!').waitFor()
    await page.getByRole('button', { name: 'Mark as read' }).click()
    await page.getByText('The messages are marked as read').waitFor()
    const [newest, ...older] = await actionsOf(first, 'read_support_thread')
    assert.equal(Object(newest).actor_label, 'environment')
    assert.ok(older.length < reads + 4, `${older.length} readings are in the log`)
    await page.getByRole('tab', { name: 'Answered' }).click()
    await page.getByRole('tabpanel', { name: 'Answered' }).getByText('Thank you!').waitFor()
    const list = '/v1/internal/support/threads'
    const { body } = await request('GET', list, { token })
    assert.deepEqual(
      body.threads.map(({ customer_id }: { customer_id: string }) => customer_id),
      [second.id],
    )
  })
})

/** At the usual width of a phone, and at the narrowest one. */
async function assertPhone(page: Page, name: string): Promise<void> {
  await shot(page, name)
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(settled)
    await assertFits(page)
  }
}

describe('the page of support on a phone', { skip: skipChromium }, () => {
  it('leads from the list to the conversation and back, and fits', async () => {
    const [first, second] = [await registrar.customer(), await registrar.customer()]
    await writes(first, `See https://${'a-long-name.'.repeat(20)}example/ about ${'x'.repeat(200)}`)
    await writes(second, 'Is it possible to move my domain to another account?')
    const page = await openAs('/operator', 'Overview')
    await page.setViewportSize({ width: 390, height: 800 })
    const bar = page.getByRole('navigation', { name: 'Main' })
    await bar.getByRole('link', { name: 'Support' }).click()
    const list = page.getByRole('tabpanel', { name: 'Waiting' })
    const item = list.getByRole('link', { name: /See https/ })
    await item.waitFor()
    await assertPhone(page, 'support-phone')
    await item.click()
    const messages = page.getByRole('log', { name: 'Messages' })
    await messages.getByText('See https').waitFor()
    const field = page.getByLabel('Message', { exact: true })
    await assertPhone(page, 'support-phone-thread')
    // It is in view without scrolling.
    const send = page.getByRole('button', { name: 'Send', exact: true })
    assert.deepEqual(await page.evaluate<number[]>(`[scrollX, scrollY]`), [0, 0])
    for (const one of [field, send]) {
      const box = await one.boundingBox()
      const barBox = await bar.boundingBox()
      assert.ok(box && barBox && box.y + box.height <= barBox.y, 'it is above the bar')
    }
    await field.fill('A reply of several lines.\n\nWith a second paragraph.\n'.repeat(4))
    await assertPhone(page, 'support-phone-reply')
    await field.click({ trial: true })
    await send.click()
    await messages.getByText('With a second paragraph.').waitFor()
    await page.getByRole('link', { name: '← Conversations' }).click()
    await list.getByRole('link', { name: /my domain/ }).waitFor()
    await page.getByRole('tab', { name: 'Answered' }).click()
    await page.getByRole('tabpanel', { name: 'Answered' }).getByRole('link').first().waitFor()
    await assertPhone(page, 'support-phone-answered')
  })
})

async function failedDelivery(customer: TestCustomer): Promise<void> {
  const webhook = newId('whk')
  const secret = registrar.service.app.encryption.seal(newSigningSecret())
  await sql(
    `insert into webhooks (id, customer_id, url, types, sealed_secret)
     values ($1, $2, 'https://hooks.registrar.example/in?key=secret', '{domain.*}', $3)`,
    [webhook, customer.id, secret],
  )
  await sql(
    `insert into webhook_deliveries
       (id, webhook_id, customer_id, event_id, event_type, pos, state, attempts, next_at,
        last_attempt_at, last_status, last_error, created_at)
     values ($1, $2, $3, 'evt_' || repeat('0', 26), 'domain.registered', 1, 'failed', 8, now(),
             now(), 503, 'It answered 503.', now())`,
    [newId('dlv'), webhook, customer.id],
  )
}

describe('the overview', { skip: skipChromium }, () => {
  it('leads to parked card payments and failed webhooks, and shows the health', async () => {
    const card = cardPayments(registrar)
    const buyer = await card.buyer()
    await failedDelivery(buyer)
    const intent = await card.topUp(buyer)
    card.processor.dispute(intent, null)
    card.processor.refund(intent, 500)
    await card.intentEvent(intent)
    for (const _ of [1, 2]) {
      const { session } = await card.open(buyer)
      card.processor.pay(session)
      card.processor.setFault({ name: 'other_intent', command: 'session:read' })
      await card.sessionEvent(session)
    }
    const page = await openAs('/operator', 'Overview')
    await page.getByText('Card processor: Stripe, simulated').waitFor()
    await shot(page, 'overview-health')
    await page.getByRole('link', { name: /Parked card checkouts/ }).click()
    await page.getByText('Session at the processor').waitFor()
    await shot(page, 'card-checkouts')
    await assertOfTemplate(page)
    await page.getByRole('button', { name: 'Credit' }).click()
    await assertOfTemplate(page, { dark: false })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByLabel('Reason').fill('Refunded at the processor.')
    await decide(page, 'Dismiss')
    await page.getByText('No parked checkouts').waitFor()
    await page.getByRole('tab', { name: 'Card reversals' }).click()
    await page.getByText('Not reversed').waitFor()
    await shot(page, 'card-reversals')
    await assertOfTemplate(page)
    const before = (await card.balance(buyer)).available
    assert.equal(before, '25.00')
    await page.getByRole('button', { name: 'Adjust the balance' }).click()
    await page.getByLabel('Amount to take').fill('5.00')
    await page.getByLabel('Reason').fill('Refunded twice.')
    await decide(page, 'Adjust the balance')
    assert.equal((await card.balance(buyer)).available, '20.00')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByLabel('Reason').fill('Taken from the balance.')
    await decide(page, 'Dismiss')
    await page.getByText('No parked reversals').waitFor()
    await page.getByRole('link', { name: 'Failed webhooks' }).first().click()
    await page.getByText('It answered 503.').waitFor()
    assert.ok(!(await page.content()).includes('key=secret'))
    await shot(page, 'webhook-deliveries')
    await assertOfTemplate(page)
    await page.getByRole('button', { name: 'Send again' }).click()
    await decide(page, 'Send again')
    await page.getByText('No failed webhooks').waitFor()
  })
})
