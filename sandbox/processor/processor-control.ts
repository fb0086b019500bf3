// Control plane of the simulated Stripe, for payments, refunds, disputes and faults.
import {
  BadRequest,
  type ControlServer,
  type Fields,
  type Routes,
  readHttpFault,
  readNumber,
  readText,
  startControlServer,
} from '../support/control-server.ts'
import { Clock } from '../support/sandbox-clock.ts'
import { type SandboxProcessor, startProcessor } from './index.ts'
import { FAULTS } from './processor-faults.ts'

const routes: Routes<SandboxProcessor> = {
  'GET /counters': (processor) => processor.counters(),
  'GET /sessions': (processor) => ({ sessions: processor.sessions() }),
  'GET /payments': (processor) => ({ payments: processor.payments() }),
  'POST /endpoint': (processor, body) => {
    processor.setEndpoint(mustText(body, 'url'), mustText(body, 'secret'))
    return { url: body.url }
  },
  'POST /pay/': (processor, body, id) => processor.pay(id, body.later === true),
  'POST /settle/': (processor, body, id) => {
    processor.settle(id, body.succeeded !== false)
    return { id }
  },
  'POST /refunds/': (processor, body, id) => processor.refund(id, amountOf(body)),
  'POST /fail-refund/': (processor, _body, id) => {
    processor.failRefund(id)
    return { id }
  },
  'POST /disputes/': (processor, body, id) =>
    processor.dispute(id, amountOf(body), body.inquiry === true),
  'POST /close-dispute/': (processor, body, id) => {
    if (body.status !== 'won' && body.status !== 'lost')
      throw new BadRequest('status is won or lost')
    processor.closeDispute(id, body.status)
    return { id }
  },
  'GET /faults': (processor) => ({ known: FAULTS, armed: processor.faults() }),
  'POST /faults': (processor, body) => {
    processor.setFault(readHttpFault(body, FAULTS))
    return { armed: processor.faults() }
  },
  'DELETE /faults': (processor) => {
    processor.clearFaults()
    return { armed: [] }
  },
  'POST /release': (processor) => {
    processor.releaseDelayed()
    return {}
  },
}

function mustText(body: Fields, name: string): string {
  const value = readText(body, name)
  if (value === undefined) throw new BadRequest(`${name} is missing`)
  return value
}

/** The amount in minor units, or null, which means all of it, if it is left out. */
function amountOf(body: Fields): number | null {
  return readNumber(body, 'amount') ?? null
}

/** Starts the control plane on a free port; every call needs the bearer token. */
export async function startProcessorControl(
  processor: SandboxProcessor,
  token: string,
): Promise<ControlServer> {
  const missing = (id: string) => `no ${id}`
  return startControlServer({ target: processor, routes, token, port: 0, missing })
}

type Beside = { file: string; token: string; report: (error: unknown) => void }

/** Starts both beside the simulated registries, and returns its part of their ready line. */
export async function startProcessorBeside({ token, file, report }: Beside) {
  const processor = await startProcessor({ clock: new Clock(Date.now, null), file, report })
  const control = await startProcessorControl(processor, token)
  const { base_url, api_key } = processor
  return {
    ready: { base_url, api_key, control: { url: control.url } },
    close: async () => {
      await Promise.all([control.close(), processor.close()])
    },
  }
}
