// SQL of the limits of scans: how many an account makes, and how fast an address gets packets, over
// all accounts and nodes.
import { statement } from '../../../../db/statement.ts'

/** The starts within the window; each is one write of an unlogged row. */
const within = (starts: string) => `(
  select array(select one from unnest(${starts}) one
                where one > clock_timestamp() - :window_s::int * interval '1 second' order by one))`

/** Returns no row if a scan of the account is in progress, or if its window is full. */
export const beginScan = statement(
  'dns_scans_begin',
  `insert into dns_scans as s (customer_id, started_at, token, lease_until)
   values (:customer_id, array[clock_timestamp()], :token::uuid,
           clock_timestamp() + :lease_s::int * interval '1 second')
   on conflict (customer_id) do update
     set started_at = ${within('s.started_at')} || excluded.started_at,
         token = excluded.token, lease_until = excluded.lease_until
   where (s.token is null or s.lease_until <= clock_timestamp())
     and cardinality(${within('s.started_at')}) < :most::int
   returning customer_id`,
)

/** Explains why there was no row: the seconds until the next may begin, if its window is full. */
export const refusedScan = statement(
  'dns_scans_refused',
  `select s.token is not null and s.lease_until > clock_timestamp() as under_way,
          extract(epoch from (
            select max(one) from (
              select one from unnest(s.started_at) one order by one desc
               limit 1 offset :most::int - 1) nth)
            - clock_timestamp())::float8 + :window_s::int as wait_s
     from dns_scans s where s.customer_id = :customer_id`,
  { not_null: ['under_way'] },
)

/** `counts` is whether packets were sent; otherwise the scan counts as not begun. */
export const endScan = statement(
  'dns_scans_end',
  `update dns_scans s
      set token = null, lease_until = clock_timestamp(),
          started_at = case when :counts::boolean then s.started_at
                            else s.started_at[1:cardinality(s.started_at) - 1] end
    where s.customer_id = :customer_id and s.token = :token::uuid`,
)

/** Reserves slots of an address in a row, and returns the milliseconds until the first. */
export const reserveSlots = statement(
  'dns_scans_reserve_slots',
  `insert into dns_scan_addresses as a (address, free_at)
   values (:address::inet, clock_timestamp() + :slots::int * :slot_ms::int * interval '1 ms')
   on conflict (address) do update
     set free_at = greatest(a.free_at, clock_timestamp())
                   + :slots::int * :slot_ms::int * interval '1 ms'
   returning (extract(epoch from a.free_at - clock_timestamp()) * 1000)::float8
             - :slots::int * :slot_ms::int as wait_ms`,
  { not_null: ['wait_ms'] },
)
