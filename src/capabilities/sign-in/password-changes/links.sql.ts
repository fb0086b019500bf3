// SQL of mailed links and codes.
import { statement } from '../../../db/statement.ts'

export const insertReset = statement(
  'password_links_insert_reset',
  `insert into password_links (id, kind, email, created_at, expires_at, address)
   values (:id, 'reset', :email, :created_at, :expires_at, :address)`,
)

export const insertSetup = statement(
  'password_links_insert_setup',
  `insert into password_links
     (id, kind, email, customer_id, token_hash, created_at, expires_at, answered_at)
   values (:id, 'setup', :email, :customer_id, :token_hash, :now, :expires_at, :now)`,
)

/** Wakes the job when the transaction commits. */
export const notifyLinks = statement(
  'password_links_notify',
  `select pg_notify('password_links', '') as notified`,
)

/** The request, if it is unanswered; locked until the transaction ends. */
export const openRequest = statement(
  'password_links_open_request',
  `select l.id, l.address, c.id as customer_id,
          exists (select from sign_in_networks s
                   where s.customer_id = c.id and s.address = l.address) as is_known
     from password_links l
     left join customers c
       on lower(c.email collate "C") = l.email and c.status <> 'closed'
    where l.id = :id and l.answered_at is null
      for no key update of l`,
  { not_null: ['id', 'is_known'] },
)

/** Links the request to the account that has the address. */
export const answerRequest = statement(
  'password_links_answer',
  `update password_links
      set customer_id = :customer_id, token_hash = :token_hash, code_mac = :code_mac,
          answered_at = :answered_at
    where id = :id`,
)

/** Ends a request without a mail, since no account has the address, or it got too many mails. */
export const closeRequest = statement(
  'password_links_close',
  'update password_links set answered_at = :answered_at where id = :id',
)

/**
 * Counts an attempt with the code, from `address`, before it is checked. Returns no row if there is
 * no such request, it has expired, or it had too many attempts.
 */
export const tryCode = statement(
  'password_links_try',
  `update password_links
      set tries = tries + 1
    where id = :id and kind = 'reset' and used_at is null and expires_at > :now and tries < 5
   returning id, email, code_mac,
     exists (select from sign_in_networks s
              where s.customer_id = password_links.customer_id
                and s.address = :address) as is_known`,
  { not_null: ['is_known'] },
)

/** Takes back the count of an attempt whose code was right. */
export const uncountAttempt = statement(
  'password_links_uncount_attempt',
  'update password_links set tries = tries - 1 where id = :id and tries > 0',
)

export const linkOfHash = statement(
  'password_links_of_hash',
  `select l.id, l.kind, l.email, l.expires_at,
          exists (select from passwords p where p.customer_id = c.id)
          or exists (select from sessions s
                      where s.customer_id = c.id and s.ended_at is null and s.expires_at > :now)
            as logs_out
     from password_links l join customers c on c.id = l.customer_id
    where l.token_hash = :token_hash and l.used_at is null and l.expires_at > :now
      and lower(c.email collate "C") = l.email and c.status <> 'closed'`,
  { not_null: ['logs_out'] },
)

/** Consumes a link. Returns no row if it was used, has expired, or is for another address. */
export const useLink = statement(
  'password_links_use',
  `update password_links l set used_at = :now
     from customers c
    where l.id = :id and l.used_at is null and l.expires_at > :now and c.id = l.customer_id
      and lower(c.email collate "C") = l.email and c.status <> 'closed'
   returning l.kind, c.id as customer_id`,
)

/** Invalidates the customer's unused links; of one kind only, unless null. */
export const endLinks = statement(
  'password_links_end',
  `update password_links set expires_at = least(expires_at, :now)
    where customer_id = :customer_id and used_at is null
      and (:kind::text is null or kind = :kind::text)`,
  { nullable: ['kind'] },
)
