// SQL of the session slots: taken, kept by a lease, given back, and waited for; times are the
// database's.
import { statement } from '../db/statement.ts'

/**
 * Takes up to $4 slots of registry $1 for node $2 and $5 ms, of a budget of $3 over all nodes. Who
 * gets fewer waits: the mark is good for $6 ms. One row for each slot, and whether others wait.
 */
export const takeSlots = statement(
  'session_slots_take',
  'select loan, waited_for from session_slots_take($1, $2, $3, $4, $5, $6)',
  { not_null: ['loan', 'waited_for'], writes: true },
)

/** Keeps loans $1 for $2 ms more. Those that are missing in the answer are another's by now. */
export const renewSlots = statement(
  'session_slots_renew',
  `update session_slots s set lease_until = clock_timestamp() + $2::int * interval '1 millisecond'
    where s.loan = any ($1::bigint[])
   returning s.loan, s.registry,
     exists (select from session_slot_waits w
              where w.registry = s.registry and w.node <> s.node
                and w.lease_until > clock_timestamp()) as waited_for`,
  { not_null: ['waited_for'] },
)

/** Gives loan $1 back, and tells those who wait. */
export const giveSlotBack = statement(
  'session_slots_give_back',
  `with freed as (delete from session_slots where loan = $1 returning registry)
   select pg_notify('session_slots', freed.registry)::text as told from freed
    where exists (select from session_slot_waits w where w.registry = freed.registry)`,
)

/** Ends all that node $1 holds and waits for. */
export const leaveSlots = statement(
  'session_slots_leave',
  `with freed as (delete from session_slots where node = $1 returning registry),
        waits as (delete from session_slot_waits where node = $1)
   select pg_notify('session_slots', registry)::text as told from freed group by registry`,
)

/** Nodes with slots of registry $1 whose names begin with $2. */
export const readNeighbours = statement(
  'session_slots_read_neighbours',
  'select distinct node from session_slots where registry = $1 and starts_with(node, $2)',
)

/** Node $2 waits at registry $1 no longer. */
export const endWait = statement(
  'session_slots_end_wait',
  'delete from session_slot_waits where registry = $1 and node = $2',
)

/** Every node that holds slots of registry $1 or waits there. */
export const readStandings = statement(
  'session_slots_read_standings',
  `select node, coalesce(h.held, 0)::int as held,
          (extract(epoch from clock_timestamp() - h.since) * 1000)::float8 as held_ms,
          (extract(epoch from clock_timestamp() - w.since) * 1000)::float8 as waited_ms
     from (select s.node, count(*) as held, min(s.taken_at) as since from session_slots s
            where s.registry = $1 and s.lease_until > clock_timestamp() group by s.node) h
     full join (select node, since from session_slot_waits
                 where registry = $1 and lease_until > clock_timestamp()) w using (node)`,
  { not_null: ['node', 'held'] },
)
