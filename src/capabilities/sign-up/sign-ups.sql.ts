// SQL of sign-ups.
import { statement } from '../../db/statement.ts'

export const insertSignUp = statement(
  'sign_ups_insert',
  `insert into sign_ups
     (id, email, name, company_name, password_hash, terms_version, address, agent, created_at,
      expires_at)
   values (:id, :email, :name, :company_name, :password_hash, :terms_version, :address, :agent,
           :created_at, :expires_at)`,
  { nullable: ['company_name', 'terms_version'] },
)

/** Wakes the job when the transaction commits. */
export const notifySignUps = statement(
  'sign_ups_notify',
  `select pg_notify('sign_ups', '') as notified`,
)

/** The address of a sign-up that was begun after `since` and not verified. */
export const openSignUp = statement(
  'sign_ups_open',
  `select email from sign_ups where id = :id and used_at is null and created_at > :since`,
)

/** Requests another mail; its trigger enqueues the task. */
export const requestAnotherMail = statement(
  'sign_ups_request_another_mail',
  `update sign_ups set answered_at = null, expires_at = :expires_at, address = :address
    where id = :id and used_at is null`,
)

/**
 * A request that is unanswered, with the account that has its address; locked until the transaction
 * ends.
 */
export const unansweredSignUp = statement(
  'sign_ups_unanswered',
  `select s.id, s.email, s.address, s.expires_at, c.id as customer_id
     from sign_ups s
     left join customers c
       on lower(c.email collate "C") = lower(s.email collate "C") and c.status <> 'closed'
    where s.id = :id and s.answered_at is null
      for no key update of s`,
  { not_null: ['id', 'email', 'address', 'expires_at'] },
)

/**
 * Replaces code and link. Both are null if an account has the address, so that no code verifies it.
 */
export const answerSignUp = statement(
  'sign_ups_answer',
  `update sign_ups
      set token_hash = :token_hash, code_mac = :code_mac, code_expires_at = expires_at, tries = 0,
          answered_at = :answered_at
    where id = :id`,
  { nullable: ['token_hash', 'code_mac'] },
)

/**
 * Ends a request without a mail, since the address got too many. An earlier code stays as it is.
 */
export const closeSignUpRequest = statement(
  'sign_ups_close_request',
  'update sign_ups set answered_at = :answered_at where id = :id',
)

/**
 * Counts an attempt with the code before it is checked. Returns no row if there is no such sign-up,
 * it has expired, or it had too many attempts. A verified one stays, for a caller whose response
 * was lost.
 */
export const trySignUpCode = statement(
  'sign_ups_try',
  `update sign_ups set tries = tries + 1
    where id = :id and code_expires_at > :now and tries < 5
   returning id, email, code_mac, used_at`,
)

/** Takes back the count of the attempt. */
export const uncountSignUpAttempt = statement(
  'sign_ups_uncount_attempt',
  'update sign_ups set tries = tries - 1 where id = :id and tries > 0',
)

export const signUpOfToken = statement(
  'sign_ups_of_token',
  `select id, email, address, agent, created_at, used_at
     from sign_ups where token_hash = :token_hash and code_expires_at > :now`,
)

/** Consumes a sign-up. Returns no row if it was verified already. */
export const useSignUp = statement(
  'sign_ups_use',
  `with taken as (
     select id, password_hash from sign_ups
      where id = :id and used_at is null
        for update
   )
   update sign_ups s set used_at = :used_at, password_hash = null
     from taken where s.id = taken.id
   returning s.email, s.name, s.company_name, s.terms_version, taken.password_hash`,
)

export const insertAcceptance = statement(
  'terms_acceptances_insert',
  `insert into terms_acceptances (customer_id, version, accepted_at)
   values (:customer_id, :version, :accepted_at)`,
)
