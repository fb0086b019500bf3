// Starts the server and the worker, says where they are, and stops them when asked.
import { compose, type Service } from './compose.ts'
import { readSettings, SettingError } from './config.ts'
import {
  DatabaseSettingError,
  DatabaseUnavailable,
  EmbeddedDatabaseError,
  MigrationError,
} from './db/errors.ts'
import { firstSteps } from './first-steps.ts'
import { NameServerError } from './outside/dns/port.ts'
import { RegistriesFileError } from './outside/registry/registries-file.ts'

/** What a person can mend: said in a line, without a stack. */
const plain = [
  SettingError,
  RegistriesFileError,
  NameServerError,
  DatabaseSettingError,
  DatabaseUnavailable,
  EmbeddedDatabaseError,
  MigrationError,
]

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(error: unknown): never {
  const mendable = plain.some((type) => error instanceof type)
  const words = mendable && error instanceof Error ? error.message : portProblem(error)
  process.stderr.write(`${words ?? (error instanceof Error ? error.stack : String(error))}\n`)
  process.exit(1)
}

function portProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return undefined
  if (error.code === 'EADDRINUSE')
    return `Port ${error.port} is in use. Set PORT to another, or stop what listens there.`
  if (error.code === 'EACCES')
    return `This user may not listen on port ${error.port}. Set PORT to 1024 or above.`
  return error.code === 'EADDRNOTAVAIL'
    ? 'HOST is no address of this machine. Set HOST to 127.0.0.1 or 0.0.0.0.'
    : undefined
}

/** Ctrl-C and SIGTERM stop it in order, also in the middle of the start; a second one at once. */
function stopOnSignal(starting: Promise<Service>): { asked: () => boolean } {
  let asked = false
  const stop = async (signal: string) => {
    if (asked) process.exit(1)
    asked = true
    say(`${signal}: stopping`)
    // A start that fails has stopped its parts already, and says why.
    const service = await starting.catch(fail)
    await service.stop()
    say('Stopped.')
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal))
  return { asked: () => asked }
}

try {
  const starting = compose(readSettings())
  const stopping = stopOnSignal(starting)
  const service = await starting
  try {
    const { lines, later } = await firstSteps(service)
    for (const line of lines) say(line)
    for (const line of await later) if (!stopping.asked()) say(line)
    service.warm().catch((error) => service.app.log.warn({ err: error }, 'warming up failed'))
  } catch (error) {
    // A stop in the middle of the first steps ends them, and is no failure.
    if (!stopping.asked()) {
      await service.stop()
      throw error
    }
  }
} catch (error) {
  fail(error)
}
