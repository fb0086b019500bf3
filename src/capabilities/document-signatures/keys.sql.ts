// SQL of the keys that sign documents.
import { statement } from '../../db/statement.ts'

export const documentKeys = statement(
  'document_keys_published',
  `select kid, public_jwk, sealed, created_at from document_keys
    where withdrawn_at is null order by created_at desc, kid desc limit 100`,
)

/** Serializes the creation of keys until the transaction ends. */
export const lockDocumentKeys = statement(
  'document_keys_lock',
  `select pg_advisory_xact_lock(hashtextextended('document_keys', 0)) as locked`,
)

export const insertDocumentKey = statement(
  'document_keys_insert',
  `insert into document_keys (kid, public_jwk, sealed)
   values (:kid, :public_jwk, :sealed)`,
)

/** Ends signing by all keys; their public halves stay. */
export const retireDocumentKeys = statement(
  'document_keys_retire',
  'update document_keys set sealed = null where sealed is not null',
)

/** Withdraws the keys after a theft, so that nothing that they signed is valid any longer. */
export const withdrawDocumentKeys = statement(
  'document_keys_withdraw',
  `update document_keys set sealed = null, withdrawn_at = clock_timestamp()
    where withdrawn_at is null`,
)
