// SQL of approvals.
import { type Row, statement } from '../../db/statement.ts'

const columns = `a.id, a.customer_id, a.api_key_id, a.oauth_grant_id, a.asked_by,
  a.agent_identifier, a.action, a.domain, a.reason, a.digest, a.request, a.amount, a.currency,
  case when a.ended_at is null and a.expires_at <= clock_timestamp() then 'expired'
       else a.state end as state,
  a.created_at, a.expires_at, a.decided_at, a.note, a.ended_at, a.error_code, a.error_detail,
  a.order_id, o.state as order_state`
const from = 'approvals a left join orders o on o.id = a.order_id'
const asker = `a.api_key_id is not distinct from :api_key_id
  and a.oauth_grant_id is not distinct from :oauth_grant_id`
/** Columns that are never null, which the join hides. */
const present = [
  ...['id', 'customer_id', 'asked_by', 'agent_identifier', 'action', 'domain', 'reason'],
  ...['digest', 'request', 'state', 'created_at', 'expires_at'],
] as const
const askers = ['api_key_id', 'oauth_grant_id'] as const

export const insertApproval = statement(
  'approvals_insert',
  `insert into approvals
     (id, customer_id, api_key_id, oauth_grant_id, counted_for, asked_by, agent_identifier, action,
      domain, reason, request_digest, digest, request, input, amount, currency, created_at,
      expires_at)
   values (:id, :customer_id, :api_key_id, :oauth_grant_id, :counted_for, :asked_by,
           :agent_identifier, :action, :domain, :reason, :request_digest, :digest, :request,
           :input, :amount, :currency, :created_at, :expires_at)`,
  { nullable: [...askers, 'amount', 'currency'] },
)

const ended = "state = 'expired', ended_at = clock_timestamp(), input = null"

/** Ends the expired approvals of one customer. */
export const expireOfCustomer = statement(
  'approvals_expire_of_customer',
  `update approvals set ${ended}
    where customer_id = :customer_id and ended_at is null and expires_at <= statement_timestamp()`,
)

/** Ends up to `limit` expired approvals. */
export const expireApprovals = statement(
  'approvals_expire',
  `update approvals set ${ended}
    where id = any (array(
      select id from approvals where ended_at is null and expires_at <= statement_timestamp()
       order by expires_at limit :limit::integer for update skip locked))`,
)

/** The newest approval of the same request. */
export const newestApproval = statement(
  'approvals_newest',
  `select ${columns} from ${from}
    where a.customer_id = :customer_id and a.request_digest = :request_digest and ${asker}
    order by a.id desc limit 1`,
  { not_null: present, nullable: askers },
)

/** Counts the open approvals, up to `most`. */
export const countOpenApprovals = statement(
  'approvals_count_open',
  `select (select count(*) from (
             select from approvals where api_key_id = :api_key_id and ended_at is null
              limit :most::integer) k)
        + (select count(*) from (
             select from approvals where oauth_grant_id = :oauth_grant_id and ended_at is null
              limit :most::integer) g) as open`,
  { not_null: ['open'], nullable: askers },
)

/**
 * Counts the approvals since a moment, up to `most`, of all keys under the same first one, or of
 * the same app.
 */
export const requestsOfDay = statement(
  'approvals_of_day',
  `select c.counted_for,
          (select count(*) from (
             select from approvals a
              where a.customer_id = :customer_id and a.counted_for = c.counted_for
                and a.created_at >= :since
              limit :most::integer) d) as asked
     from (select coalesce('app:' || (
                    select g.client_id from oauth_grants g
                     where g.id = coalesce(:oauth_grant_id, (
                       select k.oauth_grant_id from api_keys k where k.id = :api_key_id))),
                    'key:' || (select coalesce(k.ancestors[1], k.id) from api_keys k
                                where k.id = :api_key_id)) as counted_for) c`,
  { not_null: ['counted_for', 'asked'], nullable: askers },
)

export const approvalOfCustomer = statement(
  'approvals_of_id',
  `select ${columns} from ${from} where a.id = :id and a.customer_id = :customer_id`,
  { not_null: present },
)
export type ApprovalRow = Row<'approvals_of_id'>

const isOpen = 'a.ended_at is null and a.expires_at > clock_timestamp()'
const page = `(:before::text is null or a.id < :before) order by a.id desc limit :limit::integer`
const options = { not_null: present, nullable: ['before'] } as const

/** The approvals of the account, newest first. */
export const listOfApprovals = statement(
  'approvals_list',
  `select ${columns} from ${from} where a.customer_id = :customer_id and ${page}`,
  options,
)
export const listOfOpenApprovals = statement(
  'approvals_list_open',
  `select ${columns} from ${from} where a.customer_id = :customer_id and ${isOpen} and ${page}`,
  options,
)

