// System account of PostgreSQL: the server refuses root, so root lends it the account "postgres" or
// "nobody".
import { chownSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Null if this process's own account will do. */
export type Account = { uid: number; gid: number } | null

/** The account for the server's processes. */
export function serverAccount(): Account {
  if (process.getuid?.() !== 0) return null
  return accountNamed('postgres') ?? accountNamed('nobody') ?? { uid: 65_534, gid: 65_534 }
}

function accountNamed(name: string): Account {
  const line = readFileSync('/etc/passwd', 'utf8').match(
    new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'),
  )
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : null
}

/** Whether the account may enter the folder and all folders above it, by their mode bits. */
export function canEnter(account: Account, folder: string): boolean {
  if (account === null) return true
  const { mode, uid, gid } = statSync(folder)
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  const above = dirname(folder)
  return above === folder || canEnter(account, above)
}

/** Gives a folder to the account. */
export function giveTo(account: Account, path: string): void {
  if (account) chownSync(path, account.uid, account.gid)
}
