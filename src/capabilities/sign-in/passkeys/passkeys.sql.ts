// SQL of passkeys (WebAuthn credentials) and of the challenges that are open.
import { statement } from '../../../db/statement.ts'

/** A new challenge of the same session or browser takes the place of the one before. */
export const putChallenge = statement(
  'passkey_challenges_put',
  `insert into passkey_challenges (binding, challenge, expires_at)
   values (:binding, :challenge, :expires_at)
   on conflict (binding) do update
     set challenge = excluded.challenge, expires_at = excluded.expires_at`,
)

/** Consumes a challenge, so that each is answered once. */
export const takeChallenge = statement(
  'passkey_challenges_take',
  `delete from passkey_challenges where binding = :binding
   returning challenge, expires_at > :now as is_open`,
  { not_null: ['is_open'] },
)

/** Returns no row if the credential is registered already, or the account has too many. */
export const insertPasskey = statement(
  'passkeys_insert',
  `with owner as (
     select id from customers where id = :customer_id for no key update
   )
   insert into passkeys (customer_id, credential_id, public_key, sign_count, transports, name,
     backed_up, created_at)
   select id, :credential_id, :public_key, :sign_count, :transports, :name, :backed_up, :now
     from owner
    where (select count(*) from passkeys where customer_id = :customer_id) < :most::int
   on conflict (credential_id) do nothing
   returning id`,
)

export const passkeysOf = statement(
  'passkeys_of_customer',
  `select id, credential_id, transports, name, backed_up, created_at, last_used_at
     from passkeys where customer_id = :customer_id order by id desc`,
)

export const passkeyOfCredential = statement(
  'passkeys_of_credential',
  `select p.id, p.customer_id, p.public_key, p.sign_count, c.status = 'suspended' as suspended
     from passkeys p join customers c on c.id = p.customer_id
    where p.credential_id = :credential_id and c.status <> 'closed'`,
  { not_null: ['suspended'] },
)

/**
 * Returns no row if it was removed meanwhile, or the signature counter has not grown (WebAuthn
 * section 6.1.1; authenticators without a counter send 0).
 */
export const usePasskey = statement(
  'passkeys_use',
  `update passkeys
      set sign_count = :sign_count, backed_up = :backed_up, last_used_at = :now
    where id = :id and (sign_count < :sign_count or (sign_count = 0 and :sign_count::bigint = 0))
   returning id`,
)

export const deletePasskey = statement(
  'passkeys_delete',
  'delete from passkeys where customer_id = :customer_id and id = :id returning name',
)