/** The approvals that a key asked for. */
export const listOfKeyApprovals = statement(
  'approvals_list_of_key',
  `select ${columns} from ${from} where a.api_key_id = :api_key_id and ${page}`,
  options,
)
export const listOfOpenKeyApprovals = statement(
  'approvals_list_open_of_key',
  `select ${columns} from ${from} where a.api_key_id = :api_key_id and ${isOpen} and ${page}`,
  options,
)

/** The approvals that an app asked for. */
export const listOfGrantApprovals = statement(
  'approvals_list_of_grant',
  `select ${columns} from ${from} where a.oauth_grant_id = :oauth_grant_id and ${page}`,
  options,
)
export const listOfOpenGrantApprovals = statement(
  'approvals_list_open_of_grant',
  `select ${columns} from ${from}
    where a.oauth_grant_id = :oauth_grant_id and ${isOpen} and ${page}`,
  options,
)

/** The amount, set by the owner, above which approving needs a fresh log-in. */
export const freshLogInRule = statement(
  'approvals_fresh_log_in',
  `select fresh_log_in_amount as amount, fresh_log_in_currency as currency
     from customers where id = :customer_id`,
)
export type FreshLogInRule = Row<'approvals_fresh_log_in'>

export const putFreshLogInRule = statement(
  'approvals_put_fresh_log_in',
  `update customers set fresh_log_in_amount = :amount, fresh_log_in_currency = :currency,
          updated_at = :updated_at
    where id = :customer_id`,
  { nullable: ['amount', 'currency'] },
)

/** Changes nothing if another decision, or the end of the approval, was faster. */
export const decideApproval = statement(
  'approvals_decide',
  `update approvals
      set state = :state, decided_at = :decided_at, note = :note,
          ended_at = case when :state = 'declined' then :decided_at::timestamptz end,
          input = case when :state = 'declined' then null else input end
    where id = :id and customer_id = :customer_id and state = 'pending'
      and expires_at > clock_timestamp()`,
  { nullable: ['note'] },
)

/**
 * Uses the approved one of the same request, whose caller repeats it. Returns no row if there is
 * none.
 */
export const takeApproved = statement(
  'approvals_take',
  `update approvals a set state = 'executed', ended_at = clock_timestamp(), input = null
    where a.customer_id = :customer_id and a.request_digest = :digest and a.digest = :digest
      and a.state = 'approved' and a.expires_at > clock_timestamp() and ${asker}`,
  { nullable: askers },
)

/** Ends an open approval. */
export const endApproval = statement(
  'approvals_end',
  `update approvals
      set state = :state, ended_at = clock_timestamp(), input = null, error_code = :error_code,
          error_detail = :error_detail
    where id = :id and ended_at is null`,
  { nullable: ['error_code', 'error_detail'] },
)

/**
 * Voids the approved changes of a domain that wait for its registry, if a newer request has now
 * changed the same parts. A request is newer if it was approved later (`approval_id`) or, without
 * an approval, if it came later (`asked_at`).
 */
export const voidOlderChanges = statement(
  'approvals_void_older_changes',
  `update approvals
      set state = 'voided', ended_at = clock_timestamp(), input = null,
          error_code = 'request_changed'
    where customer_id = :customer_id and domain = :domain and ended_at is null
      and state = 'approved' and amount is null
      and decided_at < coalesce((select newer.decided_at from approvals newer
                                  where newer.id = :approval_id::text), :asked_at)
      and (:lock::boolean and action = 'unlock_domain'
           or action = 'update_domain'
              and (:nameservers::boolean and request ? 'nameservers'
                   or :auto_renew::boolean and request ? 'auto_renew'))`,
  { nullable: ['approval_id'] },
)

/** The approval, if it is approved and has neither ended nor expired. */
export const approvedById = statement(
  'approvals_approved',
  `select id from approvals
    where id = :id and state = 'approved' and expires_at > clock_timestamp()`,
)

/** The approval with its input, for the service that runs it. */
export const approvalToRun = statement(
  'approvals_to_run',
  `select ${columns}, a.input from ${from} where a.id = :id`,
  { not_null: present },
)

/** The key as it would be authenticated now; no row once it has ended. */
export const keyOfApproval = statement(
  'approvals_key',
  `select k.id, k.customer_id, k.name, k.scopes, c.status = 'suspended' as suspended,
          limits_of_access(k.id, null) as limits
     from api_keys k join customers c on c.id = k.customer_id
    where k.id = :api_key_id and k.customer_id = :customer_id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > clock_timestamp()) and c.status <> 'closed'`,
  { not_null: ['suspended'] },
)

/** The consent as it would be authenticated now; no row once it has ended. */
export const grantOfApproval = statement(
  'approvals_grant',
  `select g.id, g.customer_id, g.client_id, g.client_name, g.scopes,
          c.status = 'suspended' as suspended, limits_of_access(null, g.id) as limits
     from oauth_grants g join customers c on c.id = g.customer_id
    where g.id = :grant_id and g.customer_id = :customer_id and g.revoked_at is null
      and c.status <> 'closed'`,
  { not_null: ['suspended'] },
)
