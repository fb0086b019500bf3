// Contacts in a real Chromium: added with the country first, changed, and deleted unless in use.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { skipChromium } from '../support/chromium.ts'
import { startService } from '../support/service.ts'
import { givePassword, ownersPassword } from '../support/sign-in.ts'
import { assertAccessible, settled } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService({ worker: false })
const owner = { ...(await registrar.customer()), password: ownersPassword }
const { openAs } = await openDashboard(registrar)

before(() => givePassword(registrar, owner))

async function contacts() {
  const path = `/v1/customers/${owner.id}/contacts`
  const { body } = await registrar.request('GET', path, { token: owner.key })
  const list: { name: string; handle: string; state: string; default_billing: boolean }[] =
    Object.values(body)
  return list
}

describe('contacts', { skip: skipChromium }, () => {
  it('are added, changed and deleted, and one in use says that it is', async () => {
    const view = { width: 360, theme: 'light' } as const
    const page = await openAs(owner, { path: '/contacts', heading: 'Contacts', view })
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
    // The page has the list from before the purchase, so that the service refuses.
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await page.getByLabel(`Type ${handle} to confirm`).fill(handle)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The contact is used by a domain').waitFor()
    await page.getByText('Change the contact instead, or wait until no domain uses it').waitFor()
    await assertAccessible(page)
    await page.reload()
    await page.getByText('Used by in-use-by.com').waitFor()
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    const dialog = page.getByRole('dialog', { name: `${name} is in use` })
    await dialog.getByRole('listitem').filter({ hasText: 'in-use-by.com' }).waitFor()
    await page.evaluate(settled)
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog', { name: `Edit ${name}` }).waitFor()
  })
})

describe('the form of a contact', { skip: skipChromium }, () => {
  it('has the countries in order, and leads to the first field that is invalid', async () => {
    const page = await openAs(owner, { path: '/contacts', heading: 'Contacts' })
    await page.getByRole('button', { name: 'Add contact' }).click()
    const country = page.getByLabel('Country', { exact: true })
    await country.getByRole('option', { name: 'Germany' }).waitFor({ state: 'attached' })
    const names = (await country.getByRole('option').allInnerTexts()).slice(1)
    assert.deepEqual(
      names,
      names.toSorted((a, b) => a.localeCompare(b, 'en')),
    )
    assert.ok(names.indexOf('Sweden') < names.indexOf('Switzerland'))
    await country.selectOption({ label: 'Germany' })
    const state = page.getByLabel('State or province')
    assert.equal(await state.getAttribute('required'), '')
    await page.getByText('Registries require one').waitFor()
    await page.getByRole('button', { name: 'Save contact' }).click()
    await page.locator('input[name=name][aria-invalid]:focus').waitFor()
    await page.evaluate(settled)
    await assertAccessible(page)
  })
})

describe('the first contact of an account', { skip: skipChromium }, () => {
  it('is ticked in all four roles, and a buyer without a default sees a notice before', async () => {
    const customer = await registrar.customer({ contact: false })
    const bare = { ...customer, password: ownersPassword }
    await givePassword(registrar, bare)
    const page = await openAs(bare, { path: '/connect', heading: 'Connect an agent' })
    await page.getByRole('region', { name: 'No default registrant' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'Go to contacts' }).click()
    await page.getByRole('button', { name: 'Add contact' }).click()
    for (const role of ['Registrant', 'Admin', 'Technical', 'Billing']) {
      const box = page.getByRole('checkbox', { name: role })
      assert.equal(await box.isChecked(), true, role)
    }
  })
})
