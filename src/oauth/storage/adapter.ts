// The adapter of oidc-provider over PostgreSQL. Ids of tokens, codes, sessions and interactions are
// bearer secrets, so the database stores their SHA-256, and payloads without them.
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import type { CommitUnknown, DatabaseUnavailable } from '../../db/database.ts'
import { json } from '../../db/statement.ts'
import { isDatabaseOutage } from '../../errors/classify.ts'
import { type GrantId, hashSecret } from '../../kit/random.ts'
import {
  deleteModel,
  deleteModelsOfGrant,
  findDeviceCodeByUserCode,
  findGrantOfConsumed,
  findModel,
  findSessionByUid,
  revokeGrantById,
  upsertModel,
} from './models.sql.ts'
import type { Queries, RedemptionTransactions } from './redemption-transaction.ts'
import { findRefreshAnswer, refreshToken } from './refresh-answers.sql.ts'

type AdapterParts = {
  transactions: Pick<RedemptionTransactions, 'sql' | 'consume' | 'current' | 'endReason'>
  /** The library's error for a code or a token that was used before (invalid_grant). */
  alreadyUsed: () => Error
  /** The library's error while the database cannot be reached (temporarily_unavailable). */
  unavailable: (cause: DatabaseUnavailable | CommitUnknown) => Error
}

/** The payload without bearer secrets. */
function stored(id: string, payload: AdapterPayload): AdapterPayload {
  const { jti: _id, consumed: _moment, userCode: _code, ...rest } = payload
  // An interaction has its own id in `returnTo`, and the session's in the cookie.
  if (rest.kind === 'Interaction') {
    if (rest.returnTo?.endsWith(id)) rest.returnTo = rest.returnTo.slice(0, -id.length)
    if (rest.session) rest.session = { ...rest.session, cookie: undefined }
  }
  return rest
}

/**
 * A device code that was found by its user code, whose own value only its client knows. The token
 * endpoint accepts no such value (routes/device-checks.ts).
 */
const byHash = 'by-hash:'

function hashOf(model: string, id: string): Buffer {
  return model === 'DeviceCode' && id.startsWith(byHash)
    ? Buffer.from(id.slice(byHash.length), 'hex')
    : hashSecret(id)
}

/** A session is found by its uid, a device code by the hash of its user code. */
function uidOf(model: string, { uid, userCode }: AdapterPayload): string | null {
  if (model === 'Session') return uid ?? null
  return model === 'DeviceCode' && userCode !== undefined ? userCodeHash(userCode) : null
}

function userCodeHash(userCode: string): string {
  return hashSecret(`user code ${userCode}`).toString('hex')
}

type Found = { payload: unknown; consumed?: bigint | null }

function restored(id: string, found: Found): AdapterPayload {
  const payload: AdapterPayload = { ...Object(found.payload) }
  if (payload.kind !== undefined) payload.jti = id
  if (payload.kind === 'Interaction' && payload.returnTo !== undefined) payload.returnTo += id
  return found.consumed == null ? payload : { ...payload, consumed: Number(found.consumed) }
}

/**
 * One adapter for each model. `consume` succeeds once and revokes the grant for every other use, as
 * a code or a token that is used twice has been intercepted (RFC 6749 section 10.5, RFC 9700
 * section 4.14).
 */
export function adapterOver(parts: AdapterParts): AdapterFactory {
  const { alreadyUsed, transactions } = parts
  const translate = errorTranslation(parts)
  const db = translating(transactions.sql, translate)

  async function revokeByGrantId(grantId: GrantId): Promise<void> {
    await db.count(revokeGrantById, { id: grantId, end_reason: transactions.endReason() })
    await db.count(deleteModelsOfGrant, { grant_id: grantId })
  }

  return (model): Adapter => ({
    revokeByGrantId,
    async upsert(id, payload, expiresIn) {
      // The successor of a token that is used again is there already (provider/refresh-overlap.ts).
      if (model === refreshToken && transactions.current()?.answered) return
      await db.count(upsertModel, {
        model,
        id_hash: hashOf(model, id),
        payload: json(stored(id, payload)),
        grant_id: payload.grantId ?? (model === 'Grant' ? id : null),
        uid: uidOf(model, payload),
        client_id: payload.clientId ?? payload.client_id ?? null,
        account_id: payload.accountId ?? null,
        expires_in_s: expiresIn ?? null,
      })
    },
    async find(id) {
      const row = await db.maybe(findModel, { model, id_hash: hashOf(model, id) })
      if (row?.consumed == null || model !== refreshToken) return row && restored(id, row)
      // The library ends the consent of a token that it reads as consumed.
      const answer = await db.maybe(findRefreshAnswer, { id_hash: hashSecret(id) })
      return restored(id, answer ? { payload: row.payload } : row)
    },
    async findByUid(uid) {
      const row = await db.maybe(findSessionByUid, { uid })
      // Only its browser knows its id. Callers with the uid check whether it exists.
      return row && restored('', row)
    },
    async findByUserCode(userCode) {
      const row = await db.maybe(findDeviceCodeByUserCode, { uid: userCodeHash(userCode) })
      return row && { ...restored(byHash + row.id_hash.toString('hex'), row), userCode }
    },
    async consume(id) {
      const hash = hashSecret(id)
      if (await transactions.consume({ model, hash }).catch(translate)) return
      const row = await db.maybe(findGrantOfConsumed, { model, id_hash: hash })
      if (row?.grant_id) await revokeByGrantId(row.grant_id)
      throw alreadyUsed()
    },
    async destroy(id) {
      await db.run(deleteModel, { model, id_hash: hashSecret(id) })
      if (model === 'Grant') await revokeByGrantId(id)
    },
  })
}

/** The library gets database outages as its own error. */
function errorTranslation({ unavailable }: AdapterParts) {
  return (error: unknown): never => {
    throw isDatabaseOutage(error) ? unavailable(error) : error
  }
}

function translating(sql: Queries, translate: (error: unknown) => never): Queries {
  return {
    run: (statement, ...params) => sql.run(statement, ...params).catch(translate),
    maybe: (statement, ...params) => sql.maybe(statement, ...params).catch(translate),
    count: (statement, ...params) => sql.count(statement, ...params).catch(translate),
  }
}
