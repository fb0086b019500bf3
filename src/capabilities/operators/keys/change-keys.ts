// Changes of operator keys, for operations and for the command line: create, rotate and revoke.
import type { App } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { newSecret, type Secret } from '../../../kit/random.ts'
import { notifyAccessRevoked } from '../../api-keys/index.ts'
import {
  lastOperatorKey,
  operatorKeyInSettings,
  operatorKeyNameTaken,
  operatorKeyNotFound,
  operatorKeyRevoked,
} from '../faults.ts'
import {
  endSessionsOfKey,
  insertOperatorKey,
  lockActiveOperatorKeys,
  type OperatorKeyRow,
  operatorKeyById,
  replaceOperatorSecret,
  revokeOperatorKeyRow,
} from './keys.sql.ts'
import { operatorKeyPrefix, ownKeyNames } from './operator-key.ts'

export type KeyParts = Pick<App, 'settings'> & { sql: Sql; now: Date }
type GivenKey = { secret: Secret; row: OperatorKeyRow }

/** `name` is one line of 1 to 64 characters. Throws operatorKeyNameTaken. */
export async function addOperatorKey({ sql, now }: KeyParts, name: string): Promise<GivenKey> {
  const secret = newSecret(operatorKeyPrefix)
  const { hash: key_hash, shown_prefix: key_prefix } = secret
  const named = { label: name, reserved: [...ownKeyNames] }
  const row = await sql.maybe(insertOperatorKey, {
    key_hash,
    key_prefix,
    ...named,
    created_at: now,
  })
  if (!row) throw operatorKeyNameTaken()
  return { secret, row }
}

/** The name stays, and the sessions end. Throws the fault that states why it cannot be done. */
export async function rotateKeyOfId(parts: KeyParts, id: bigint): Promise<GivenKey> {
  const { sql, now } = parts
  await lockForChange(parts, id)
  const secret = newSecret(operatorKeyPrefix)
  const { hash: key_hash, shown_prefix: key_prefix } = secret
  const row = await sql.maybe(replaceOperatorSecret, { id, key_hash, key_prefix, now })
  if (!row) throw operatorKeyRevoked()
  await endAccess(parts, id)
  return { secret, row }
}

/** The revocation is final and idempotent. Throws the fault that states why it cannot be done. */
export async function revokeKeyOfId(parts: KeyParts, id: bigint): Promise<OperatorKeyRow> {
  const { sql, now } = parts
  const { row, active } = await lockForChange(parts, id)
  if (row.revoked_at !== null) return row
  if (active.length === 1) throw lastOperatorKey()
  await sql.count(revokeOperatorKeyRow, { id, revoked_at: now })
  await endAccess(parts, id)
  return { ...row, revoked_at: now }
}

/** Call it after the locks, in the transaction; the caller invalidates its own node's cache. */
async function endAccess({ sql, now }: KeyParts, operator_key_id: bigint): Promise<void> {
  await sql.count(endSessionsOfKey, { operator_key_id, ended_at: now })
  await notifyAccessRevoked(sql, 'operator')
}

async function lockForChange({ sql, settings }: KeyParts, id: bigint) {
  const active = await sql.run(lockActiveOperatorKeys)
  const row = await sql.maybe(operatorKeyById, { id })
  if (!row) throw operatorKeyNotFound()
  if (row.label === 'environment' && row.revoked_at === null && settings.operator_key !== null)
    throw operatorKeyInSettings()
  return { row, active }
}
