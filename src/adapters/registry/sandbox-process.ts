// The sandbox registries of the embedded default, in a separate process that ends when this one
// does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Type from 'typebox'
import { compile } from '../../kit/schema.ts'
import type { Endpoint } from './registries.ts'
import type { ControlEndpoint } from './sandbox-control.ts'

/** The one line that sandbox/registry/main.ts prints when it listens. */
const readiness = compile(
  Type.Object({
    registries: Type.Record(
      Type.String(),
      Type.Object({
        host: Type.String(),
        port: Type.Integer(),
        clientId: Type.String(),
        password: Type.String(),
      }),
    ),
    openprovider: Type.Object({
      base_url: Type.String(),
      username: Type.String(),
      password: Type.String(),
    }),
    tls: Type.Object({ ca_file: Type.String(), cert_file: Type.String(), key_file: Type.String() }),
    dns: Type.Object({ host: Type.String(), port: Type.Integer() }),
    control: Type.Object({ url: Type.String(), token_file: Type.String() }),
    mailbox: Type.Optional(
      Type.Object({ url: Type.String(), control: Type.Object({ url: Type.String() }) }),
    ),
    payments: Type.Optional(
      Type.Object({
        gateway: Type.Object({
          base_url: Type.String(),
          store_id: Type.String(),
          api_key: Type.String(),
        }),
        processor: Type.Object({ base_url: Type.String(), api_key: Type.String() }),
      }),
    ),
  }),
)

type SandboxRegistries = {
  endpoints: ReadonlyMap<string, Endpoint>
  /** Resolvers for the delegations at these registries, as IP:port. */
  resolvers: readonly string[]
  /** Its HTTP control plane for faults, clock and counters. */
  control: ControlEndpoint
  /** The address of the sandbox mail server, if one was requested. */
  smtp_url: string | null
  /** The control plane of that mail server. */
  mailbox: ControlEndpoint | null
  /** The simulated BTCPay Server and Stripe, if they were requested. */
  payments: {
    gateway: { base_url: string; store_id: string; api_key: string }
    processor: { base_url: string; api_key: string }
  } | null
  stop: () => Promise<void>
}

/** The sandbox registries do not start; the message is one clear line. */
export class SandboxError extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'SandboxError'
  }
}

const program = fileURLToPath(new URL('../../../sandbox/registry/main.ts', import.meta.url))

/**
 * Starts them on free ports of loopback with their data in a folder, where they find everything as
 * it was. With `mail`, a folder, a sandbox mail server runs beside them and keeps mails there. With
 * `payments`, a simulated payment gateway and card processor run, too.
 */
export async function startSandboxRegistries(
  dataDir: string,
  { mail = null, payments = false }: { mail?: string | null; payments?: boolean } = {},
): Promise<SandboxRegistries> {
  const options = [
    ...['--data-dir', dataDir],
    ...(mail === null ? [] : ['--mail-dir', mail]),
    ...(payments ? ['--payments'] : []),
  ]
  const child = spawn(process.execPath, [program, ...options, '--until-stdin-ends'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // It is not in our process group, because we handle Ctrl-C and the end of its stdin stops it.
    detached: true,
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const first = once(lines, 'line').then(([line]) => String(line))
  const line = await Promise.race([first, exited.then(() => undefined)])
  if (line === undefined)
    throw new SandboxError(
      `The sandbox registries ended with code ${child.exitCode} before they listened.`,
    )
  const message: unknown = JSON.parse(line)
  const { error } = Object(message)
  if (error !== undefined) {
    await exited
    throw new SandboxError(`The sandbox registries do not start: ${error}`)
  }
  const ready = readiness.parse(message)
  const { ca_file, cert_file, key_file } = ready.tls
  const endpoints = new Map<string, Endpoint>()
  for (const [name, { host, port, clientId, password }] of Object.entries(ready.registries))
    endpoints.set(name, {
      host,
      port,
      client_id: clientId,
      password,
      tls: { ca_file, cert_file, key_file, servername: 'localhost' },
    })
  const token = readFileSync(ready.control.token_file, 'utf8').trim()
  const { base_url, username: client_id, password } = ready.openprovider
  endpoints.set('openprovider', { base_url, client_id, password })
  return {
    endpoints,
    resolvers: [`${ready.dns.host}:${ready.dns.port}`],
    control: { url: ready.control.url, token },
    smtp_url: ready.mailbox?.url ?? null,
    mailbox: ready.mailbox ? { url: ready.mailbox.control.url, token } : null,
    payments: ready.payments ?? null,
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}
