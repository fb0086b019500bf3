// One row with each kind of sealed value for tests, without the rows that these refer to.
import pg from 'pg'
import type { Encryption } from '../kit/encryption.ts'

const customer = `cus_${'0'.repeat(26)}`
const hash = (fill: string) => `sha256('${fill}')`
const idOf = (prefix: string) => `'${prefix}_${'0'.repeat(26)}'`

/** The row as text with `:sealed(NAME)` for each value, which is that name, sealed. */
const inserts = [
  `insert into approvals (id, customer_id, api_key_id, counted_for, asked_by, agent_identifier,
     action, domain, reason, request_digest, digest, request, input, created_at, expires_at)
   values ('apv', '${customer}', 1, 'key:1', 'a', 'a', 'register_domain', 'a.com', 'approval_above',
     repeat('0', 64), repeat('0', 64), '{}', :sealed(approvals.input), now(), now() + '1 day')`,
  `insert into document_keys (kid, public_jwk, sealed)
   values ('k', '{}', :sealed(document_keys.sealed)), ('old', '{}', null)`,
  `insert into domains (name, customer_id, order_id, registry, expiry, registry_expiry, nameservers,
     period_years, epp_statuses, rgp_statuses, locked, contacts, registered_at, auto_renew,
     auth_code_sealed, auth_code_sent_sealed)
   values ('a.com', '${customer}', 'ord', 'thin', now(), now(), '{}', 1, '{}', '{}', false, '{}',
     now(), false, :sealed(domains.auth_code_sealed), :sealed(domains.auth_code_sent_sealed))`,
  `insert into mails (id, kind, dedupe_key, recipient, subject, body, html, sealed)
   values ('mail_' || '01m' || repeat('0', 23), 'a', 'a', 'a@example.com', 'a',
     :sealed(mails.body), :sealed(mails.html), true),
     ('mail_' || '01m' || repeat('0', 22) || '1', 'a', 'b', 'a@example.com', 'a', 'plain', 'plain',
     false)`,
  `insert into oauth_models (model, id_hash, payload) values
     ('Interaction', ${hash('a')}, jsonb_build_object('kept', 1, 'lastSubmission',
       jsonb_build_object('link', jsonb_build_object('sealed', :sealed(oauth_models.payload))))),
     ('Interaction', ${hash('b')}, '{}'), ('Client', ${hash('c')}, '{}')`,
  `insert into oauth_models (model, id_hash, payload) values
     ('RefreshAnswer', ${hash('d')}, jsonb_build_object('sealed', :sealed(oauth_models.payload),
       'successor', 'kept')), ('RefreshToken', ${hash('d')}, '{}')`,
  `insert into oauth_signing_keys (kid, purpose, alg, sealed, signs_from)
   values ('k', 'sign', 'EdDSA', :sealed(oauth_signing_keys.sealed), now())`,
  `insert into orders (id, customer_id, type, domain, registry, state, currency, amount, digest,
     command, attempts, fingerprints, first_sent_at, run_at, lease_until, lease_token, sealed)
   values ('ord', '${customer}', 'transfer', 'b.com', 'thin', 'unknown', 'USD', 1, '', '{}', 1,
     '{}', now(), now(), now(), '', :sealed(orders.sealed))`,
  `insert into push_subscriptions (id, customer_id, session_id, sealed, endpoint_hash, service,
     public_key, agent, created_at)
   values (${idOf('psb')}, '${customer}', 1, :sealed(push_subscriptions.sealed), ${hash('a')}, 'a',
     'a', 'a', now())`,
  `insert into sso_log_ins (id, provider, state_hash, browser_hash, sealed, created_at, expires_at)
   values (${idOf('sso')}, 'a', ${hash('a')}, ${hash('a')}, :sealed(sso_log_ins.sealed), now(),
     now())`,
  `insert into tsig_keys (id, domain_id, customer_id, algorithm, sealed_secret, made_by)
   values (${idOf('tsk')}, 1, '${customer}', 'hmac-sha256', :sealed(tsig_keys.sealed_secret),
     'owner')`,
  `insert into webhooks (id, customer_id, url, types, sealed_secret, sealed_previous_secret,
     previous_until)
   values (${idOf('whk')}, '${customer}', 'https://a.example', '{domain.*}',
     :sealed(webhooks.sealed_secret), :sealed(webhooks.sealed_previous_secret), now())`,
  `insert into webhook_secrets (webhook_id, sealed, signs_until)
   values (${idOf('whk')}, :sealed(webhook_secrets.sealed), now())`,
  `insert into x402_authorizations (id, checkout_id, customer_id, chain_id, token, payer, nonce,
     valid_after, valid_before, sealed_signature)
   values (${idOf('xau')}, 'a', '${customer}', 1, '0x' || repeat('0', 40), '0x' || repeat('0', 40),
     '0x' || repeat('0', 64), 0, 0, :sealed(x402_authorizations.sealed_signature))`,
]

/** The columns that got a value. */
export async function insertSealedRows(url: string, encryption: Encryption): Promise<string[]> {
  const client = new pg.Client(url)
  await client.connect()
  // Foreign keys and triggers are off.
  await client.query('set session_replication_role = replica')
  const columns: string[] = []
  for (const insert of inserts)
    await client.query(
      insert.replaceAll(/:sealed\(([\w.]+)\)/g, (_, column: string) => {
        columns.push(column)
        return `'${encryption.seal(column)}'`
      }),
    )
  await client.end()
  return columns
}
