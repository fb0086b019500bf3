// SQL of the pages of the audit log, by account and by domain.
import { columns, statement } from '../../../db/statement.ts'
import { shown } from '../chain/audit.sql.ts'

const endless = 9_223_372_036_854_775_807n
// One statement for each set of filters: a generic plan applies ":name is null or name = :name" to
// row after row of the whole account.
const below = `id < coalesce(:before::bigint, ${endless})`

// The predicates of the index that a page needs (04-audit.sql): without them, a generic plan takes
// another one in partitions of few rows, and filters the whole account.
const byCustomer = `entry_point <> ''`
const listed = `action <> ''`
const timed = `result <> ''`

/** Only entries with ids below `before`. */
export const rowsOfCustomer = statement(
  'audit_of_customer',
  `select ${shown} from audit_logs
    where customer_id = :customer_id and ${byCustomer} and ${below}
    order by id desc limit :limit::int`,
  { nullable: ['before'] },
)

/** Only entries with ids below `before`. */
export const rowsOfEntryPoint = statement(
  'audit_of_customer_by_entry_point',
  `select ${shown} from audit_logs
    where customer_id = :customer_id and entry_point = :entry_point and ${listed} and ${below}
    order by id desc limit :limit::int`,
  { nullable: ['before'] },
)

/** Merges a page of each entry point. */
export const rowsOfAction = statement(
  'audit_of_customer_by_action',
  `select ${columns(shown, 'a')}
     from unnest(:entry_points::text[]) as e (entry_point)
    cross join lateral (
      select ${shown} from audit_logs l
       where l.customer_id = :customer_id and l.action = :action and l.entry_point = e.entry_point
         and l.${below}
       order by l.id desc limit :limit::int) a
    order by a.id desc limit :limit::int`,
  { nullable: ['before'] },
)

const ofDomains = `customer_id = :customer_id and target_type = 'domain'`

/** Only entries with ids below `before`. */
export const rowsOfDomains = statement(
  'audit_of_domains',
  `select ${shown} from audit_logs where ${ofDomains} and ${listed} and ${below}
    order by id desc limit :limit::int`,
  { nullable: ['before'] },
)

/** `from` and `to` are inclusive. Reads at most the rows of this domain. */
export const rowsOfDomain = statement(
  'audit_of_domain',
  `select ${shown} from audit_logs
    where ${ofDomains} and target = :domain and (:action::text is null or action = :action::text)
      and (:from::timestamptz is null or created_at >= :from::timestamptz)
      and (:to::timestamptz is null or created_at <= :to::timestamptz)
      and ${below}
    order by id desc limit :limit::int`,
  { nullable: ['action', 'from', 'to', 'before'] },
)

/**
 * Pages of a time go by time, and by id within a moment: ids alone are not quite in the order of
 * time. A cursor is an id all the same; it stands for the time of its row. `top` is the last place
 * that a page may begin at, as one bound: of two, the index would follow the wrong one.
 */
const top = (rows: string) => `
  (select case when c.before is null or c.at > c.until then c.until else c.at end as at,
          case when c.before is null or c.at > c.until then ${endless} else c.before - 1 end as id
     from (
       select :before::bigint as before,
              coalesce(:to::timestamptz, 'infinity') as until,
              (select l.created_at from audit_logs l
                where l.customer_id = :customer_id and ${rows} and l.id <= :before::bigint
                order by l.id desc limit 1) as at) c) top`

const byTime = (action: string) => `
  select ${columns(shown, 'a')}
    from ${top(`l.target_type = 'domain' and l.${listed}`)}
   cross join lateral (
     select ${shown} from audit_logs
      where ${ofDomains} ${action}
        and created_at >= coalesce(:from::timestamptz, '-infinity')
        and (created_at, id) <= (top.at, top.id)
      order by created_at desc, id desc limit :limit::int) a
   order by a.created_at desc, a.id desc`

/** `from` and `to` are inclusive. Only rows after the one with the id `before` are returned. */
export const rowsOfDomainsByTime = statement('audit_of_domains_by_time', byTime(`and ${listed}`), {
  nullable: ['from', 'to', 'before'],
})

export const rowsOfDomainsByAction = statement(
  'audit_of_domains_by_action',
  byTime('and action = :action'),
  { nullable: ['from', 'to', 'before'] },
)

/**
 * Reads a window of the account's rows by time: its rows that match and, if the window is full, its
 * last row, where the next page begins. So a page reads no more than a window, however few rows
 * match.
 */
export const windowOfCustomer = statement(
  'audit_window_of_customer',
  `select ${columns(shown, 'w')}, w.matches, w.place = :window::int as ends_window
     from ${top(`l.${byCustomer}`)}
    cross join lateral (
      select ${shown}, row_number() over (order by created_at desc, id desc) as place,
             (:action::text is null or action = :action::text)
               and (:entry_point::text is null or entry_point = :entry_point::text)
               and (:actor_type::text is null or actor_type = :actor_type::text)
               and (:actor_label::text is null
                    or actor_label is not distinct from :actor_label::text)
               and (:api_key_id::bigint is null
                    or api_key_id is not distinct from :api_key_id::bigint) as matches
        from audit_logs
       where customer_id = :customer_id and ${timed}
         and created_at >= coalesce(:from::timestamptz, '-infinity')
         and (created_at, id) <= (top.at, top.id)
       order by created_at desc, id desc limit :window::int) w
    where w.matches or w.place = :window::int
    order by w.created_at desc, w.id desc limit :limit::int`,
  {
    nullable: [
      ...['action', 'entry_point', 'actor_type', 'actor_label', 'api_key_id', 'from', 'to'],
      'before',
    ],
    not_null: ['matches', 'ends_window'],
  },
)

export const rowOfCustomer = statement(
  'audit_row_of_customer',
  `select ${shown} from audit_logs where customer_id = :customer_id and id = :id`,
)
