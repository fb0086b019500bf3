// Credentials of services, by URL, in a file that only its owner can read: an API key, or the
// tokens of a log-in. The file is replaced as a whole, under a lock.
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { exitCodes, Failure, usage } from './failure.ts'
import { withFileLock } from './file-lock.ts'

export type Environment = Record<string, string | undefined>
type KeptKey = { type: 'api_key'; api_key: string }
/** An access token has one audience: REST or MCP. */
export type Audience = 'rest' | 'mcp'
export type AccessToken = { access_token: string; expires_at: string }
export type KeptLogIn = {
  type: 'oauth'
  /** The client is registered once, and the next log-in uses it again. */
  client_id: string
  token_endpoint: string
  revocation_endpoint: string | null
  resources: { rest: string; mcp: string | null }
  scope: string
  /** The token, or null if the service no longer accepts it. */
  refresh_token: string | null
  tokens: { [audience in Audience]?: AccessToken }
}
type Kept = KeptKey | KeptLogIn
type File = Record<string, Kept>

export type Credentials = {
  path: string
  read: (url: string) => Kept | null
  /** Replaces the entry of one service and returns the new one. With null, the entry is removed. */
  change: <T extends Kept | null>(
    url: string,
    next: (kept: Kept | null) => T | Promise<T>,
  ) => Promise<T>
}

function placeOf(environment: Environment): { folder: string; path: string } {
  const home = environment.HOME ?? homedir()
  const folder = join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'agent-registrar')
  return { folder, path: join(folder, 'credentials.json') }
}

export function openCredentials(environment: Environment): Credentials {
  const { folder, path } = placeOf(environment)
  return {
    path,
    read: (url) => readAll(path)[url] ?? null,
    change: async (url, next) => {
      prepare(folder)
      return withFileLock(`${path}.lock`, async () => {
        const changed = await next(readAll(path)[url] ?? null)
        // The file is read again, because `next` may have taken a while, but only a holder of the
        // lock writes.
        const { [url]: _, ...others } = readAll(path)
        writeAll(path, changed === null ? others : { ...others, [url]: changed })
        return changed
      })
    },
  }
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new Failure(exitCodes.refused, `${folder} cannot be written: ${error}`, {
      next: 'Set XDG_CONFIG_HOME to a folder of yours, or AGENT_REGISTRAR_API_KEY to a key.',
    })
  }
}

function readAll(path: string): File {
  try {
    const kept: File = JSON.parse(readFileSync(path, 'utf8'))
    return kept
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new Failure(exitCodes.not_logged_in, `${path} cannot be read: ${error}`)
  }
}

/**
 * Syncs the file to the disk before the rename, because a rotated refresh token exists nowhere
 * else.
 */
function writeAll(path: string, kept: File): void {
  const draft = `${path}.${process.pid}.tmp`
  writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, path)
}

/**
 * The given URL, or else that of the only log-in, but never for a key that was made for another
 * service.
 */
export function serviceUrl(environment: Environment, flag: string | undefined): string {
  const given = flag ?? (environment.AGENT_REGISTRAR_URL || onlyLogIn(environment))
  if (given === null || given === '')
    throw usage('No service is named: give --url or set AGENT_REGISTRAR_URL')
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw usage(`${given} is not an http or https URL`)
  return given.replace(/\/+$/, '')
}

function onlyLogIn(environment: Environment): string | null {
  if (environment.AGENT_REGISTRAR_API_KEY) return null
  const [url, ...others] = Object.keys(readAll(placeOf(environment).path))
  return url !== undefined && others.length === 0 ? url : null
}
