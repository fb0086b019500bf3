// The audit log in a real Chromium: a refused quote, filters by actor and day, and the download.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { compareHead, verifyExport } from '../../audit-verifier/verify-export.js'
import { scopes } from '../../src/app.ts'
import { storeAuditRow, systemCall } from '../../src/capabilities/audit/index.ts'
import { sealBlock } from '../../src/capabilities/audit/jobs/seal.job.ts'
import { skipChromium } from '../support/chromium.ts'
import { startService } from '../support/service.ts'
import { givePassword, ownersPassword } from '../support/sign-in.ts'
import { assertAccessible } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const registrar = await startService({ worker: false })
const owner = await registrar.customer({ scopes: [...scopes] })
const { openAs } = await openDashboard(registrar)
const opened = (query = '') =>
  openAs(
    { ...owner, password: ownersPassword },
    { path: `/audit-log${query}`, heading: 'Audit log' },
  )

const buy = (body: object, agent = 'Claude Code/2.1') =>
  registrar.request('POST', '/v1/domains', {
    token: owner.key,
    body,
    headers: { 'x-agent-id': agent },
  })

before(() => givePassword(registrar, owner))

describe('the audit log', { skip: skipChromium }, () => {
  it('shows a refused dry run as a quote, not as a purchase that failed', async () => {
    const refused = await buy({ domain: 'only-quoted.com', dry_run: true, max_price: '0.01' })
    assert.equal(refused.body.code, 'price_changed', refused.text)
    const page = await opened()
    const entry = page
      .getByRole('listitem')
      .filter({ hasText: 'Claude Code asked for a quote to buy only-quoted.com' })
    await entry.getByText('Not possible').waitFor()
    assert.equal(await page.getByText('could not buy').count(), 0)
  })

  it('is filtered by actor and by day, and offers actions in words', async () => {
    assert.equal((await buy({ domain: 'bought-by-key.com' })).status, 200)
    const page = await opened()
    const sentence = page.getByText('Claude Code bought bought-by-key.com')
    await sentence.waitFor()
    const keys = await registrar.request('GET', `/v1/customers/${owner.id}/api-keys`, {
      token: owner.key,
    })
    await page.getByLabel('Actor').selectOption(`key:${keys.body[0].id}`)
    await page.waitForURL(/actor=key/)
    await sentence.waitFor()
    await page.getByLabel('Actor').selectOption('Operators')
    await sentence.waitFor({ state: 'detached' })
    await page.getByLabel('Actor').selectOption('Anyone')
    await page.getByLabel('To', { exact: true }).fill('2020-02-29')
    await page.getByText('No entry matches').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await sentence.waitFor()
    const today = new Intl.DateTimeFormat('sv-SE').format(new Date())
    await page.getByLabel('From', { exact: true }).fill(today)
    await page.getByLabel('Action').selectOption('Buy a domain')
    await page.waitForURL(/action=register_domain/)
    await sentence.waitFor()
    const actions = await page.getByLabel('Action').locator('option').allInnerTexts()
    assert.ok(actions.includes('Set a DNS record of a domain'), actions.join())
    assert.deepEqual(
      actions.filter((one) => /_|price list/.test(one)),
      [],
    )
  })

  it('is downloaded as CSV, with what the filters leave', async () => {
    assert.equal((await buy({ domain: 'saved-as-csv.com' }, '=cmd()')).status, 200)
    const page = await opened('?action=register_domain')
    await page.getByText('saved-as-csv.com').first().waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const file = await saved
    assert.equal(file.suggestedFilename(), 'audit-log.csv')
    const text = (await (await file.createReadStream()).toArray()).join('')
    const [header = '', ...lines] = text.trimEnd().split('\r\n')
    assert.match(header, /^created_at,actor,sentence,target,target_unicode,result,/)
    assert.ok(lines.length >= 2, text)
    assert.ok(lines.every((line) => line.includes(',register_domain,')))
    assert.ok(
      lines.some((line) =>
        line.includes(",'=cmd(),bought,saved-as-csv.com,saved-as-csv.com,success,"),
      ),
    )
  })
})

describe('a parked order', { skip: skipChromium }, () => {
  it('reads as parked, though its end is not known', async () => {
    const { app } = registrar.service
    const row = systemCall(app, 'test').auditRow({
      action: 'park_order',
      target_type: 'domain',
      target: 'parked-order.com',
      customer_id: owner.id,
      result: 'unknown',
      metadata: {},
    })
    await storeAuditRow(app.db, row)
    const page = await opened()
    const entry = page
      .getByRole('listitem')
      .filter({ hasText: 'This service parked an order of parked-order.com' })
    await entry.getByText('Under review').waitFor()
  })
})

describe('a proof of the log', { skip: skipChromium }, () => {
  it('is saved with its proofs, which the offline verifier finds valid with the key shown', async () => {
    const page = await opened()
    const { app } = registrar.service
    const { clock, auditSigner, settings } = app
    const seal = () => sealBlock(app.db, { signer: auditSigner, clock, settings })
    // Rows are sealed once older transactions have ended, including those of other databases.
    while ((await seal()).block === null) await sleep(50)
    await page.getByRole('button', { name: 'Keep a proof' }).click()
    const dialog = page.getByRole('dialog')
    const head = dialog.getByRole('region', { name: 'Signed head of the log' })
    const key_id = await head.getByText(/^[0-9a-f]{32}$/).innerText()
    await assertAccessible(page)
    const save = async (name: string) => {
      const saved = page.waitForEvent('download')
      await dialog.getByRole('button', { name }).click()
      const file = await saved
      return (await (await file.createReadStream()).toArray()).join('')
    }
    const log = verifyExport(await save('Save the log'), new Set([key_id]))
    assert.equal(log.customer_id, owner.id)
    assert.ok(log.hashes.size > 0)
    const kept = JSON.parse(await save('Save the head'))
    assert.ok(['same', 'elsewhere'].includes(compareHead(log, kept, new Set([key_id]))))
  })
})
