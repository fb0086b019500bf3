// Control plane of the simulated BTCPay Server, for its payments and faults.
import {
  BadRequest,
  type ControlServer,
  type Fields,
  type Routes,
  readHttpFault,
  readText,
  startControlServer,
} from '../support/control-server.ts'
import { Clock } from '../support/sandbox-clock.ts'
import { parseUnits } from './decimals.ts'
import { FAULTS } from './gateway-faults.ts'
import { type SandboxGateway, startGateway } from './index.ts'
import { methodOf } from './payment-methods.ts'

const routes: Routes<SandboxGateway> = {
  'GET /counters': (gateway) => gateway.counters(),
  'GET /invoices': (gateway) => ({ invoices: gateway.invoices() }),
  'GET /payments': (gateway) => ({ payments: gateway.payments() }),
  'POST /payments': (gateway, body) => pay(gateway, body),
  'POST /confirm/': (gateway, _body, id) => changed(gateway, id, () => gateway.confirm(id)),
  'POST /drop/': (gateway, _body, id) => changed(gateway, id, () => gateway.drop(id)),
  'GET /faults': (gateway) => ({ known: FAULTS, armed: gateway.faults() }),
  'POST /faults': (gateway, body) => {
    gateway.setFault(readHttpFault(body, FAULTS))
    return { armed: gateway.faults() }
  },
  'DELETE /faults': (gateway) => {
    gateway.clearFaults()
    return { armed: [] }
  },
  'POST /release': (gateway) => {
    gateway.releaseDelayed()
    return {}
  },
}

/** `amount` is in coins, and defaults to the invoice's own amount. */
function pay(gateway: SandboxGateway, body: Fields) {
  const id = readText(body, 'invoice_id') ?? ''
  const invoice = gateway.invoices().find((one) => one.id === id)
  if (!invoice) return null
  const method = methodOf(readText(body, 'method') ?? invoice.methods[0] ?? '')
  if (!method) throw new BadRequest('method is one of the invoice')
  const amount = readText(body, 'amount')
  const units =
    amount === undefined
      ? BigInt(invoice.prices[method.id] ?? '0')
      : parseUnits(amount, method.decimals)
  if (units === null) throw new BadRequest('amount is a decimal')
  return gateway.pay(id, method.id, units)
}

function changed(gateway: SandboxGateway, id: string, change: () => void) {
  change()
  return gateway.payments().find((one) => one.id === id) ?? null
}

/** Starts the control plane on a free port; every call needs the bearer token. */
export async function startGatewayControl(
  gateway: SandboxGateway,
  token: string,
): Promise<ControlServer> {
  const missing = (id: string) => `no invoice or payment ${id}`
  return startControlServer({ target: gateway, routes, token, port: 0, missing })
}

type Beside = { file: string; token: string; report: (error: unknown) => void }

/**
 * Starts both beside the simulated registries. Returns its part of their ready line. Its time is
 * real, because a jump of the registries' clock must not end the time to pay.
 */
export async function startGatewayBeside({ token, file, report }: Beside) {
  const gateway = await startGateway({ clock: new Clock(Date.now, null), file, report })
  const control = await startGatewayControl(gateway, token)
  const { base_url, store_id, api_key } = gateway
  return {
    ready: { base_url, store_id, api_key, control: { url: control.url } },
    close: async () => {
      await Promise.all([control.close(), gateway.close()])
    },
  }
}
