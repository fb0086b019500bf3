// The adapter of oidc-provider on PostgreSQL. Ids of tokens, codes, sessions and interactions are
// what their holders show, so the database has their SHA-256 and a payload without them.
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import { CommitUnknown, DatabaseUnavailable } from '../../db/database.ts'
import { json } from '../../db/statement.ts'
import { hashSecret } from '../../kit/secret.ts'
import {
  deleteModel,
  deleteModelsOfGrant,
  findGrantOfConsumed,
  findModel,
  findSessionByUid,
  revokeGrantById,
  upsertModel,
} from './models.sql.ts'
import type { Queries, RedemptionTransactions } from './redemption-transaction.ts'

export type AdapterParts = {
  transactions: Pick<RedemptionTransactions, 'sql' | 'consume'>
  /** What the library answers where a code or a token was used already (invalid_grant). */
  alreadyUsed: () => Error
  /** What it answers while the database cannot be reached (temporarily_unavailable). */
  unavailable: (cause: DatabaseUnavailable | CommitUnknown) => Error
}

/** What may be stored of a payload. */
function stored(id: string, payload: AdapterPayload): AdapterPayload {
  const { jti: _id, consumed: _moment, ...rest } = payload
  // An interaction knows its own id by the way back, and the session's by its cookie.
  if (rest.kind === 'Interaction') {
    if (rest.returnTo?.endsWith(id)) rest.returnTo = rest.returnTo.slice(0, -id.length)
    if (rest.session) rest.session = { ...rest.session, cookie: undefined }
  }
  return rest
}

type Found = { payload: unknown; consumed?: bigint | null }

function restored(id: string, found: Found): AdapterPayload {
  const payload: AdapterPayload = { ...Object(found.payload) }
  if (payload.kind !== undefined) payload.jti = id
  if (payload.kind === 'Interaction' && payload.returnTo !== undefined) payload.returnTo += id
  return found.consumed == null ? payload : { ...payload, consumed: Number(found.consumed) }
}

/**
 * One adapter for each model. `consume` lets one of many through and ends the consent for the
 * others, as a code or a token that is used twice was seen by somebody else (RFC 6749 section 10.5,
 * RFC 9700 section 4.14).
 */
export function adapterOver(parts: AdapterParts): AdapterFactory {
  const { alreadyUsed, transactions } = parts
  const translate = databaseErrors(parts)
  const db = translated(transactions.sql, translate)

  async function revokeByGrantId(grantId: string): Promise<void> {
    await db.count(revokeGrantById, [grantId])
    await db.count(deleteModelsOfGrant, [grantId])
  }

  return (model): Adapter => ({
    revokeByGrantId,
    async upsert(id, payload, expiresIn) {
      await db.count(upsertModel, [
        model,
        hashSecret(id),
        json(stored(id, payload)),
        payload.grantId ?? (model === 'Grant' ? id : null),
        model === 'Session' ? (payload.uid ?? null) : null,
        payload.clientId ?? payload.client_id ?? null,
        payload.accountId ?? null,
        expiresIn ?? null,
      ])
    },
    async find(id) {
      const row = await db.maybe(findModel, [model, hashSecret(id)])
      return row && restored(id, row)
    },
    async findByUid(uid) {
      const row = await db.maybe(findSessionByUid, [uid])
      // Its id is known to its browser alone. Who asks by the uid looks whether it is there.
      return row && restored('', row)
    },
    // The device flow alone has user codes, and it is off.
    async findByUserCode() {
      return undefined
    },
    async consume(id) {
      const hash = hashSecret(id)
      if (await transactions.consume({ model, hash }).catch(translate)) return
      const row = await db.maybe(findGrantOfConsumed, [model, hash])
      if (row?.grant_id) await revokeByGrantId(row.grant_id)
      throw alreadyUsed()
    },
    async destroy(id) {
      await db.run(deleteModel, [model, hashSecret(id)])
      if (model === 'Grant') await revokeByGrantId(id)
    },
  })
}

/** Where the database is away, the library hears of it in its own words. */
function databaseErrors({ unavailable }: AdapterParts) {
  return (error: unknown): never => {
    const away = error instanceof DatabaseUnavailable || error instanceof CommitUnknown
    throw away ? unavailable(error) : error
  }
}

function translated(sql: Queries, translate: (error: unknown) => never): Queries {
  return {
    run: (statement, params) => sql.run(statement, params).catch(translate),
    maybe: (statement, params) => sql.maybe(statement, params).catch(translate),
    count: (statement, params) => sql.count(statement, params).catch(translate),
  }
}
