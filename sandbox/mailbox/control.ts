// Control plane of the simulated mail server, to read mails and arm faults.
import {
  BadRequest,
  type ControlServer,
  type Fields,
  type Routes,
  startControlServer,
} from '../support/control-server.ts'
import { FAULTS, type Fault, isFaultName, type MailServer, startMailServer } from './index.ts'

const routes: Routes<MailServer> = {
  'GET /mails': (mails) => ({ mails: mails.list().map(({ raw: _raw, ...mail }) => mail) }),
  'GET /mails/': (mails, _body, id) => mails.read(id),
  'GET /messages/': async (mails, _body, message) => {
    const kept = mails.find(message)
    if (kept === null) return null
    const { default: PostalMime } = await import('postal-mime')
    const { text = '' } = await PostalMime.parse(kept.raw)
    return { received_at: kept.received_at, text }
  },
  'DELETE /mails': (mails) => {
    mails.clear()
    return { mails: [] }
  },
  'GET /faults': (mails) => ({ known: FAULTS, armed: mails.faults() }),
  'POST /faults': (mails, body) => {
    mails.setFault(readFault(body))
    return { armed: mails.faults() }
  },
  'DELETE /faults': (mails) => {
    mails.clearFaults()
    return { armed: [] }
  },
}

/** Starts the control plane on a free port; every call needs the bearer token. */
export async function startMailControl(mails: MailServer, token: string): Promise<ControlServer> {
  const missing = () => 'no such mail'
  return startControlServer({ target: mails, routes, token, port: 0, missing })
}

function readFault({ name, code, delay_ms, to, times }: Fields): Fault {
  if (typeof name !== 'string' || !isFaultName(name))
    throw new BadRequest(`name is one of ${Object.keys(FAULTS).join(', ')}`)
  const fault: Fault = { name }
  for (const [field, value] of Object.entries({ code, delay_ms, times }))
    if (value !== undefined && value !== null && typeof value !== 'number')
      throw new BadRequest(`${field} is a number`)
  if (to !== undefined && typeof to !== 'string') throw new BadRequest('to is an address')
  if (to !== undefined) fault.to = to
  if (typeof code === 'number') fault.code = code
  if (typeof delay_ms === 'number') fault.delay_ms = delay_ms
  if (times === null || typeof times === 'number') fault.times = times
  return fault
}

/**
 * Starts the simulated mail server beside the simulated registries. Its mails are kept in the
 * folder, and its control plane accepts this token. Returns its part of their ready line.
 */
export async function startMailbox(folder: string, token: string) {
  const mails = await startMailServer({ data_dir: folder })
  const control = await startMailControl(mails, token)
  return {
    ready: { url: mails.url, folder, control: { url: control.url } },
    close: async () => {
      await Promise.all([control.close(), mails.close()])
    },
  }
}
