// Support in a real Chromium: one stream for two tabs, the tab that takes over the stream of a
// closed one misses nothing, a message that could not be sent is sent again once, and the badge
// counts unread messages.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skipChromium } from '../support/chromium.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { startService } from '../support/service.ts'
import { givePassword, ownersPassword } from '../support/sign-in.ts'
import { assertViews, openPath, setView } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService({ worker: false })
const rows = rowsIn(registrar)
const newOwner = async () => {
  const owner = { ...(await registrar.customer({ funds_cents: 0 })), password: ownersPassword }
  await givePassword(registrar, owner)
  return owner
}
const { openAs, site } = await openDashboard(registrar)
/** The folder of pictures, if any are requested. */
const pictures = process.env.SUPPORT_PICTURES

before(() => {
  if (pictures) mkdirSync(pictures, { recursive: true })
})

const reply = async (customer_id: string, body: string) => {
  const answer = await registrar.request('POST', '/v1/internal/support/messages', {
    token: registrar.operatorKey,
    body: { customer_id, body },
  })
  assert.equal(answer.status, 201, answer.text)
}
const streamsOf = async (id: string) =>
  (await rows('select from support_streams where customer_id = $1', [id])).length
const log = (page: Page) => page.getByRole('log', { name: 'Messages' })
const bodies = async (page: Page) => await log(page).locator('bdi').allTextContents()
const support = { path: '/support', heading: 'Support' }
async function picture(page: Page, name: string) {
  if (!pictures) return
  for (const theme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) {
      await setView(page, { width, theme })
      await page.screenshot({ path: join(pictures, `${name}-${theme}-${width}.png`) })
    }
}

describe('support', { skip: skipChromium }, () => {
  it('is empty at first, sends with Enter, and shows the reply and the read mark', async () => {
    const owner = await newOwner()
    const page = await openAs(owner, { ...support, alone: true })
    await page.getByText('How can we help?').waitFor()
    await assertViews(page)
    await picture(page, 'empty')
    await setView(page, { width: 1280, theme: 'light' })
    await page.getByLabel('Message', { exact: true }).fill('Our transfer of my-agent.com waits.')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('Since Monday. <b>Why?</b>')
    await page.keyboard.press('Enter')
    await log(page).getByText('Sent', { exact: false }).waitFor()
    await reply(owner.id, 'The losing registrar has five days to object.\n\nIt ends on Friday.')
    await log(page).getByText('It ends on Friday.').waitFor()
    await log(page).getByText('Read', { exact: false }).waitFor()
    assert.deepEqual(await bodies(page), [
      'Our transfer of my-agent.com waits.\nSince Monday. <b>Why?</b>',
      'The losing registrar has five days to object.\n\nIt ends on Friday.',
    ])
    // The message is marked as read, because it was seen.
    for (let unread = 1; unread > 0; )
      unread = (await registrar.request('GET', '/v1/support/messages', { token: owner.key })).body
        .unread
    await assertViews(page)
    await picture(page, 'conversation')
  })

  it('has one stream for two tabs; the remaining tab misses nothing', async () => {
    const owner = await newOwner()
    const first = await openAs(owner, { ...support, alone: true })
    const second = await first.context().newPage()
    await openPath(second, `${site}/`, 'Home')
    while ((await streamsOf(owner.id)) === 0) await first.waitForTimeout(20)
    await reply(owner.id, 'one')
    await log(first).getByText('one', { exact: true }).waitFor()
    await openPath(second, `${site}/support`, 'Support')
    await log(second).getByText('one', { exact: true }).waitFor()
    assert.equal(await streamsOf(owner.id), 1)
    await reply(owner.id, 'two')
    for (const page of [first, second]) await log(page).getByText('two', { exact: true }).waitFor()
    await first.close()
    for (let i = 0; i < 20; i += 1) await reply(owner.id, `message ${i}`)
    await log(second).getByText('message 19', { exact: true }).waitFor()
    const expected = ['one', 'two', ...Array.from({ length: 20 }, (_, i) => `message ${i}`)]
    assert.deepEqual(await bodies(second), expected)
    assert.equal(await streamsOf(owner.id), 1)
  })

  it('counts unread replies in the navigation, until they are seen', async () => {
    const owner = await newOwner()
    const page = await openAs(owner, { path: '/', heading: 'Home', alone: true })
    await setView(page, { width: 1280, theme: 'light' })
    while ((await streamsOf(owner.id)) === 0) await page.waitForTimeout(20)
    await reply(owner.id, 'first')
    await reply(owner.id, 'second')
    const link = page.getByRole('link', { name: 'Support 2 unread' })
    await link.waitFor()
    await picture(page, 'badge')
    await setView(page, { width: 390, theme: 'light' })
    await page.getByRole('button', { name: 'unread More' }).waitFor()
    await setView(page, { width: 1280, theme: 'light' })
    await link.click()
    await page.getByRole('link', { name: 'Support', exact: true }).first().waitFor()
    await log(page).getByText('second', { exact: true }).waitFor()
  })
})

describe('support with a bad connection', { skip: skipChromium }, () => {
  it('sends a message again whose answer was lost, and the service has it once', async () => {
    const owner = await newOwner()
    const page = await openAs(owner, { ...support, alone: true })
    await page.getByText('How can we help?').waitFor()
    let lost = 0
    await page.route('**/v1/support/messages', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.fallback()
      lost += 1
      // The request arrives, but its answer does not.
      await route.fetch()
      return route.abort()
    })
    await page.getByLabel('Message', { exact: true }).fill('Only once, please')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Not sent.').waitFor()
    await picture(page, 'failed')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Not sent.').waitFor({ state: 'detached' })
    await log(page).getByText('Sent', { exact: false }).waitFor()
    assert.deepEqual(await bodies(page), ['Only once, please'])
    const { body } = await registrar.request('GET', '/v1/support/messages', { token: owner.key })
    assert.equal(body.messages.length, 1)
  })

  it('says that the connection is lost, and shows afterwards what came meanwhile', async () => {
    const owner = await newOwner()
    const page = await openAs(owner, { ...support, alone: true })
    await setView(page, { width: 1280, theme: 'light' })
    while ((await streamsOf(owner.id)) === 0) await page.waitForTimeout(20)
    await reply(owner.id, 'before')
    await log(page).getByText('before', { exact: true }).waitFor()
    await page.context().setOffline(true)
    await rows("update support_stream_nodes set lease_until = now() - interval '1 second'")
    await page.getByText('The connection is lost').waitFor()
    await picture(page, 'lost')
    await reply(owner.id, 'meanwhile')
    await page.context().setOffline(false)
    await log(page).getByText('meanwhile', { exact: true }).waitFor({ timeout: 60_000 })
    await page.getByText('The connection is lost').waitFor({ state: 'detached' })
    assert.deepEqual(await bodies(page), ['before', 'meanwhile'])
  })
})
