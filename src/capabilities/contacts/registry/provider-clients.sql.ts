// SQL of provider clients: the contact objects that represent customers at registries.
import { statement } from '../../../db/statement.ts'

export const defaultRegistrant = statement(
  'contacts_default_registrant',
  'select id from contacts where customer_id = :customer_id and default_registrant',
)

/**
 * Takes the lease; the row exists before anything is sent. No row: another holds it.
 */
export const beginClient = statement(
  'provider_clients_begin',
  `insert into provider_clients as p
     (customer_id, registry, position, client_id, state, lease_until)
   values (:customer_id, :registry, :position, :client_id, 'none',
           clock_timestamp() + :lease_s::int * interval '1 second')
   on conflict (customer_id, registry) do update
      set position = excluded.position, lease_until = excluded.lease_until
    where p.lease_until <= clock_timestamp()
   returning p.state`,
)

/** The registry has the client with the facts whose digest is `digest`. */
export const clientReconciled = statement(
  'provider_clients_reconciled',
  `update provider_clients
      set state = 'active', client_id = :client_id, digest = :digest,
          reconciled_at = :reconciled_at,
          lease_until = clock_timestamp()
    where customer_id = :customer_id and registry = :registry`,
)

/** The registry refused the facts with this digest, which is final. */
export const clientRefused = statement(
  'provider_clients_refused',
  `update provider_clients
      set state = 'failed', digest = :digest, lease_until = clock_timestamp()
    where customer_id = :customer_id and registry = :registry`,
)

/** Ends the lease; the outcome is unknown. */
export const endClientLease = statement(
  'provider_clients_end_lease',
  `update provider_clients set lease_until = clock_timestamp()
    where customer_id = :customer_id and registry = :registry`,
)

/**
 * Takes the lease on a stale client. No row: it is up to date, or another worker holds the lease.
 */
export const beginRefresh = statement(
  'provider_clients_begin_refresh',
  `update provider_clients p
      set lease_until = clock_timestamp() + :lease_s::int * interval '1 second'
     from contacts c
    where p.customer_id = :customer_id and p.registry = :registry
      and p.lease_until <= clock_timestamp() and p.digest is distinct from p.wanted_digest
      and c.customer_id = p.customer_id and c.default_registrant
   returning c.id as contact_id`,
)

export const isClientBehind = statement(
  'provider_clients_is_behind',
  `select customer_id from provider_clients
    where customer_id = :customer_id and registry = :registry
      and wanted_digest is not null and digest is distinct from wanted_digest`,
)
