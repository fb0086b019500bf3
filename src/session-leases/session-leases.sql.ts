// SQL of session leases, which are acquired, renewed, released, and waited for. Times are the
// database's.
import { leaseEnd, statement } from '../db/statement.ts'

/**
 * Acquires up to `wanted` leases of a registry for a node, from a budget over all nodes. A node
 * that gets fewer is marked as waiting for `wait_ms`. Returns one row for each lease, and whether
 * others wait.
 */
export const acquireLeases = statement(
  'session_leases_acquire',
  `select lease_id as lease, waited_for
     from session_leases_acquire(:registry, :node, :budget, :wanted, :lease_ms, :wait_ms)`,
  { not_null: ['lease', 'waited_for'], writes: true },
)

/** Renews leases. Those that are missing in the answer were taken over by another node. */
export const renewLeases = statement(
  'session_leases_renew',
  `update session_leases s
      set lease_until = ${leaseEnd}
    where s.lease_id = any (:leases::bigint[])
   returning s.lease_id as lease, s.registry,
     exists (select from session_lease_waits w
              where w.registry = s.registry and w.node <> s.node
                and w.lease_until > clock_timestamp()) as waited_for`,
  { not_null: ['waited_for'] },
)

/** Releases a lease, and notifies waiting nodes. */
export const releaseLease = statement(
  'session_leases_release',
  `with freed as (delete from session_leases where lease_id = :lease returning registry)
   select pg_notify('session_leases', freed.registry)::text as notified from freed
    where exists (select from session_lease_waits w where w.registry = freed.registry)`,
)

/** Releases all leases of a node, and ends its waiting. */
export const releaseNode = statement(
  'session_leases_release_node',
  `with freed as (delete from session_leases where node = :node returning registry),
        waits as (delete from session_lease_waits where node = :node)
   select pg_notify('session_leases', registry)::text as notified from freed group by registry`,
)

/** Nodes with leases of a registry whose names begin with `prefix`. */
export const readNodesByPrefix = statement(
  'session_leases_read_nodes_by_prefix',
  `select distinct node from session_leases
    where registry = :registry and starts_with(node, :prefix)`,
)

/** Marks a node as no longer waiting at a registry. */
export const endWait = statement(
  'session_leases_end_wait',
  'delete from session_lease_waits where registry = :registry and node = :node',
)

/** Every node that holds leases of a registry or waits for one. */
export const readNodeStates = statement(
  'session_leases_read_nodes',
  `select node, coalesce(h.held, 0)::int as held,
          (extract(epoch from clock_timestamp() - h.since) * 1000)::float8 as held_ms,
          (extract(epoch from clock_timestamp() - w.since) * 1000)::float8 as waited_ms
     from (select s.node, count(*) as held, min(s.taken_at) as since from session_leases s
            where s.registry = :registry and s.lease_until > clock_timestamp() group by s.node) h
     full join (select node, since from session_lease_waits
                 where registry = :registry and lease_until > clock_timestamp()) w using (node)`,
  { not_null: ['node', 'held'] },
)
