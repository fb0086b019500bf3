// The check before a change of name servers in a real Chromium: what would stop is shown, and the
// change is made at once where nothing would.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { foreignServer, hosts, placesOf } from '../../contract/dns/name-servers.fixture.ts'
import { skipChromium } from '../../support/chromium.ts'
import { newOwner, type Owner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import { assertViews } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { shot } from '../support/shots.ts'

const servers = [await foreignServer(), await foreignServer()]
const registrar = await startService({ settings: placesOf(servers) })
const { openAs } = await openDashboard(registrar)
const domain = 'moves-away.com'
let owner: Owner

async function ask(method: string, path: string, body?: object) {
  const asked = { token: owner.key, ...(body && { body }) }
  const answer = await registrar.request(method, `/v1/domains${path}`, asked)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

before(async () => {
  owner = await newOwner(registrar, { funds_cents: 100_000 })
  await ask('POST', '', { domain })
  const sets = [
    { host: '@', type: 'A', values: ['192.0.2.1'] },
    { host: '@', type: 'MX', values: ['10 mail.example.net.'] },
  ]
  await ask('PATCH', `/${domain}/records`, { sets })
})

it('shows what would stop, and changes them where nothing would', {
  skip: skipChromium,
}, async () => {
  for (const { serve } of servers) serve(domain, ['@ A 192.0.2.1'])
  const page = await openAs(owner, { path: `/domains/${domain}?tab=nameservers`, heading: domain })
  await page.getByLabel('Host names, one per line').fill(hosts.join('\n'))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Before you change them' })
  await dialog.getByText('Mail would stop').waitFor()
  await assertViews(page)
  await shot(page, 'nameserver-check')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.notDeepEqual((await ask('GET', `/${domain}`)).nameservers, hosts)
  await page.getByRole('button', { name: 'Save name servers' }).click()
  await dialog.getByRole('button', { name: 'Change once they answer' }).press('Enter')
  await page.getByText('A change waits for the new name servers').waitFor()
  await assertViews(page)
  await shot(page, 'nameservers-waiting')
  await page.getByRole('button', { name: 'Cancel the change' }).click()
  await page.getByText(`${domain} keeps its current name servers`).waitFor()
  for (const { serve } of servers) serve(domain, ['@ A 192.0.2.1', '@ MX 10 mail.example.net.'])
  await page.getByRole('button', { name: 'Save name servers' }).click()
  await page.getByText(`The name servers of ${domain} are changed`).waitFor()
  assert.deepEqual((await ask('GET', `/${domain}`)).nameservers, hosts)
})
