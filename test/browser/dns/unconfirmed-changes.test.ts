// The card of changes that go back by themselves, in a real Chromium: its time runs without being
// announced, and a change is kept or taken back by keyboard.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { skipChromium } from '../../support/chromium.ts'
import { newOwner, type Owner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import { assertViews } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { shot } from '../support/shots.ts'

const registrar = await startService()
const { openAs } = await openDashboard(registrar)
const old = ['ns1.old-host.net', 'ns2.old-host.net']
const fresh = ['ns1.example.net', 'ns2.example.net']
let owner: Owner
before(async () => {
  owner = await newOwner(registrar, { funds_cents: 100_000 })
})

async function ask(method: string, path: string, body?: object) {
  const asked = { token: owner.key, ...(body && { body }) }
  const answer = await registrar.request(method, `/v1/domains${path}`, asked)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const setOf = (host: string) => ({ host, type: 'A', values: ['192.0.2.1'] })
const armed = (domain: string, hosts: string[]) =>
  ask('PATCH', `/${domain}/records`, { sets: hosts.map(setOf), revert_after: 'PT10M' })

describe('the card of unconfirmed changes', { skip: skipChromium }, () => {
  it('counts down on the DNS page, and keeps or takes back records by keyboard', async () => {
    const domain = 'unconfirmed-records.com'
    await ask('POST', '', { domain })
    await armed(domain, ['kept', 'also-kept'])
    await armed(domain, ['gone'])
    const path = `/domains/${domain}/dns`
    const page = await openAs(owner, { path, heading: `DNS of ${domain}` })
    const card = (name: RegExp) => page.getByRole('region', { name })
    const kept = card(/the records (also-)?kept A and 1 more$/)
    const gone = card(/the records gone A$/)
    const timer = kept.getByRole('timer')
    const first = await timer.innerText()
    assert.match(first, /^(10:00|9:\d\d) left$/)
    await timer.getByText(first).waitFor({ state: 'detached' })
    assert.equal(await timer.getAttribute('aria-live'), null)
    await assertViews(page)
    await shot(page, 'unconfirmed-records')

    await kept.getByRole('button', { name: 'Keep' }).press('Enter')
    await page.getByText('The change is kept').waitFor()
    await kept.waitFor({ state: 'detached' })
    await gone.getByRole('button', { name: 'Undo now' }).press('Enter')
    await page.getByText('The change is undone').waitFor()
    await gone.waitFor({ state: 'detached' })
    const { sets, unconfirmed_changes } = await ask('GET', `/${domain}/records`)
    const hosts = sets
      .map(({ host }: { host: string }) => host)
      .filter((one: string) => one !== '@')
    assert.deepEqual(hosts.toSorted(), ['also-kept', 'kept'])
    assert.deepEqual(unconfirmed_changes, [])
  })

  it('gives a domain its former name servers again, on its own page', async () => {
    const domain = 'unconfirmed-servers.com'
    await ask('POST', '', { domain, nameservers: old })
    await ask('PATCH', `/${domain}`, { nameservers: fresh, revert_after: 'PT1H' })
    const page = await openAs(owner, { path: `/domains/${domain}`, heading: domain })
    const card = page.getByRole('region', { name: /the name servers ns1\.example\.net, / })
    await card.getByText(`The previous name servers: ${old.join(', ')}.`).waitFor()
    await assertViews(page)
    await shot(page, 'unconfirmed-servers')
    await card.getByRole('button', { name: 'Undo now' }).press('Enter')
    await page.getByText('The change is undone').waitFor()
    await card.waitFor({ state: 'detached' })
    assert.deepEqual((await ask('GET', `/${domain}`)).nameservers.toSorted(), old)
  })
})
