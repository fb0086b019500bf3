// Templates on the DNS page in a real Chromium: chosen and filled by keyboard, compared, applied
// and undone.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { skipChromium } from '../../support/chromium.ts'
import { newOwner, type Owner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import { assertViews } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { shot } from '../support/shots.ts'

const registrar = await startService()
const { openAs } = await openDashboard(registrar)
const domain = 'templated-here.com'
let owner: Owner

async function ask(method: string, path: string, body?: object) {
  const asked = { token: owner.key, ...(body && { body }) }
  const answer = await registrar.request(method, `/v1/domains${path}`, asked)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
type Set = { host: string; type: string; values: string[]; managed: boolean }
async function setsOf(): Promise<string[]> {
  const { sets } = await ask('GET', `/${domain}/records`)
  const own = sets.filter((one: Set) => !one.managed)
  return own.map(({ host, type, values }: Set) => [host, type, ...values].join(' '))
}

before(async () => {
  owner = await newOwner(registrar, { funds_cents: 100_000 })
  await ask('POST', '', { domain })
  const sets = [{ host: '@', type: 'MX', values: ['10 mail.example.net.'] }]
  await ask('PATCH', `/${domain}/records`, { sets })
})

it('sets the records of a host after the difference was shown, and the undo takes them back', {
  skip: skipChromium,
}, async () => {
  const path = `/domains/${domain}/dns`
  const page = await openAs(owner, { path, heading: `DNS of ${domain}` })
  await page.getByRole('button', { name: 'Use a template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Records of a mail or site host' })
  await dialog.getByLabel('Host').selectOption('Microsoft 365 (mail)')
  const field = dialog.getByLabel('The first label of the MX record')
  await field.fill('contoso-com.mail.protection.outlook.com')
  await field.press('Enter')
  await dialog.getByText('"contoso-com"').waitFor()
  await assertViews(page)
  await shot(page, 'template-form')
  await field.fill('contoso-com')
  await field.press('Enter')
  await dialog.getByText('These records are deleted').waitFor()
  await assertViews(page)
  await shot(page, 'template-difference')
  assert.deepEqual(await setsOf(), ['@ MX 10 mail.example.net.'])
  await dialog.getByRole('button', { name: /^Replace, and change/ }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('The records of Microsoft 365 (mail) are set').waitFor()
  assert.deepEqual(await setsOf(), [
    '@ MX 0 contoso-com.mail.protection.outlook.com.',
    '@ TXT "v=spf1 include:spf.protection.outlook.com -all"',
    'autodiscover CNAME autodiscover.outlook.com.',
  ])
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await page.getByText('10 mail.example.net.').first().waitFor()
  assert.deepEqual(await setsOf(), ['@ MX 10 mail.example.net.'])
})
