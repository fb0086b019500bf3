// The sandbox as a program: prints one JSON line when ready, and stops cleanly on SIGTERM.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SandboxStartError } from '../support/folder-lock.ts'
import { startSandbox } from './index.ts'

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: './data/sandbox-registry' },
    host: { type: 'string', default: '127.0.0.1' },
    'thin-port': { type: 'string', default: '0' },
    'thick-port': { type: 'string', default: '0' },
    'openprovider-port': { type: 'string', default: '0' },
    'dns-port': { type: 'string', default: '0' },
    'control-port': { type: 'string', default: '0' },
    // The folder of the simulated mail server, which is started only if this is given.
    'mail-dir': { type: 'string' },
    // Starts the simulated payment gateway and card processor as well.
    payments: { type: 'boolean', default: false },
    // When a parent process ends, however suddenly, our stdin closes, which ends this process.
    'until-stdin-ends': { type: 'boolean', default: false },
  },
})

/** An error of the environment is reported to the parent as a line; any other is a bug. */
function fail(error: unknown): never {
  // The errors of the system have an `errno`, those of SQLite (a full disk) an `errcode`.
  const isSystem = error instanceof Error && ('errno' in error || 'errcode' in error)
  const known = error instanceof SandboxStartError || isSystem
  if (known) process.stdout.write(`${JSON.stringify({ error: error.message })}\n`)
  else process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
}

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
}

const sandbox = await startSandbox({
  data_dir: values['data-dir'],
  host: values.host,
  ports: {
    thin: Number(values['thin-port']),
    thick: Number(values['thick-port']),
    openprovider: Number(values['openprovider-port']),
    dns: Number(values['dns-port']),
    control: Number(values['control-port']),
  },
  report,
}).catch(fail)
async function openMailbox(folder: string) {
  const { startMailbox } = await import('../mailbox/control.ts')
  return startMailbox(folder, sandbox.control.token)
}
const mailbox = values['mail-dir'] ? await openMailbox(values['mail-dir']).catch(fail) : null
async function openPayments() {
  const { startGatewayBeside } = await import('../gateway/gateway-control.ts')
  const { startProcessorBeside } = await import('../processor/processor-control.ts')
  const { token } = sandbox.control
  const file = (name: string) => join(values['data-dir'], `${name}.jsonl`)
  const gateway = await startGatewayBeside({ file: file('gateway'), token, report })
  const processor = await startProcessorBeside({ file: file('processor'), token, report })
  return { gateway, processor }
}
const payments = values.payments ? await openPayments().catch(fail) : null

const { ca_file, cert_file, key_file, registrars } = sandbox.tls
const { base_url, username, password } = sandbox.openprovider
const ready = {
  registries: sandbox.registries,
  openprovider: { base_url, username, password },
  tls: {
    ca_file,
    cert_file,
    key_file,
    registrars: Object.fromEntries(
      Object.entries(registrars).map(([id, files]) => {
        return [id, { cert_file: files.cert_file, key_file: files.key_file }]
      }),
    ),
  },
  dns: sandbox.dns,
  control: { url: sandbox.control.url, token_file: join(values['data-dir'], 'control-token') },
  ...(mailbox ? { mailbox: mailbox.ready } : {}),
  ...(payments
    ? { payments: { gateway: payments.gateway.ready, processor: payments.processor.ready } }
    : {}),
}
process.stdout.write(`${JSON.stringify(ready)}\n`)

let stopping = false

async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  await payments?.gateway.close()
  await payments?.processor.close()
  await mailbox?.close()
  await sandbox.close()
  process.stdin.destroy()
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
if (values['until-stdin-ends']) process.stdin.on('end', () => void stop()).resume()
