// SQL of provider clients: the contact objects that represent customers at registries.
import { statement } from '../../../db/statement.ts'

export const defaultRegistrant = statement(
  'contacts_default_registrant',
  'select id from contacts where customer_id = :customer_id and default_registrant',
)

/** The row exists before anything is sent. */
export const putProviderClient = statement(
  'provider_clients_put',
  `insert into provider_clients (customer_id, registry, position, client_id, state)
   values (:customer_id, :registry, :position, :client_id, 'none')
   on conflict (customer_id, registry) do update set position = excluded.position`,
)

/** The registry has the client with the facts whose digest is `digest`. */
export const clientReconciled = statement(
  'provider_clients_reconciled',
  `update provider_clients
      set state = 'active', client_id = :client_id, digest = :digest,
          reconciled_at = :reconciled_at
    where customer_id = :customer_id and registry = :registry`,
)

/** The registry refused the facts with this digest, which is final. */
export const clientRefused = statement(
  'provider_clients_refused',
  `update provider_clients
      set state = 'failed', digest = :digest
    where customer_id = :customer_id and registry = :registry`,
)

/** The default registrant whose facts the registry does not have, or no row if it has them. */
export const staleRegistrant = statement(
  'provider_clients_stale_registrant',
  `select c.id as contact_id
     from provider_clients p
     join contacts c on c.customer_id = p.customer_id and c.default_registrant
    where p.customer_id = :customer_id and p.registry = :registry
      and p.digest is distinct from p.wanted_digest`,
)
