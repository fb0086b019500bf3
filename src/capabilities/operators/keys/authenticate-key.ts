// Authentication of operators by key, cached for 3 s as API keys are.
import type { App, Caller } from '../../../app.ts'
import { hashSecret } from '../../../kit/random.ts'
import type { TokenReader } from '../../api-keys/index.ts'
import { noteKeyUse, operatorOfHash } from './keys.sql.ts'

export type OperatorParts = Pick<App, 'db' | 'clock' | 'authentications'>

/** How late the time of a last use is, so that not every look-up writes. */
export const use_step_ms = 60_000

/**
 * Authenticates operator keys. Undefined for one that is unknown or revoked. Rejects with
 * DatabaseUnavailable.
 */
export function authenticateOperators({ db, clock, authentications }: OperatorParts): TokenReader {
  return async (token) => {
    const hash = hashSecret(token)
    const found = await authentications.authenticate(hash, async () => {
      const row = await db.lookUp(operatorOfHash, { key_hash: hash })
      if (!row) return undefined
      const { id, label, last_used_at } = row
      const now = clock.now()
      if (last_used_at === null || now.getTime() - last_used_at.getTime() > use_step_ms)
        await db.count(noteKeyUse, { id, now })
      const caller: Caller = { kind: 'operator', key_id: id, label }
      return { caller, expires_at: null }
    })
    return found?.caller
  }
}
