// SQL of session leases: acquired, renewed, released, and waited for; times are the database's.
import { statement } from '../db/statement.ts'

/**
 * Acquires up to $4 leases of registry $1 for node $2 and $5 ms, of a budget of $3 over all nodes.
 * A node that gets fewer is marked as waiting for $6 ms. One row a lease, and whether others wait.
 */
export const acquireLeases = statement(
  'session_leases_acquire',
  'select loan as lease, waited_for from session_slots_take($1, $2, $3, $4, $5, $6)',
  { not_null: ['lease', 'waited_for'], writes: true },
)

/** Renews leases $1 for $2 ms. Those that are missing in the answer are another node's by now. */
export const renewLeases = statement(
  'session_leases_renew',
  `update session_slots s set lease_until = clock_timestamp() + $2::int * interval '1 millisecond'
    where s.loan = any ($1::bigint[])
   returning s.loan as lease, s.registry,
     exists (select from session_slot_waits w
              where w.registry = s.registry and w.node <> s.node
                and w.lease_until > clock_timestamp()) as waited_for`,
  { not_null: ['waited_for'] },
)

/** Releases lease $1, and notifies waiting nodes. */
export const releaseLease = statement(
  'session_leases_release',
  `with freed as (delete from session_slots where loan = $1 returning registry)
   select pg_notify('session_slots', freed.registry)::text as notified from freed
    where exists (select from session_slot_waits w where w.registry = freed.registry)`,
)

/** Releases all leases of node $1, and ends its waiting. */
export const releaseNode = statement(
  'session_leases_release_node',
  `with freed as (delete from session_slots where node = $1 returning registry),
        waits as (delete from session_slot_waits where node = $1)
   select pg_notify('session_slots', registry)::text as notified from freed group by registry`,
)

/** Nodes with leases of registry $1 whose names begin with $2. */
export const readNeighbours = statement(
  'session_leases_read_neighbours',
  'select distinct node from session_slots where registry = $1 and starts_with(node, $2)',
)

/** Node $2 waits at registry $1 no longer. */
export const endWait = statement(
  'session_leases_end_wait',
  'delete from session_slot_waits where registry = $1 and node = $2',
)

/** Every node that holds leases of registry $1 or waits there. */
export const readNodeStates = statement(
  'session_leases_read_nodes',
  `select node, coalesce(h.held, 0)::int as held,
          (extract(epoch from clock_timestamp() - h.since) * 1000)::float8 as held_ms,
          (extract(epoch from clock_timestamp() - w.since) * 1000)::float8 as waited_ms
     from (select s.node, count(*) as held, min(s.taken_at) as since from session_slots s
            where s.registry = $1 and s.lease_until > clock_timestamp() group by s.node) h
     full join (select node, since from session_slot_waits
                 where registry = $1 and lease_until > clock_timestamp()) w using (node)`,
  { not_null: ['node', 'held'] },
)
