// SQL of log-ins through identity providers, and of the identities that are linked to accounts.
import { type Row, statement } from '../../db/statement.ts'

export const insertLogIn = statement(
  'sso_log_ins_insert',
  `insert into sso_log_ins
     (id, provider, state_hash, browser_hash, sealed, return_to, confirms_customer_id, created_at,
      expires_at)
   values (:id, :provider, :state_hash, :browser_hash, :sealed, :return_to,
           :confirms_customer_id, :now, :expires_at)`,
  { nullable: ['return_to', 'confirms_customer_id'] },
)

/**
 * Consumes a state. Returns no row if it is unknown, used, expired, or of another provider or
 * browser.
 */
export const useState = statement(
  'sso_log_ins_use_state',
  `update sso_log_ins set answered_at = :now
    where state_hash = :state_hash and provider = :provider and browser_hash = :browser_hash
      and answered_at is null and expires_at > :now
   returning id, sealed, return_to`,
)

export const putTicket = statement(
  'sso_log_ins_put_ticket',
  `update sso_log_ins
      set issuer = :issuer, subject = :subject, email = :email, name = :name,
          ticket_hash = :ticket_hash, ticket_expires_at = :ticket_expires_at
    where id = :id`,
  { nullable: ['email', 'name'] },
)

/** Consumes a ticket. Returns no row if it is unknown, used, expired, or of another browser. */
export const useTicket = statement(
  'sso_log_ins_use_ticket',
  `update sso_log_ins set ticket_used_at = :now
    where ticket_hash = :ticket_hash and browser_hash = :browser_hash
      and ticket_used_at is null and ticket_expires_at > :now
   returning id, provider, issuer, subject, email, name, confirms_customer_id`,
  { not_null: ['issuer', 'subject'] },
)
export type ProvenIdentity = Row<'sso_log_ins_use_ticket'>

/** The account that an unused ticket's identity logs in to, or no row if there is none so far. */
export const accountOfTicket = statement(
  'sso_log_ins_account_of_ticket',
  `select i.customer_id
     from sso_log_ins l join sso_identities i on i.issuer = l.issuer and i.subject = l.subject
    where l.ticket_hash = :ticket_hash and l.ticket_used_at is null`,
)

/** The account that has an address, also a closed one. */
export const accountWithEmail = statement(
  'sso_account_with_email',
  `select c.id, c.status = 'closed' as closed,
          exists (select from passwords p where p.customer_id = c.id) as has_password
     from customers c where lower(c.email collate "C") = lower(:email collate "C")`,
  { not_null: ['closed', 'has_password'] },
)

export const openLinking = statement(
  'sso_log_ins_open_link',
  `update sso_log_ins
      set customer_id = :customer_id, link_hash = :link_hash, link_expires_at = :link_expires_at
    where id = :id`,
)

/**
 * The account as it is now. There is no row if the ticket is unknown, used, expired or of another
 * browser, or the account is closed.
 */
export const linkOfTicket = statement(
  'sso_log_ins_of_link',
  `select l.id, l.provider, l.issuer, l.subject, l.email as identity_email, l.customer_id,
          l.code_mac, l.link_expires_at, c.email, c.status = 'suspended' as suspended
     from sso_log_ins l join customers c on c.id = l.customer_id
    where l.link_hash = :link_hash and l.browser_hash = :browser_hash and l.linked_at is null
      and l.link_expires_at > :now and c.status <> 'closed'`,
  {
    not_null: ['issuer', 'subject', 'customer_id', 'email', 'suspended', 'link_expires_at'],
  },
)
export type OpenLink = Row<'sso_log_ins_of_link'>

/** Another code replaces the one before; attempts with wrong codes are counted together. */
export const putLinkCode = statement(
  'sso_log_ins_put_code',
  `update sso_log_ins set code_mac = :code_mac, code_expires_at = :code_expires_at
    where id = :id`,
)

/**
 * Counts an attempt before it is checked. Returns no row if there is no valid code, or after too
 * many attempts.
 */
export const tryLinkCode = statement(
  'sso_log_ins_try_code',
  `update sso_log_ins set tries = tries + 1
    where id = :id and code_expires_at > :now and tries < 5
   returning code_mac`,
)

/** Takes back the count of the attempt. */
export const uncountLinkAttempt = statement(
  'sso_log_ins_uncount_attempt',
  'update sso_log_ins set tries = tries - 1 where id = :id and tries > 0',
)

/** Returns no row if it was used meanwhile. */
export const useLinking = statement(
  'sso_log_ins_use_link',
  `update sso_log_ins set linked_at = :now where id = :id and linked_at is null returning id`,
)

/** The account that the identity logs in to. */
export const accountOfIdentity = statement(
  'sso_identities_account',
  `select i.id, i.customer_id, c.status = 'suspended' as suspended, c.status = 'closed' as closed
     from sso_identities i join customers c on c.id = i.customer_id
    where i.issuer = :issuer and i.subject = :subject`,
  { not_null: ['suspended', 'closed'] },
)

/** Returns no row if it is linked already, or the account has too many. */
export const insertIdentity = statement(
  'sso_identities_insert',
  `with owner as (
     select id from customers where id = :customer_id for no key update
   )
   insert into sso_identities
     (customer_id, provider, issuer, subject, email, created_at, last_used_at)
   select id, :provider, :issuer, :subject, :email, :now, :now
     from owner
    where (select count(*) from sso_identities where customer_id = :customer_id) < :most::int
   on conflict (issuer, subject) do nothing
   returning id`,
  { nullable: ['email'] },
)

/** Returns no row if it was removed meanwhile. */
export const noteIdentityUse = statement(
  'sso_identities_use',
  'update sso_identities set last_used_at = :now where id = :id returning id',
)

export const identitiesOf = statement(
  'sso_identities_of_customer',
  `select id, provider, issuer, email, created_at, last_used_at
     from sso_identities where customer_id = :customer_id order by id desc`,
)

export const deleteIdentity = statement(
  'sso_identities_delete',
  `delete from sso_identities where customer_id = :customer_id and id = :id
   returning provider, issuer`,
)
