// Approvals in a real Chromium: the mailed request is opened and approved, another is declined.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { skipChromium } from '../../support/chromium.ts'
import { startService } from '../../support/service.ts'
import { givePassword, ownersPassword } from '../../support/sign-in.ts'
import { assertAccessible, assertViews } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'

const registrar = await startService()
const scopes = ['domains:read', 'domains:purchase', 'keys:write']
const owner = {
  ...(await registrar.customer({ funds_cents: 100_000, scopes })),
  password: ownersPassword,
}
const { openAs } = await openDashboard(registrar)

before(() => givePassword(registrar, owner))

/** A key of an agent that asks above 5.00 USD. */
async function agent(): Promise<string> {
  const made = await registrar.request('POST', `/v1/customers/${owner.id}/api-keys`, {
    token: owner.key,
    body: { name: 'Shopping agent', scopes, approval_above: { amount: '5.00' } },
  })
  return String(made.body.api_key)
}

async function asked(token: string, domain: string, period_years = 1): Promise<string> {
  const body = { domain, period_years }
  const refused = await registrar.request('POST', '/v1/domains', { token, body })
  assert.equal(refused.body.code, 'approval_required', refused.text)
  return String(refused.body.approval.id)
}

it('opens the mailed request, approves it, and shows that it is done', {
  skip: skipChromium,
}, async () => {
  const token = await agent()
  const id = await asked(token, 'wanted-by-agent.com')
  const [mail] = await registrar.mails({ to: owner.email, subject: /wanted-by-agent/ })
  const link = /http\S+\/approvals\/apr_\w+/.exec(mail?.text ?? '')?.[0] ?? ''
  assert.ok(link.endsWith(`/dashboard/approvals/${id}`), link)
  const page = await openAs(owner, { path: `/approvals/${id}`, heading: 'Approvals' })
  await page.getByText(/At most .*10\.85/).waitFor()
  await page.getByText('Shopping agent').waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Approve: register wanted-by-agent.com' }).click()
  await page.getByText('Done', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Open the domain' }).click()
  await page.getByRole('heading', { name: 'wanted-by-agent.com' }).waitFor()
})

it('declines another one with a note, which the agent reads', { skip: skipChromium }, async () => {
  const token = await agent()
  const id = await asked(token, 'not-wanted.com')
  const page = await openAs(owner, { path: '', heading: 'Home' })
  await page.getByRole('link', { name: 'Approvals 1 waiting' }).waitFor()
  await page.getByText('1 request is waiting for you').waitFor()
  await page.getByText('asked for your approval about not-wanted.com').waitFor()
  assert.equal(await page.getByText('Nothing needs your attention').count(), 0)
  await assertAccessible(page)
  await page.getByRole('link', { name: 'Answer' }).click()
  await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor()
  await assertViews(page)
  const item = page.getByRole('listitem').filter({ hasText: 'not-wanted.com' })
  await item.getByLabel('Note to the agent').fill('Too similar to ours.')
  await page.getByRole('button', { name: 'Decline: register not-wanted.com' }).click()
  await page.getByText('Declined', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Approvals', exact: true }).first().waitFor()
  const { body } = await registrar.request('GET', `/v1/approvals/${id}`, { token })
  assert.deepEqual([body.state, body.note], ['declined', 'Too similar to ours.'])
})
