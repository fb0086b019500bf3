// The dialog that brings the records of a domain here from its present name servers, in a real
// Chromium: found, compared and taken over by keyboard; during a transfer here they are saved.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import {
  answering,
  soaLine,
  startServerOfTest,
} from '../../../src/adapters/dns/scan/scanned-server.fixture.ts'
import { rrType } from '../../../src/dns/types.ts'
import { skipChromium } from '../../support/chromium.ts'
import { sellElsewhere, soldCode } from '../../support/other-registrar.ts'
import { newOwner, type Owner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import { assertViews } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { shot } from '../support/shots.ts'

const linesOf = (zone: string) => [
  `${zone}. 600 A 192.0.2.1`,
  `${zone}. 600 MX 10 mail.${zone}.`,
  `${zone}. 600 TXT "v=spf1 mx -all"`,
  `mail.${zone}. 600 A 192.0.2.25`,
  `www.${zone}. 600 CNAME ${zone}.`,
  `old.${zone}. 600 DNAME example.net.`,
]
let release = () => {}
let hold = Promise.resolve()
/** A server that gives a copy of any zone; the other one has another address of its mail. */
const started = (serial: number, mail: string) =>
  startServerOfTest(async (asked) => {
    // This is shorter than a scan waits for a copy; it waits a moment for other answers.
    if (asked.type === rrType.axfr) await hold
    const zone = asked.name.split('.').slice(-2).join('.')
    const soa = soaLine(zone, serial)
    const lines = linesOf(zone).map((line) => line.replace('192.0.2.25', mail))
    const answer = asked.type === rrType.axfr ? [soa, ...lines, soa] : [soa]
    return [answering(asked, { answer })]
  })
const [newer, older] = [await started(9, '192.0.2.25'), await started(8, '192.0.2.26')]
after(() => Promise.all([newer.close(), older.close()]))

const at = ({ place: { host, port } }: typeof newer) => `${host}:${port}`
const registrar = await startService({
  settings: {
    NAME_SERVER_PLACES: [
      ...[`ns1.old-host.net=${at(newer)}`, `ns2.old-host.net=${at(older)}`],
      ...[`ns1.example.net=${at(newer)}`, `ns2.example.net=${at(older)}`],
    ].join(','),
  },
})
const { openAs } = await openDashboard(registrar)
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

const title = 'Records at the current name servers'

describe('the records of a domain elsewhere', { skip: skipChromium }, () => {
  it('are found, compared and taken over in three steps, by keyboard', async () => {
    const domain = 'comes-here.com'
    await ask('POST', '', { domain, nameservers: ['ns1.old-host.net', 'ns2.old-host.net'] })
    const sets = [{ host: 'www', type: 'A', values: ['192.0.2.7'] }]
    await ask('PATCH', `/${domain}/records`, { sets: [{ ...sets[0], host: 'kept' }] })
    const path = `/domains/${domain}?tab=nameservers`
    const page = await openAs(owner, { path, heading: domain })
    await page.getByRole('link', { name: 'Find current records' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: title })
    const held = Promise.withResolvers<void>()
    hold = held.promise
    release = held.resolve
    await dialog.getByRole('button', { name: 'Find the records' }).press('Enter')
    await dialog.getByText('The name servers are being asked').waitFor()
    await assertViews(page)
    await shot(page, 'scan-asking')
    release()
    const heading = dialog.getByRole('heading', { name: '5 entries found' })
    await heading.waitFor()
    await dialog.locator('h3:focus').waitFor()
    await dialog.getByText('DNAME is not served').waitFor()
    await dialog.getByText('ns2.old-host.net: 192.0.2.26').waitFor()
    await dialog.getByText('URL and mail forwarding').waitFor()
    const take = dialog.getByRole('button', { name: /^Import 5 entries/ })
    await take.waitFor()
    await assertViews(page)
    await shot(page, 'scan-comparison')
    await take.scrollIntoViewIfNeeded()
    await shot(page, 'scan-comparison-end')
    assert.equal((await ask('GET', `/${domain}/records`)).sets.length, 1)
    await take.press('Enter')
    await dialog.getByRole('heading', { name: '5 entries imported' }).waitFor()
    await assertViews(page)
    await shot(page, 'scan-taken')
    const { sets: now } = await ask('GET', `/${domain}/records`)
    assert.deepEqual(
      now.map(({ host, type, values }: { host: string; type: string; values: string[] }) =>
        [host, type, ...values].join(' '),
      ),
      [
        '@ A 192.0.2.1',
        `@ MX 10 mail.${domain}.`,
        '@ TXT "v=spf1 mx -all"',
        'kept A 192.0.2.7',
        'mail A 192.0.2.25',
        `www CNAME ${domain}.`,
      ],
    )
    await dialog.getByRole('link', { name: 'Go to the name servers' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save name servers' }).waitFor()
  })
})

describe('the records of a domain that is coming here', { skip: skipChromium }, () => {
  it('are saved as a file while the domain is being transferred here', async () => {
    const domain = 'moving-here.com'
    await sellElsewhere(registrar, domain)
    await ask('POST', '/transfer', { domain, auth_code: soldCode })
    const page = await openAs(owner, { path: `/domains/${domain}`, heading: domain })
    await page.getByRole('button', { name: 'Find current records' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByRole('button', { name: 'Find the records' }).press('Enter')
    await dialog.getByRole('heading', { name: '5 entries found' }).waitFor()
    await assertViews(page)
    await shot(page, 'scan-early')
    const saving = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save as a file' }).press('Enter')
    const file = await saving
    assert.equal(file.suggestedFilename(), `${domain}.zone`)
    assert.match(
      readFileSync(await file.path(), 'utf8'),
      /^mail\.moving-here\.com\. 600 IN A 192\.0\.2\.25$/m,
    )
  })
})

describe('a refused scan', { skip: skipChromium }, () => {
  it('says why, with the next step', async () => {
    const domain = 'too-often.com'
    await ask('POST', '', { domain, nameservers: ['ns1.old-host.net', 'ns2.old-host.net'] })
    for (let i = 0; i < 4; i += 1) await ask('POST', `/${domain}/records/scan`)
    const path = `/domains/${domain}/dns`
    const page = await openAs(owner, { path, heading: `DNS of ${domain}` })
    // Opened by itself, the dialog would hide the heading of the page.
    await page.goto(`${page.url()}?find`)
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByRole('button', { name: 'Find the records' }).press('Enter')
    await dialog.getByText('paste the records that your current provider exports').waitFor()
    await assertViews(page)
    await shot(page, 'scan-refused')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.doesNotMatch(page.url(), /find/)
  })
})
