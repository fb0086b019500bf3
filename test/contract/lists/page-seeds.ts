// Entries of the lists whose own example makes no further one.
import { newId } from '../../../src/kit/random.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { examples } from '../support/examples.ts'
import { type Example, type Fixture, fresh, keyOf, must } from '../support/fixture.ts'

type Seed = (fixture: Fixture, list: Example) => Promise<unknown>

/** By the example of another operation, which makes what it is called with. */
const by =
  (at: string): Seed =>
  async (fixture) =>
    examples[at]?.make(fixture)

/** A change of the records of the list's domain, or of the fixture's. */
const changed: Seed = ({ registrar, key: token, domain }, { path }) => {
  made += 1
  const body = { host: `pages-${made}`, record_value: '192.0.2.1' }
  const at = `/v1/domains/${path?.domain ?? domain}/dns-record`
  return must(registrar.request('POST', at, { token, body }))
}
let made = 0

const delivered: Seed = ({ registrar, id }, { path }) =>
  rowsIn(registrar)(
    `insert into webhook_deliveries
       (id, webhook_id, customer_id, event_id, event_type, pos, state, next_at, created_at)
     values ($1, $2, $3, 'evt_' || repeat('0', 26), 'webhook.test', 1, 'failed', now(), now())`,
    [newId('dlv'), path?.id, id],
  )

/** Another customer's conversation, which an operator began. */
const answered: Seed = async ({ registrar }) => {
  const { id: customer_id } = await registrar.customer()
  const options = { token: registrar.operatorKey, body: { customer_id, body: 'Welcome.' } }
  await must(registrar.request('POST', '/v1/internal/support/messages', options), 201)
}

/** An app with an API key, so that it has access. */
const connected: Seed = async (fixture) => {
  const grant = fresh('consent')
  const key = await keyOf(fixture, [])
  const query = rowsIn(fixture.registrar)
  await query(
    `insert into oauth_grants (id, customer_id, client_id, client_name, redirect_host, scopes,
       resource, created_at)
     values ($1, $2, $1, 'Program', '127.0.0.1', '{domains:read}', 'http://any', now())`,
    [grant, fixture.id],
  )
  await query('update api_keys set oauth_grant_id = $2 where id = $1', [key.id, grant])
}

const parked = by('POST /v1/internal/parked-orders/{id}/settle')

export const pageSeeds: Readonly<Record<string, Seed>> = {
  list_approvals: by('GET /v1/approvals/{id}'),
  list_oauth_grants: connected,
  list_domains: by('POST /v1/domains/{domain}/renew'),
  get_runway: by('POST /v1/domains/{domain}/renew'),
  list_domain_audit_logs: changed,
  list_dns_changes: changed,
  list_parked_orders: parked,
  list_holds: parked,
  list_top_ups: by('GET /v1/customers/{customer_id}/billing/gateway/checkouts/{checkout_id}'),
  list_failed_mails: by('POST /v1/internal/mails/{mail_id}/resend'),
  list_dead_tasks: by('POST /v1/internal/dead-tasks/{task_id}/retry'),
  list_webhook_deliveries: delivered,
  list_support_threads: answered,
}
