// The sandbox's mailbox in a real Chromium: a sign-up is finished by the link of its own mail.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skipChromium } from '../support/chromium.ts'
import { startService } from '../support/service.ts'
import { assertViews, openPath } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService()
const { site, newVisitor } = await openDashboard(registrar)

describe('the mailbox', { skip: skipChromium }, () => {
  it('finishes the sign-up of its browser, and is empty in another', async () => {
    const page = await newVisitor()
    await openPath(page, `${site}/mailbox`, 'Mailbox')
    await page.getByText('No emails yet').waitFor()
    await page.getByText('Agent Registrar').waitFor()
    await page.getByRole('link', { name: 'Go to the log-in page' }).waitFor()
    await assertViews(page)
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByLabel('Email address').fill('ada@example.org')
    await page.getByLabel('Password', { exact: true }).fill('correct horse and two staples')
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('link', { name: 'Open the mailbox' }).click()
    await page.getByRole('link', { name: /^Verify your email address/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Verify your email address' }).waitFor()
    assert.match(await page.locator('code').innerText(), /^\d{6}$/)
    await assertViews(page)
    const mail = page.url()
    await page.getByRole('link', { name: 'Back to the sign-up page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Check your email' }).waitFor()
    await page.goBack()
    const other = await newVisitor()
    await openPath(other, `${site}/mailbox`, 'Mailbox')
    await other.getByText('No emails yet').waitFor()
    await openPath(other, mail, 'Mailbox')
    assert.match(await other.getByRole('alert').innerText(), /no such mail[\s\S]*Request/)
    await page.getByRole('link', { name: 'All emails' }).click()
    await page.getByRole('list', { name: 'Emails' }).waitFor()
    await assertViews(page)
    await openPath(page, mail, 'Verify your email address')
    await page.getByRole('link', { name: 'Verify your email address', exact: true }).click()
    await page.getByRole('button', { name: 'Create my account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your account is ready' }).waitFor()
  })
})
