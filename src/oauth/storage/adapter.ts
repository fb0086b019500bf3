// The adapter of oidc-provider on PostgreSQL. Ids of tokens, codes, sessions and interactions are
// what their holders show, so the database has their SHA-256 and a payload without them.
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import { CommitUnknown, DatabaseUnavailable } from '../../db/database.ts'
import { json } from '../../db/statement.ts'
import { hashSecret } from '../../kit/secret.ts'
import {
  destroyModel,
  destroyModelsOfGrant,
  endGrant,
  grantOfModel,
  modelOfId,
  putModel,
  sessionOfUid,
} from './models.sql.ts'
import type { Door, Redemptions } from './redemption-transaction.ts'

export type AdapterParts = {
  redemptions: Pick<Redemptions, 'door' | 'consume'>
  /** What the library answers where a code or a token was used already (invalid_grant). */
  usedAlready: () => Error
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
  const { usedAlready, redemptions } = parts
  const tell = telling(parts)
  const db = outspoken(redemptions.door, tell)

  async function revokeByGrantId(grantId: string): Promise<void> {
    await db.count(endGrant, [grantId])
    await db.count(destroyModelsOfGrant, [grantId])
  }

  return (model): Adapter => ({
    revokeByGrantId,
    async upsert(id, payload, expiresIn) {
      await db.count(putModel, [
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
      const row = await db.maybe(modelOfId, [model, hashSecret(id)])
      return row && restored(id, row)
    },
    async findByUid(uid) {
      const row = await db.maybe(sessionOfUid, [uid])
      // Its id is known to its browser alone. Who asks by the uid looks whether it is there.
      return row && restored('', row)
    },
    // The device flow alone has user codes, and it is off.
    async findByUserCode() {
      return undefined
    },
    async consume(id) {
      const hash = hashSecret(id)
      if (await redemptions.consume({ model, hash }).catch(tell)) return
      const row = await db.maybe(grantOfModel, [model, hash])
      if (row?.grant_id) await revokeByGrantId(row.grant_id)
      throw usedAlready()
    },
    async destroy(id) {
      await db.run(destroyModel, [model, hashSecret(id)])
      if (model === 'Grant') await revokeByGrantId(id)
    },
  })
}

/** Where the database is away, the library hears of it in its own words. */
function telling({ unavailable }: AdapterParts) {
  return (error: unknown): never => {
    const away = error instanceof DatabaseUnavailable || error instanceof CommitUnknown
    throw away ? unavailable(error) : error
  }
}

function outspoken(door: Door, tell: (error: unknown) => never): Door {
  return {
    run: (statement, params) => door.run(statement, params).catch(tell),
    maybe: (statement, params) => door.maybe(statement, params).catch(tell),
    count: (statement, params) => door.count(statement, params).catch(tell),
  }
}
