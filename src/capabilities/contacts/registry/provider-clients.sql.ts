// SQL of provider clients: the contact objects that represent customers at registries.
import { statement } from '../../../db/statement.ts'

export const defaultRegistrant = statement(
  'contacts_default_registrant',
  'select id from contacts where customer_id = $1 and default_registrant',
)

/**
 * Takes the lease for $5 seconds; the row exists before anything is sent. No row: another holds it.
 */
export const beginClient = statement(
  'provider_clients_begin',
  `insert into provider_clients as p
     (customer_id, registry, place, client_id, state, lease_until)
   values ($1, $2, $3, $4, 'none', clock_timestamp() + $5::int * interval '1 second')
   on conflict (customer_id, registry) do update
      set place = excluded.place, lease_until = excluded.lease_until
    where p.lease_until <= clock_timestamp()
   returning p.state`,
)

/** The registry has the client $3 with the facts whose digest is $4, since $5. */
export const clientReconciled = statement(
  'provider_clients_reconciled',
  `update provider_clients
      set state = 'active', client_id = $3, digest = $4, reconciled_at = $5, last_error = null,
          failures = 0, lease_until = clock_timestamp()
    where customer_id = $1 and registry = $2`,
)

/** The registry refused the facts with the digest $3, which is final. */
export const clientRefused = statement(
  'provider_clients_refused',
  `update provider_clients
      set state = 'failed', digest = $3, last_error = $4, failures = failures + 1,
          lease_until = clock_timestamp()
    where customer_id = $1 and registry = $2`,
)

/** The outcome is unknown. */
export const clientSilent = statement(
  'provider_clients_silent',
  `update provider_clients
      set last_error = $3, failures = failures + 1, lease_until = clock_timestamp()
    where customer_id = $1 and registry = $2`,
)

/**
 * Takes the lease on the stale client of $1 at $2 for $3 seconds. No row: it is up to date, or
 * another worker holds the lease.
 */
export const beginRefresh = statement(
  'provider_clients_begin_refresh',
  `update provider_clients p
      set lease_until = clock_timestamp() + $3::int * interval '1 second'
     from contacts c
    where p.customer_id = $1 and p.registry = $2 and p.lease_until <= clock_timestamp()
      and p.digest is distinct from p.wanted_digest
      and c.customer_id = p.customer_id and c.default_registrant
   returning c.id as contact_id`,
)

export const isClientBehind = statement(
  'provider_clients_is_behind',
  `select customer_id from provider_clients
    where customer_id = $1 and registry = $2
      and wanted_digest is not null and digest is distinct from wanted_digest`,
)
