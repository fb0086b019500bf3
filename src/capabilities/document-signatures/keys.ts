// Keys that sign documents: one signs for all nodes, and its private half is stored encrypted. The
// public half stays published when a newer one signs, as documents are kept for years.
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { exportJWK } from 'jose'
import type { App } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import { databaseTime } from '../../db/server.sql.ts'
import { json } from '../../db/statement.ts'
import { newId } from '../../kit/random.ts'
import { storeAuditRow, systemAuditRow } from '../audit/index.ts'
import {
  documentKeys,
  insertDocumentKey,
  lockDocumentKeys,
  retireDocumentKeys,
  withdrawDocumentKeys,
} from './keys.sql.ts'

export type DocumentKeyParts = Pick<App, 'db' | 'encryption'>
/** `jwk` is the private key as JSON. */
type SigningKey = { kid: string; jwk: string }

const newPair = promisify(generateKeyPair)

/** The key that signs now; the first of all nodes makes it. */
export async function signingKey(parts: DocumentKeyParts): Promise<SigningKey> {
  const found = await readSigningKey(parts, parts.db)
  if (found) return found
  return parts.db.transaction(async (sql) => {
    await sql.one(lockDocumentKeys)
    return (await readSigningKey(parts, sql)) ?? makeKey(parts, sql)
  })
}

/** A key that was sealed with another ENCRYPTION_KEY is passed over: this node cannot use it. */
async function readSigningKey(
  { encryption }: DocumentKeyParts,
  sql: Sql,
): Promise<SigningKey | undefined> {
  for (const { kid, sealed } of await sql.run(documentKeys)) {
    const jwk = sealed === null ? undefined : encryption.unseal(sealed)
    if (jwk !== undefined) return { kid, jwk }
  }
  return undefined
}

async function makeKey({ encryption }: DocumentKeyParts, sql: Sql): Promise<SigningKey> {
  const { privateKey, publicKey } = await newPair('ec', { namedCurve: 'P-256' })
  const kid = newId('dok')
  const { kty, crv, x, y } = await exportJWK(publicKey)
  const jwk = JSON.stringify(await exportJWK(privateKey))
  await sql.run(insertDocumentKey, {
    kid,
    public_jwk: json({ kty, crv, x, y }),
    sealed: encryption.seal(jwk),
  })
  return { kid, jwk }
}

/**
 * The command rotate-document-keys. With `stolen`, all keys so far are withdrawn, and documents
 * that they signed are no longer valid; a receipt is then read again. It needs no restart.
 */
export async function rotateDocumentKeysCommand(
  parts: DocumentKeyParts,
  { stolen }: { stolen: boolean },
): Promise<string[]> {
  const { kid } = await parts.db.transaction(async (sql) => {
    await sql.one(lockDocumentKeys)
    await sql.run(stolen ? withdrawDocumentKeys : retireDocumentKeys)
    const action = 'rotate_document_keys'
    const made = await makeKey(parts, sql)
    await storeAuditRow(
      sql,
      systemAuditRow(
        { action, agent_identifier: `agent-registrar/${action}`, now: await databaseTime(sql) },
        { target_type: 'document_keys', target: made.kid, metadata: { stolen } },
      ),
    )
    return made
  })
  return [
    `Key ${kid} signs quotes and receipts from now on. It is published at /v1/document-keys.`,
    stolen
      ? 'All earlier keys are withdrawn: what they signed is no longer valid.'
      : 'Earlier keys stay published, so what they signed stays valid.',
  ]
}
