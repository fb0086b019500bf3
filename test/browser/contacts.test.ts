// Contacts in a real Chromium: added with the country first, changed, and deleted unless in use.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { buildIfStale } from '../../dashboard/build.ts'
import { openChromium, skipChromium } from '../support/chromium.ts'
import { startService } from '../support/service.ts'
import { givePassword, ownersPassword } from '../support/sign-in.ts'
import { assertAccessible, browserOf, logInState, newPage, openPath } from './support/dashboard.ts'

await buildIfStale()
const registrar = await startService({ worker: false })
const owner = await registrar.customer()
const chromium = await openChromium()
const site = `${registrar.url}/dashboard`

before(() => givePassword(registrar, owner))

async function opened(): Promise<Page> {
  assert.ok(chromium)
  const state = await logInState(chromium, site, { ...owner, password: ownersPassword })
  const view = browserOf({ width: 360, theme: 'light' })
  const context = await chromium.person({ ...view, storageState: state })
  after(() => context.close())
  const page = await newPage(context)
  await openPath(page, `${site}/contacts`, 'Contacts')
  return page
}

async function contacts() {
  const path = `/v1/customers/${owner.id}/contacts`
  const { body } = await registrar.request('GET', path, { token: owner.key })
  const list: { name: string; handle: string; state: string; default_billing: boolean }[] =
    Object.values(body)
  return list
}

describe('contacts', { skip: skipChromium }, () => {
  it('are added, changed and deleted, and one in use says that it is', async () => {
    const page = await opened()
    await page.getByRole('button', { name: 'Add contact' }).click()
    await page.getByLabel('Country', { exact: true }).selectOption('US')
    await assertAccessible(page)
    await page.getByLabel('State or province').selectOption('US-CA')
    for (const [label, value] of [
      ['Name', 'Grace Hopper'],
      ['Email address', 'grace@example.net'],
      ['Street and number', '1 Harbor Drive'],
      ['Postal code', '92101'],
      ['City', 'San Diego'],
      ['Telephone number', '6195551234'],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole('checkbox', { name: 'Billing' }).check()
    await page.getByRole('button', { name: 'Save contact' }).click()
    await page.getByText('Grace Hopper is saved').waitFor()
    const added = (await contacts()).find(({ name }) => name === 'Grace Hopper')
    assert.ok(added)
    assert.deepEqual([added.state, added.default_billing], ['US-CA', true])
    await page.getByRole('button', { name: 'Edit Grace Hopper' }).click()
    await page.getByLabel('City', { exact: true }).fill('Los Angeles')
    await page.getByRole('button', { name: 'Save contact' }).click()
    await page.getByText('Los Angeles, US').waitFor()
    await page.getByRole('button', { name: 'Delete Grace Hopper' }).click()
    await page.getByLabel(`Type ${added.handle} to confirm`).fill(added.handle)
    await assertAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Grace Hopper is deleted').waitFor()
    assert.equal((await contacts()).length, 1)

    const bought = await registrar.request('POST', '/v1/domains', {
      token: owner.key,
      body: { domain: 'in-use-by.com' },
    })
    assert.equal(bought.status, 200, bought.text)
    const [first] = await contacts()
    assert.ok(first)
    const { handle, name } = first
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await page.getByLabel(`Type ${handle} to confirm`).fill(handle)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The contact is used by a domain').waitFor()
    await page.getByText('change this one instead of deleting it').waitFor()
    await assertAccessible(page)
  })
})
