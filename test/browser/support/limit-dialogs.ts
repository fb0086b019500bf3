// Dialogs and lists of the limits of keys and apps, for tests of them.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()
export const rowOf = (page: Page, name: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first()

/** The message that the focused field is described by. */
export async function assertRefused(dialog: Locator, label: string, message: RegExp) {
  const field = dialog.getByLabel(label, { exact: true })
  await dialog.getByText(message).waitFor()
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  assert.equal((await field.and(dialog.locator(':focus')).count()) === 1, true)
  const described = String(await field.getAttribute('aria-describedby')).split(' ')[0]
  assert.match(await dialog.locator(`[id="${described}"]`).innerText(), message)
}
