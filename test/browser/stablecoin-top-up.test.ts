// A top-up in a stablecoin on a real chain (anvil) and in a real Chromium: the owner sees it
// confirm, buys a domain and downloads the invoice.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { payer, skipAnvil } from '../support/chain/anvil.ts'
import { startX402Place } from '../support/chain/x402-service.ts'
import { skipChromium } from '../support/chromium.ts'
import { newOwner } from '../support/owner.ts'
import { startService } from '../support/service.ts'
import { openPath } from './support/dashboard.ts'
import { openDashboard } from './support/dashboard-browser.ts'

const place = skipAnvil ? null : await startX402Place()
const registrar = await startService({ settings: place?.settings ?? {} })
const { site, openAs } = await openDashboard(registrar)

it('a person pays 25 USDC, sees it confirm, buys and has an invoice', {
  skip: skipChromium || skipAnvil,
}, async () => {
  assert.ok(place)
  const owner = await newOwner(registrar, { funds_cents: 0 })
  const page = await openAs(owner, { path: '/billing/top-up', heading: 'Add money' })
  await page.getByRole('radio', { name: /^USDC on Base/ }).check({ force: true })
  await page.getByRole('button', { name: /^Pay .*25\.00 in USDC$/ }).click()
  await page.getByText('Send only USDC on the Base network').waitFor()
  const address = await page.getByText(/^0x[0-9a-fA-F]{40}$/).innerText()
  const amount = await page.getByText(/^25$/).innerText()
  assert.equal(amount, '25')

  const { chain, token } = place
  await chain.call({ to: token, name: 'mint' }, payer.address, 25_000_000n)
  await chain.call({ to: token, name: 'transfer' }, `0x${address.slice(2)}`, 25_000_000n)
  await page.getByText('1 of 2 confirmations').waitFor()
  const balance = `/v1/customers/${owner.id}/billing/balance`
  const before = await registrar.request('GET', balance, { token: owner.key })
  assert.equal(before.body.available, '0.00')
  await chain.mine(1)
  await page.getByText(/25\.00 added to the balance/).waitFor()

  await page.getByRole('link', { name: 'Buy a domain' }).last().click()
  await page.getByRole('heading', { level: 1, name: 'Buy a domain' }).waitFor()
  await openPath(page, `${site}/buy?q=paid-on-chain.com`, 'Buy a domain')
  await page.getByRole('button', { name: 'Buy paid-on-chain.com' }).click()
  await page.getByRole('button', { name: /^Buy for / }).click()
  await page.getByText('paid-on-chain.com is yours').waitFor()

  await openPath(page, `${site}/invoices`, 'Invoices')
  const row = page.getByRole('row').filter({ hasText: 'Paid' })
  assert.match(await row.innerText(), /Top-up in USDC[\s\S]*25\.00/)
  const saved = page.waitForEvent('download')
  await row.getByRole('button', { name: /as PDF$/ }).click()
  const file = await saved
  const bytes = Buffer.concat(await (await file.createReadStream()).toArray())
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
})
