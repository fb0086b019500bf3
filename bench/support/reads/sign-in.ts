// Rows of sign-in: sign-ups, sessions, links, passkeys and identities.
import { customerId, hash, owner, type Sizes, type Table } from './sizes.ts'

export function signIn(sizes: Sizes): Table[] {
  return [...logIns(sizes), ...signUps(sizes), ...passkeys(sizes), ...identities(sizes)]
}

function logIns(sizes: Sizes): Table[] {
  const { customers } = sizes
  const who = customerId('i')
  return [
    {
      table: 'sessions',
      rows: customers * 3,
      columns: `customer_id, token_hash, created_at, signed_in_at, last_used_at, expires_at,
        ended_at,
        agent, address, oauth_uid`,
      values: `${owner(sizes)}, ${hash(`'session' || i`)}, now() - i * interval '1 second', now(),
        now(),
        now() + (i % 60 - 5) * interval '1 day',
        case when i >= 200 and i % 10 <> 1 then now() end, 'a', '192.0.2.1',
        case when i % 4 = 0 then 'uid' || i end`,
    },
    {
      // An account has at most ten of them.
      table: 'push_subscriptions',
      rows: customers * 3,
      columns: `id, customer_id, session_id, sealed, endpoint_hash, service, public_key, agent,
        created_at`,
      values: `'psb_' || lpad(i::text, 26, '0'), ${customerId(`i % ${customers}`)}, 1 + i, 'x',
        ${hash(`'push' || i`)}, 'push.example', 'key', 'a', now()`,
    },
    {
      table: 'password_links',
      rows: customers,
      columns: 'id, kind, email, customer_id, token_hash, created_at, expires_at, answered_at',
      values: `'pwl_' || lpad(i::text, 26, '0'), 'reset', 'c' || i || '@example.com', ${who},
        ${hash(`'link' || i`)}, now(), now() + (i % 30) * interval '1 hour', now()`,
    },
    {
      table: 'sign_in_networks',
      rows: customers,
      columns: 'customer_id, address, last_at',
      values: `${who}, '192.0.2.1', now() - (i % 60) * interval '1 day'`,
    },
    {
      table: 'sign_in_failures',
      rows: customers,
      columns: 'key, level, at',
      values: `'k' || i, 1, now() - (i % 40) * interval '1 hour'`,
    },
  ]
}

function signUps(sizes: Sizes): Table[] {
  const { customers } = sizes
  return [
    {
      // One in four was not verified.
      table: 'sign_ups',
      rows: customers,
      columns: `id, email, name, password_hash, terms_version, address, agent, created_at,
        expires_at, answered_at, token_hash, code_mac, code_expires_at, used_at`,
      values: `'sgn_' || lpad(i::text, 26, '0'), 'c' || i || '@example.com', 'Customer ' || i,
        case when i % 4 = 0 then '$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA' end, '1', '192.0.2.1',
        'Browser', now() - (i % 60) * interval '1 hour',
        now() + (i % 30 - 5) * interval '1 minute', now(),
        ${hash(`'sign-up' || i`)}, ${hash(`'code' || i`)}, now() + interval '10 minutes',
        case when i % 4 <> 0 then now() end`,
    },
    {
      table: 'terms_acceptances',
      rows: customers * 2,
      columns: 'customer_id, version, accepted_at',
      values: `${customerId(`i % ${customers}`)}, (i / ${customers})::text, now()`,
    },
    {
      table: 'email_changes',
      rows: customers * 3,
      columns: 'id, customer_id, email, token_hash, created_at, expires_at, used_at',
      values: `'emc_' || lpad(i::text, 26, '0'), ${owner(sizes)}, 'n' || i || '@example.com',
        ${hash(`'change' || i`)}, now(), now() + (i % 30 - 5) * interval '1 hour',
        case when i >= 200 then now() end`,
    },
  ]
}

/** An account has at most 50 of them, so the largest account does not own a twentieth. */
function passkeys({ customers }: Sizes): Table[] {
  return [
    {
      table: 'passkeys',
      rows: customers * 2,
      columns: `customer_id, credential_id, public_key, sign_count, transports, name, backed_up,
        created_at, last_used_at`,
      values: `${customerId(`i % ${customers}`)}, ${hash(`'credential' || i`)},
        decode(repeat('00', 77), 'hex'), i % 3, '{internal,hybrid}', 'Laptop', true, now(), now()`,
    },
    {
      table: 'passkey_challenges',
      rows: customers,
      columns: 'binding, challenge, expires_at',
      values: `${hash(`'binding' || i`)}, 'challenge' || i,
        now() + (i % 300 - 30) * interval '1 second'`,
    },
  ]
}

/** An account has at most 20 of them. */
function identities({ customers }: Sizes): Table[] {
  return [
    {
      table: 'sso_identities',
      rows: customers * 2,
      columns: 'customer_id, provider, issuer, subject, email, created_at, last_used_at',
      values: `${customerId(`i % ${customers}`)}, 'example', 'https://idp.example', 'subject' || i,
        'c' || i || '@example.com', now(), now()`,
    },
    {
      // Every other one led to a ticket, and one in eight to a link that its owner confirms.
      table: 'sso_log_ins',
      rows: customers * 3,
      columns: `id, provider, state_hash, browser_hash, sealed, created_at, expires_at, answered_at,
        issuer, subject, email, ticket_hash, ticket_expires_at, customer_id, link_hash,
        link_expires_at`,
      values: `'sso_' || lpad(i::text, 26, '0'), 'example', ${hash(`'state' || i`)},
        ${hash(`'browser' || i`)}, repeat('x', 150), now(),
        now() + (i % 20 - 5) * interval '1 hour', case when i % 2 = 0 then now() end,
        case when i % 2 = 0 then 'https://idp.example' end,
        case when i % 2 = 0 then 'subject' || i end,
        case when i % 2 = 0 then 'c' || i || '@example.com' end,
        case when i % 2 = 0 then ${hash(`'ticket' || i`)} end,
        case when i % 2 = 0 then now() + interval '1 minute' end,
        case when i % 8 = 0 then ${customerId(`i % ${customers}`)} end,
        case when i % 8 = 0 then ${hash(`'confirmed' || i`)} end,
        case when i % 8 = 0 then now() + interval '10 minutes' end`,
    },
  ]
}
