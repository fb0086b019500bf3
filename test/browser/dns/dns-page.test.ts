// The DNS page of a domain in a real Chromium: records are added, edited in place, deleted and
// pasted, refusals stand at their fields, and each change is undone.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skipChromium } from '../../support/chromium.ts'
import { newOwner, type Owner } from '../../support/owner.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { startService } from '../../support/service.ts'
import { recentSessionOf } from '../../support/sign-in.ts'
import { assertViews, settled } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { shot } from '../support/shots.ts'

const registrar = await startService()
const { openAs } = await openDashboard(registrar)
const rows = rowsIn(registrar)

let owner: Owner
before(async () => {
  owner = await newOwner(registrar, { funds_cents: 100_000 })
})

type Set = { host: string; type: string; ttl?: number; values: string[] }

async function ask(method: string, path: string, body: object = {}) {
  const answer = await registrar.request(method, `/v1/domains${path}`, {
    token: owner.key,
    ...(method !== 'GET' && { body }),
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** A new domain with these records, and its DNS page. */
async function opened(domain: string, sets: readonly Set[] = [], body: object = {}): Promise<Page> {
  await ask('POST', '', { domain, ...body })
  if (sets.length > 0) await ask('PATCH', `/${domain}/records`, { sets })
  return openAs(owner, { path: `/domains/${domain}/dns`, heading: `DNS of ${domain}` })
}

/** A text such as "www A 192.0.2.1" for each set that is not managed. */
async function setsOf(domain: string): Promise<string[]> {
  const { sets } = await ask('GET', `/${domain}/records`)
  return sets
    .filter((one: { managed: boolean }) => !one.managed)
    .map(({ host, type, values }: Set) => [host, type, ...values].join(' '))
}

const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click()
const submit = (page: Page, name: string) =>
  page.locator('form').getByRole('button', { name, exact: true }).click()

describe('a record of a domain', { skip: skipChromium }, () => {
  it('is added by the form of its type, and the undo takes it away', async () => {
    const domain = 'added-here.com'
    const page = await opened(domain)
    await page.getByText('No records yet').waitFor()
    await shot(page, 'dns-none')
    await press(page, 'Add record')
    const form = page.locator('form')
    await form.getByLabel('Type').selectOption('MX: mail server')
    await form.getByLabel('Mail server').fill('mail')
    await submit(page, 'Add record')
    const refused = form.locator('[aria-invalid=true]')
    await refused.waitFor()
    await form.getByText('could mean "mail.added-here.com."').waitFor()
    assert.equal(await form.getByLabel('Mail server').getAttribute('aria-invalid'), 'true')
    await shot(page, 'dns-add')
    await assertViews(page)
    await form.getByLabel('Mail server').fill('mail.example.net')
    await submit(page, 'Add record')
    await page.getByText('@ MX is added').waitFor()
    assert.deepEqual(await setsOf(domain), ['@ MX 10 mail.example.net.'])
    await page.getByText('10 mail.example.net.').waitFor()
    await press(page, 'Undo')
    await page.getByText('The change is undone').waitFor()
    assert.deepEqual(await setsOf(domain), [])
    await page.getByText('No records yet').waitFor()
  })

  it('is edited in place by keyboard, and a text that was not edited is sent as it was', async () => {
    const domain = 'edited-here.com'
    const page = await opened(domain, [
      { host: 'www', type: 'TXT', ttl: 600, values: ['"one " "two"', 'three'] },
    ])
    const edit = page.getByRole('button', { name: 'Edit www TXT' })
    await edit.focus()
    await page.keyboard.press('Enter')
    const form = page.getByRole('form', { name: 'Edit www TXT' })
    await form.locator('textarea:focus').waitFor()
    await assertViews(page)
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await page.locator('[data-set="www TXT"]:focus').waitFor()
    await page.keyboard.press('Enter')
    await form.locator('textarea:focus').waitFor()
    await form.getByLabel('Text (2)').fill('3')
    await form.getByLabel('TTL').selectOption('5 minutes')
    await submit(page, 'Save')
    await page.getByText('www TXT is saved').waitFor()
    assert.deepEqual(await setsOf(domain), ['www TXT "3" "one " "two"'])
  })

  it('is deleted at once, and comes back by the undo', async () => {
    const domain = 'deleted-here.com'
    const sets = [
      { host: '@', type: 'MX', ttl: 7_200, values: ['10 mail.example.net.'] },
      { host: 'www', type: 'A', values: ['192.0.2.1'] },
    ]
    const page = await opened(domain, sets)
    await press(page, 'Delete @ MX')
    await page.getByText('@ MX is deleted').waitFor()
    assert.deepEqual(await setsOf(domain), ['www A 192.0.2.1'])
    await page.getByText('its mail stops, or goes to its address').waitFor()
    await page.getByText('Others may still see the previous @ MX for 2 hours.').waitFor()
    await press(page, 'Undo')
    await page.getByRole('button', { name: 'Edit @ MX' }).waitFor()
    assert.equal((await setsOf(domain)).length, 2)
  })
})

describe('many records, and those of several people', { skip: skipChromium }, () => {
  it('are saved only after the user has seen what somebody changed meanwhile', async () => {
    const domain = 'raced-here.com'
    const page = await opened(domain, [{ host: '@', type: 'A', values: ['192.0.2.1'] }])
    await press(page, 'Edit @ A')
    const form = page.getByRole('form', { name: 'Edit @ A' })
    await form.getByLabel('IPv4 address').fill('192.0.2.3')
    await ask('PUT', `/${domain}/records/@/A`, { values: ['192.0.2.2'] })
    await submit(page, 'Save')
    await form.getByText('@ A was changed meanwhile').waitFor()
    await form.getByText(/changed it/).waitFor()
    await form.getByText('192.0.2.2').waitFor()
    assert.deepEqual(await setsOf(domain), ['@ A 192.0.2.2'])
    await page.evaluate(settled)
    await shot(page, 'dns-meanwhile')
    await submit(page, 'Save')
    await page.getByText('@ A is saved').waitFor()
    assert.deepEqual(await setsOf(domain), ['@ A 192.0.2.3'])
    await ask('PUT', `/${domain}/records/@/A`, { values: ['192.0.2.4'] })
    await press(page, 'Delete @ A')
    await page.getByText('@ A was changed meanwhile').waitFor()
    assert.deepEqual(await setsOf(domain), ['@ A 192.0.2.4'])
  })

  it('are pasted, compared and taken over; a refusal names the line', async () => {
    const domain = 'pasted-here.com'
    const page = await opened(domain, [
      { host: 'www', type: 'A', values: ['192.0.2.1'] },
      { host: 'old', type: 'A', values: ['192.0.2.1'] },
    ])
    await press(page, 'Paste records')
    const dialog = page.getByRole('dialog', { name: 'Paste records' })
    const lines = dialog.getByLabel('Records', { exact: true })
    const mx = `${domain}. 300 IN MX 10 mail.example.net.`
    await lines.fill(`www A 192.0.2.2\n${mx}\nftp A no-address\n$INCLUDE more`)
    await press(page, 'Show what changes')
    await dialog.getByText(/Line 3: .*\s*Line 4: /).waitFor()
    await lines.fill(`@ NS ns1.example.net.\nwww A 192.0.2.2\n${mx}`)
    await dialog.getByLabel('Records that are not among these').selectOption('Delete them')
    await press(page, 'Show what changes')
    await dialog.getByText('New', { exact: true }).waitFor()
    await dialog.getByText('Changed', { exact: true }).waitFor()
    await dialog.getByText('Deleted', { exact: true }).waitFor()
    await dialog.getByText('line 1 (NS)').waitFor()
    assert.equal((await setsOf(domain)).length, 2)
    await shot(page, 'dns-paste')
    await assertViews(page)
    await press(page, 'Change 3 entries')
    await page.getByText('3 entries changed').waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Save as a file/ }).click()
    const file = await (await saved).createReadStream()
    const text = Buffer.concat(await file.toArray()).toString()
    assert.match(text, /^www\S* .*192\.0\.2\.2$/m)
    assert.deepEqual((await setsOf(domain)).toSorted(), [
      '@ MX 10 mail.example.net.',
      'www A 192.0.2.2',
    ])
  })
})

describe('sixty records', { skip: skipChromium }, () => {
  it('are found by host, content and type', async () => {
    const sets = Array.from({ length: 60 }, (_, at) => ({
      host: `host-${at}`,
      type: at % 2 === 0 ? 'A' : 'TXT',
      values: [at % 2 === 0 ? `192.0.2.${at}` : `v=DKIM1; k=rsa; p=${'Ab9/'.repeat(110)}${at}`],
    }))
    const page = await opened('many-here.com', sets)
    await page.getByText('host-0', { exact: true }).waitFor()
    await shot(page, 'dns-many')
    await assertViews(page)
    await press(page, 'Show all of host-1 TXT')
    await page.getByRole('button', { name: 'Show less of host-1 TXT' }).waitFor()
    await page.getByLabel('Find a host or content').fill('192.0.2.4')
    await page.getByText(/^6 of \d+ entries$/).waitFor()
    await page.getByRole('combobox', { name: 'Type' }).selectOption('TXT')
    await page.getByText('No record matches').waitFor()
    await press(page, 'Show all records')
    await page.getByText('host-59', { exact: true }).waitFor()
  })
})

describe('the history of the records', { skip: skipChromium }, () => {
  it('shows each change, and undoes one but for what was changed since', async () => {
    const domain = 'history-here.com'
    await opened(domain, [
      { host: 'a', type: 'A', values: ['192.0.2.1'] },
      { host: 'b', type: 'A', values: ['192.0.2.1'] },
    ])
    await ask('PUT', `/${domain}/records/b/A`, { values: ['192.0.2.2'] })
    const page = await openAs(owner, {
      path: `/domains/${domain}/dns?tab=history`,
      heading: `DNS of ${domain}`,
    })
    const first = page.getByRole('listitem').filter({ hasText: 'changed 2 entries' })
    await first.getByText('192.0.2.1').first().waitFor()
    await shot(page, 'dns-history')
    await first.getByRole('button', { name: /^Undo the change of/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo this change?' })
    await dialog.getByText('b A was changed again since.').waitFor()
    await dialog.getByText('Deleted', { exact: true }).waitFor()
    await shot(page, 'dns-undo')
    await assertViews(page)
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The change is undone').waitFor()
    await page.getByText('undid a change').waitFor()
    assert.deepEqual(await setsOf(domain), ['b A 192.0.2.2'])
  })
})

describe('a domain on other name servers', { skip: skipChromium }, () => {
  it('says that its records are not served, with the way back, and they can be changed', async () => {
    const domain = 'elsewhere-here.com'
    const nameservers = ['ns1.example.net', 'ns2.example.net']
    const page = await opened(domain, [], { nameservers })
    await page.getByText('These records are not served').waitFor()
    await press(page, 'Add record')
    await page.getByLabel('IPv4 address').fill('192.0.2.1')
    await submit(page, 'Add record')
    await page.getByText('It is kept, and served once').waitFor()
    await page.evaluate(settled)
    await shot(page, 'dns-elsewhere')
    await assertViews(page)
    await page.getByRole('link', { name: 'Go to its name servers' }).click()
    await page.getByLabel('Host names, one per line').waitFor()
  })
})

describe('a protected domain', { skip: skipChromium }, () => {
  it('asks for a log-in before a change, and then makes it', async () => {
    const domain = 'guarded-here.com'
    const page = await opened(domain)
    const session = await recentSessionOf(registrar, owner)
    const path = `/v1/domains/${domain}/protect`
    const done = await registrar.request('POST', path, { token: session })
    assert.equal(done.status, 200, done.text)
    const ago = `now() - interval '1 hour'`
    const old = `update sessions set signed_in_at = ${ago} where customer_id = $1`
    await rows(old, [owner.id])
    registrar.service.app.authentications.invalidate()
    await press(page, 'Add record')
    await page.getByLabel('IPv4 address').fill('192.0.2.1')
    await submit(page, 'Add record')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill(owner.password)
    await dialog.locator('button[type=submit]').click()
    await page.getByText('@ A is added').waitFor()
    assert.deepEqual(await setsOf(domain), ['@ A 192.0.2.1'])
  })
})
