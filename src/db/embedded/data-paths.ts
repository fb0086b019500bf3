// Paths of the embedded server: data, binaries, socket, log.
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { EmbeddedDatabaseError, messageOf } from '../postgres/errors.ts'
import { type Account, canEnter, giveTo } from './system-account.ts'

export type Place = {
  /** The folder that is really used. */
  data_dir: string
  cluster: string
  socket_dir: string
  log_file: string
  /** Process id of the node that answers for the server. */
  owner_file: string
  account: Account
}

const subfolder = 'postgresql'
const roots_folder = '/var/lib/agent-registrar'
// sun_path holds 108 octets on Linux, 104 on macOS, with the closing zero.
const longest_socket = 103
const socket_file = '.s.PGSQL.5432'

/**
 * Finds and makes the folders. As root, data that the server's account could not reach goes to
 * /var/lib.
 */
export function preparePlace(wanted: string, account: Account): Place {
  const asked = resolve(wanted)
  try {
    const home = join(asked, subfolder)
    const data_dir = reachable([asked, home], account) ? home : instead(asked)
    return {
      data_dir,
      cluster: join(data_dir, 'cluster'),
      socket_dir: socketFolder(data_dir, account),
      log_file: join(data_dir, 'postgres.log'),
      owner_file: join(data_dir, 'owner.pid'),
      account,
    }
  } catch (cause) {
    if (cause instanceof EmbeddedDatabaseError) throw cause
    throw new EmbeddedDatabaseError(
      `The database cannot be kept in ${asked}: ${messageOf(cause)}.`,
      'Set DATA_DIR to a folder that this user may write.',
      cause,
    )
  }
}

function reachable(folders: string[], account: Account): boolean {
  for (const folder of folders.filter((one) => !existsSync(one))) {
    mkdirSync(folder, { recursive: true })
    // With root's umask 077, a folder that we make ourselves would shut the server out.
    chmodSync(folder, account ? 0o711 : 0o700)
  }
  return folders.every((folder) => canEnter(account, folder))
}

/**
 * One folder for each requested path, so that two projects under /root do not share a database by
 * accident.
 */
function instead(asked: string): string {
  const folder = join(roots_folder, shortHash(asked))
  mkdirSync(folder, { recursive: true })
  chmodSync(roots_folder, 0o711)
  chmodSync(folder, 0o711)
  writeFileSync(join(folder, 'instead-of'), `${asked}\n`)
  return folder
}

function socketFolder(data_dir: string, account: Account): string {
  const near = join(data_dir, 'socket')
  const far = join(tmpdir(), `agent-registrar-${shortHash(data_dir)}`)
  const folder = join(near, socket_file).length <= longest_socket ? near : far
  if (!existsSync(folder)) {
    mkdirSync(folder, { mode: 0o700 })
    giveTo(account, folder)
  }
  refuseForeign(folder, account)
  return folder
}

/**
 * The owner of the socket's folder could pose as the database: in a shared tmp no
 * other user may own it.
 */
function refuseForeign(folder: string, account: Account): void {
  if (process.platform === 'win32') return
  const { uid, mode } = lstatSync(folder)
  const ours = account?.uid ?? process.getuid?.()
  if (lstatSync(folder).isDirectory() && uid === ours && (mode & 0o077) === 0) return
  throw new EmbeddedDatabaseError(
    `The folder ${folder} for the database's socket belongs to another user or is open to others.`,
    `Remove it, or set DATA_DIR to a shorter path than ${dirname(folder)}.`,
  )
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}
