// Starts the server and the worker, prints their addresses, and stops them on a signal.

import { NameServerError } from './adapters/dns/port.ts'
import { GatewaySettingError } from './adapters/gateway/port.ts'
import { RegistriesFileError } from './adapters/registry/config/registries-file.ts'
import { SandboxError } from './adapters/registry/sandbox-process.ts'
import { compose, type Service } from './compose.ts'
import { readSettings, SettingError } from './config/config.ts'
import {
  DatabaseSettingError,
  DatabaseUnavailable,
  EmbeddedDatabaseError,
  MigrationError,
} from './db/postgres/errors.ts'
import { firstSteps, keyLines } from './start/startup-banner.ts'

/** Errors that the operator can fix, which are printed in one line without a stack. */
const plain = [
  SettingError,
  RegistriesFileError,
  GatewaySettingError,
  NameServerError,
  DatabaseSettingError,
  DatabaseUnavailable,
  EmbeddedDatabaseError,
  MigrationError,
  SandboxError,
]

// Its reader may be gone (EPIPE), or its disk full, but this must not end the process in the middle
// of a stop.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(error: unknown): never {
  const isFixable = plain.some((type) => error instanceof type)
  const words = isFixable && error instanceof Error ? error.message : portProblem(error)
  process.stderr.write(`${words ?? (error instanceof Error ? error.stack : String(error))}\n`)
  process.exit(1)
}

function portProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return undefined
  if (error.code === 'EADDRINUSE')
    return `Port ${error.port} is in use. Set PORT to another, or stop the program that uses it.`
  if (error.code === 'EACCES')
    return `This user may not listen on port ${error.port}. Set PORT to 1024 or above.`
  return error.code === 'EADDRNOTAVAIL'
    ? 'HOST is not an address of this machine. Set HOST to 127.0.0.1 or 0.0.0.0.'
    : undefined
}

type Start = { starting: Promise<Service>; abort: AbortController }

/**
 * Ctrl-C and SIGTERM stop it in order, also in the middle of the start; a second signal stops it at
 * once.
 */
function stopOnSignal({ starting, abort }: Start): { asked: () => boolean } {
  const asked = () => abort.signal.aborted
  const stop = async (signal: string) => {
    // start.cjs noticed that npm ended, which is not a second request.
    if (asked() && signal === 'launcher gone') return
    if (asked()) process.exit(1)
    say(`${signal}: stopping`)
    abort.abort()
    // A start that ends here has stopped its parts already. Another failure says why.
    const service = await starting.catch((error) => {
      if (error !== abort.signal.reason) fail(error)
    })
    await service?.stop()
    say('Stopped.')
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, (name: string) => void stop(name))
  return { asked }
}

async function run(): Promise<void> {
  const abort = new AbortController()
  const starting = compose(readSettings(), { signal: abort.signal })
  const { asked } = stopOnSignal({ starting, abort })
  const service = await starting.catch((error) => {
    // From here on the handler of the signal ends the process.
    if (asked()) return null
    throw error
  })
  if (service === null) return
  let lines: string[] | null = null
  try {
    await service.dashboard.refresh()
    lines = await firstSteps(service, abort.signal)
    say(lines.join('\n'))
    service.warm().catch((error) => service.app.log.warn({ err: error }, 'warming up failed'))
  } catch (error) {
    // A stop in the middle of the first steps ends them, and is not a failure.
    if (asked()) return
    await service.stop()
    throw error
  } finally {
    // A key that was made is printed, whatever ended the first steps.
    if (lines === null && service.operator_key !== null) say(keyLines(service).join('\n'))
  }
}

await run().catch(fail)
