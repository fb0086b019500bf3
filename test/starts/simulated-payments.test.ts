// The embedded default of payments: the sandbox's process starts a simulated BTCPay Server and
// Stripe, and their pages pay.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { pino } from 'pino'
import type { Destination, Gateway } from '../../src/adapters/gateway/port.ts'
import { startSandboxRegistries } from '../../src/adapters/registry/sandbox-process.ts'
import { readSettings } from '../../src/config/config.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { openGateway, openProcessor } from '../../src/start/open-adapters.ts'
import { testDatabase } from '../support/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'simulated-payments-'))
const sandbox = await startSandboxRegistries(folder, { payments: true })
after(async () => {
  await sandbox.stop()
  rmSync(folder, { recursive: true, force: true })
})
const settings = readSettings({})
const { database: db } = await testDatabase()
const parts = { db, clock: systemClock, log: pino({ level: 'silent' }) }
const expires_at = new Date(Date.now() + 3_600_000)

/** Presses a button of a payment page. */
async function press(url: string, how: string): Promise<void> {
  const body = new URLSearchParams({ how })
  const { status } = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  assert.equal(status, 303)
}

async function statesOf(gateway: Gateway, destination: Destination) {
  const input = { destinations: [destination], known: [], cursor: null }
  const { payments } = await gateway.observe(input)
  return payments.map(({ state, amount }) => [state, amount])
}

it('a checkout is paid and confirmed on the page of the gateway', async () => {
  const gateway = await openGateway(settings, { ...parts, sandbox: sandbox.payments })
  assert.ok(gateway)
  assert.deepEqual(
    (await gateway.assets()).map(({ asset, network }) => `${asset}/${network}`),
    ['USDC/base', 'BTC/bitcoin', 'ETH/base'],
  )
  for (const { asset, network } of await gateway.assets()) {
    const amount = { currency: 'USD', amount_cents: 2_500n } as const
    const checkout_id = `chk_${asset}`
    const to = await gateway.open({ checkout_id, asset, network, ...amount, expires_at })
    await press(`${to.page_url}/pay`, 'exactly')
    assert.deepEqual(await statesOf(gateway, to), [['seen', to.pay_amount]])
    await press(`${to.page_url}/pay`, 'confirm')
    assert.deepEqual(await statesOf(gateway, to), [['confirmed', to.pay_amount]])
  }
})

it('a session is paid on the page of the card processor', async () => {
  const processor = await openProcessor(settings, sandbox.payments)
  assert.ok(processor)
  const session = await processor.openSession({
    idempotency_key: 'key-1',
    customer_id: 'cus_1',
    checkout_id: 'chk_card',
    amount_cents: 2_500n,
    currency: 'EUR',
    description: 'Top-up of your balance',
    success_url: 'http://localhost/',
    cancel_url: 'http://localhost/',
    expires_at,
  })
  await press(session.url ?? '', 'pay')
  assert.equal((await processor.readSession(session.id))?.is_paid, true)
})

it('starts neither without settings and without the sandbox', async () => {
  assert.equal(await openGateway(settings, { ...parts, sandbox: null }), null)
  assert.equal(await openProcessor(settings, null), null)
})
