// The operations that store a change without an answer of a registry before it: each waits for a
// row that another transaction has locked, as it may wait for a slow hash or another node.
import assert from 'node:assert/strict'
import { softwareAuthenticator } from '../../contract/support/software-authenticator.ts'
import { sellElsewhere, soldCode } from '../../support/other-registrar.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { ownersPassword } from '../../support/sign-in.ts'
import type { Setting, StoredAct } from './acts.ts'
import { dnsActs } from './dns-acts.ts'

const customersRow =
  'select from customers where id = $1 and $2::text is not null for no key update'

async function bought({ registrar, actor, domain }: Setting): Promise<void> {
  const options = { token: actor.owner.key, body: { domain } }
  const { status, text } = await registrar.request('POST', '/v1/domains', options)
  assert.equal(status, 200, text)
}

const rowsOf =
  (text: string) =>
  ({ registrar, actor: { owner } }: Setting) =>
    rowsIn(registrar)(text, [owner.id])

export const stored: readonly StoredAct[] = [
  ...dnsActs,
  {
    operation: 'register_passkey',
    by: ['session'],
    locks: 'select from customers where id = $1 and $2::text is not null for update',
    async prepare({ registrar, actor: { token } }) {
      const at = '/v1/account/passkeys/options'
      const { body } = await registrar.request('POST', at, { token, body: {} })
      const origin = `http://localhost:${new URL(registrar.url).port}`
      return softwareAuthenticator().create(body.options, { origin, rp_id: 'localhost' })
    },
    send: ({ registrar, actor: { token } }, credential) =>
      registrar.request('POST', '/v1/account/passkeys', { token, body: { credential } }),
    state: rowsOf('select id from passkeys where customer_id = $1'),
  },
  {
    operation: 'sync_tld_prices',
    by: ['operator'],
    locks: `select from tld_prices where tld = 'com' and currency = 'USD' and action = 'register'
             and $1::text || $2::text is not null for update`,
    send: ({ registrar, actor: { token } }) =>
      registrar.request('POST', '/v1/pricing/tlds/sync', { token, body: {} }),
    state: ({ registrar }) => rowsIn(registrar)('select max(synced_at) from tld_prices'),
  },
  {
    operation: 'credit_processor_top_up',
    by: ['operator'],
    locks: 'select from ledger_accounts where customer_id = $1 and $2::text is not null for update',
    send: ({ registrar, actor: { token, owner }, domain }) =>
      registrar.request('POST', '/v1/internal/billing/processor/top-ups', {
        token,
        body: {
          customer_id: owner.id,
          amount_cents: 500,
          currency: 'USD',
          processor_checkout_session_id: `cs_${domain}`,
        },
      }),
    state: rowsOf('select available from ledger_accounts where customer_id = $1'),
  },
  {
    operation: 'create_api_key',
    by: ['session', 'api_key'],
    locks: customersRow,
    send: ({ registrar, actor: { owner, token } }) =>
      registrar.request('POST', `/v1/customers/${owner.id}/api-keys`, {
        token,
        body: { scopes: ['domains:read'] },
      }),
    state: rowsOf('select id from api_keys where customer_id = $1 order by id'),
  },
  {
    operation: 'change_password',
    by: ['session'],
    locks: 'select from passwords where customer_id = $1 and $2::text is not null for update',
    send: ({ registrar, actor: { token } }) =>
      registrar.request('POST', '/v1/account/password', {
        token,
        body: { current_password: ownersPassword, new_password: 'a thief, a horse & a battery' },
      }),
    state: rowsOf('select changed_at from passwords where customer_id = $1'),
  },
  {
    operation: 'update_account',
    by: ['session', 'api_key', 'app'],
    locks: customersRow,
    send: ({ registrar, actor: { token } }) =>
      registrar.request('PATCH', '/v1/account', { token, body: { name: 'A Thief' } }),
    state: rowsOf('select name from customers where id = $1'),
  },
  {
    operation: 'configure_dns_record',
    by: ['session', 'api_key', 'app'],
    locks: 'select from domains where name = $2 and customer_id = $1 for update',
    prepare: bought,
    send: ({ registrar, actor: { token }, domain }) =>
      registrar.request('POST', `/v1/domains/${domain}/dns-record`, {
        token,
        body: { host: 'www', record_value: '192.0.2.66' },
      }),
    state: ({ registrar, domain }) =>
      rowsIn(registrar)(
        `select r.value from zone_records r join domains d on d.id = r.domain_id where d.name = $1`,
        [domain],
      ),
  },
  {
    operation: 'cancel_transfer',
    by: ['session', 'api_key', 'app'],
    locks: `select from orders where customer_id = $1 and domain = $2 for update`,
    async prepare({ registrar, actor, domain }) {
      await sellElsewhere(registrar, domain)
      const options = { token: actor.owner.key, body: { domain, auth_code: soldCode } }
      const { status, text } = await registrar.request('POST', '/v1/domains/transfer', options)
      assert.equal(status, 200, text)
    },
    send: ({ registrar, actor: { token }, domain }) =>
      registrar.request('POST', `/v1/domains/${domain}/transfer/cancel`, { token, body: {} }),
    state: async (setting) => [
      setting.registrar.sandbox.lookup(setting.domain),
      await rowsOf('select state from orders where customer_id = $1')(setting),
    ],
  },
]
