// The operator key: from OPERATOR_KEY, or created at the first start.
import type { App } from '../../../app.ts'
import { SettingError } from '../../../config/config.ts'
import { hashSecret, newSecret } from '../../../kit/random.ts'
import { notifyAccessRevoked } from '../../api-keys/index.ts'
import {
  anyOperatorKey,
  insertFirstOperatorKey,
  putEnvironmentKey,
  revokeOtherEnvironmentKeys,
} from './keys.sql.ts'

export const operatorKeyPrefix = 'op_'
/** Names that the service gives itself. */
export const ownKeyNames: readonly string[] = ['environment', 'first start']
type OperatorKeyParts = Pick<App, 'db' | 'clock' | 'settings' | 'authentications'>

/**
 * Ensures that an operator key exists. Returns a new secret, to be printed once, only if none was
 * set and none exists. Throws SettingError for an OPERATOR_KEY that is not a valid bearer token.
 */
export async function ensureOperatorKey(app: OperatorKeyParts): Promise<string | null> {
  const { db, clock, settings } = app
  if (settings.operator_key !== null) {
    await useEnvironmentKey(app, settings.operator_key)
    return null
  }
  if ((await db.one(anyOperatorKey)).found) return null
  const secret = newSecret(operatorKeyPrefix)
  const made = await db.maybe(insertFirstOperatorKey, {
    key_hash: secret.hash,
    key_prefix: secret.shown_prefix,
    created_at: clock.now(),
  })
  return made ? secret.value : null
}

async function useEnvironmentKey(app: OperatorKeyParts, key: string): Promise<void> {
  const { db, clock, authentications } = app
  if (!/^op_[\x21-\x7e]{1,509}$/.test(key))
    throw new SettingError(
      'OPERATOR_KEY',
      'must start with "op_" and have only printable ASCII characters, without spaces',
    )
  const now = clock.now()
  authentications.invalidate()
  await db.transaction(async (sql) => {
    await sql.count(revokeOtherEnvironmentKeys, { key_hash: hashSecret(key), revoked_at: now })
    await sql.count(putEnvironmentKey, { key_hash: hashSecret(key), created_at: now })
    await notifyAccessRevoked(sql, 'operator')
  })
}
