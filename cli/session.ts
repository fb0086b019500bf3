// The service that is used and the API key for it: from the environment, or from the file that
// `login` writes, which only its owner can read.
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { exitCodes, Failure, usage } from './failure.ts'

type Environment = Record<string, string | undefined>
type Kept = Record<string, string>

function folderOf(environment: Environment): string {
  const home = environment.HOME ?? homedir()
  return join(environment.XDG_CONFIG_HOME ?? join(home, '.config'), 'agent-registrar')
}

function readKept(environment: Environment): Kept {
  const file = join(folderOf(environment), 'keys.json')
  try {
    const kept: Kept = JSON.parse(readFileSync(file, 'utf8'))
    return kept
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new Failure(exitCodes.not_logged_in, `${file} cannot be read: ${error}`)
  }
}

/** Keeps the key for the service, or drops it; whether one was kept before. */
export function keepKey(environment: Environment, url: string, key: string | null): boolean {
  const { [url]: before, ...others } = readKept(environment)
  const folder = folderOf(environment)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const draft = join(folder, `keys.${process.pid}.tmp`)
  const kept = key === null ? others : { ...others, [url]: key }
  writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, join(folder, 'keys.json'))
  return before !== undefined
}

export function serviceUrl(environment: Environment, flag: string | undefined): string {
  const given = flag ?? environment.AGENT_REGISTRAR_URL
  if (given === undefined || given === '')
    throw usage('No service is named: give --url or set AGENT_REGISTRAR_URL')
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw usage(`${given} is no http or https URL`)
  return given.replace(/\/+$/, '')
}

export function keyFor(environment: Environment, url: string): string {
  const key = environment.AGENT_REGISTRAR_API_KEY || readKept(environment)[url]
  if (key !== undefined) return key
  throw new Failure(exitCodes.not_logged_in, `There is no API key for ${url}`, {
    next: `agent-registrar login --url ${url} (or set AGENT_REGISTRAR_API_KEY)`,
  })
}
