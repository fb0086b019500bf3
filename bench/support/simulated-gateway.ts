// A program that runs the simulated BTCPay Server in memory. It prints the settings for the
// service; a line "invoices" prints the ids of all invoices.
import { createInterface } from 'node:readline'
import { startGateway } from '../../sandbox/gateway/index.ts'
import { Clock } from '../../sandbox/support/sandbox-clock.ts'

const report = (error: unknown) => process.stderr.write(`${String(error)}\n`)
const gateway = await startGateway({ clock: new Clock(Date.now, null), file: null, report })
const settings = {
  GATEWAY: 'btcpay',
  BTCPAY_URL: gateway.base_url,
  BTCPAY_STORE_ID: gateway.store_id,
  BTCPAY_API_KEY: gateway.api_key,
  BTCPAY_METHODS: 'USDC-BASE=USDC/base/6/USD',
}
process.stdout.write(`${JSON.stringify(settings)}\n`)
for await (const line of createInterface({ input: process.stdin }))
  if (line === 'invoices')
    process.stdout.write(`${JSON.stringify(gateway.invoices().map(({ id }) => id))}\n`)
// This means that the parent has ended.
process.exit(0)
