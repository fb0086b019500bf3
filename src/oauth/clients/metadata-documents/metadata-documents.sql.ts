// SQL of cached client metadata documents.
import { statement } from '../../../db/statement.ts'

/** Finds a document that may still be used, because it was fresh until after `fresh_after`. */
export const findDocument = statement(
  'oauth_documents_read',
  `select fields, etag, read_at, fresh_until from oauth_documents
    where client_id = :client_id and fresh_until > :fresh_after`,
)

/** Stores a document. A later one, of another node, stays. */
export const upsertDocument = statement(
  'oauth_documents_keep',
  `insert into oauth_documents as kept (client_id, fields, etag, read_at, fresh_until)
   values (:client_id, :fields, :etag, :read_at, :fresh_until)
   on conflict (client_id) do update
      set fields = excluded.fields, etag = excluded.etag, read_at = excluded.read_at,
          fresh_until = excluded.fresh_until
    where kept.read_at <= excluded.read_at`,
  { nullable: ['etag'] },
)

/** Deletes a document, unless it was fetched again after `read_at`. */
export const deleteDocument = statement(
  'oauth_documents_remove',
  'delete from oauth_documents where client_id = :client_id and read_at <= :read_at',
)

/** Whether this client has an active grant. */
export const hasActiveGrant = statement(
  'oauth_grants_of_client_exist',
  `select exists (
     select from oauth_grants where client_id = :client_id and revoked_at is null) as consented`,
  { not_null: ['consented'] },
)

/**
 * Deletes documents that were last fresh before `before`, and the oldest beyond `keep` of clients
 * without a grant; at most `limit`.
 */
export const purgeDocuments = statement(
  'oauth_documents_purge',
  `delete from oauth_documents
    where client_id in (
      select client_id from oauth_documents where fresh_until <= :before
      union
      select client_id
        from (select d.client_id, row_number() over (order by d.read_at desc) as place
                from oauth_documents d
               where not exists (select from oauth_grants g
                                  where g.client_id = d.client_id and g.revoked_at is null)
             ) as unused
       where place > :keep::int
       limit :limit::int)`,
)
