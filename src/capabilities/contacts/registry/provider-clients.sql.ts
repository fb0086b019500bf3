// SQL of provider clients: the contact objects that stand for customers at registries.
import { statement } from '../../../db/statement.ts'

export const defaultRegistrant = statement(
  'contacts_default_registrant',
  'select id from contacts where customer_id = $1 and default_registrant',
)

/**
 * Begins to reconcile, for $5 seconds; the row is there before anything is sent. No row: somebody
 * else does it at this moment.
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

/** The registry's final no to the facts with the digest $3. */
export const clientRefused = statement(
  'provider_clients_refused',
  `update provider_clients
      set state = 'failed', digest = $3, last_error = $4, failures = failures + 1,
          lease_until = clock_timestamp()
    where customer_id = $1 and registry = $2`,
)

/** Nothing more is known than before; the next try comes after 10 s, 20 s ... an hour at most. */
export const clientSilent = statement(
  'provider_clients_silent',
  `update provider_clients
      set last_error = $3, failures = failures + 1, lease_until = clock_timestamp(),
          try_at = clock_timestamp()
            + least(3600, 10 * 2 ^ least(failures, 9)) * interval '1 second'
    where customer_id = $1 and registry = $2`,
)

/** Clients that stand for facts of before; each is this worker's for $2 seconds. */
export const claimStaleClients = statement(
  'provider_clients_claim_stale',
  `update provider_clients p
      set lease_until = clock_timestamp() + $2::int * interval '1 second'
     from contacts c
    where p.ctid = any (array(
      select s.ctid from provider_clients s
       where s.digest is distinct from s.wanted_digest and s.wanted_digest is not null
         and s.registry = any ($1::text[]) and s.try_at <= statement_timestamp()
         and s.lease_until <= statement_timestamp()
       order by s.try_at
       limit $3::int
         for update skip locked))
      and c.customer_id = p.customer_id and c.default_registrant
   returning p.customer_id, p.registry, c.id as contact_id`,
)
