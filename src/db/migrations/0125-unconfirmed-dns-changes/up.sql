-- compatible from: 0001

-- The confirmation that a change of DNS records was made with, as it goes back by itself without
-- one. It ends with the change.
create table dns_confirmations (
  change_id text primary key references dns_changes (id) on delete cascade,
  domain_id bigint not null references domains (id),
  state text not null default 'unconfirmed'
    check (state in ('unconfirmed', 'confirmed', 'reverted', 'kept')),
  -- When it goes back, or was to.
  reverts_at timestamptz not null,
  -- The maker: the key, the app's consent, or the session of the owner.
  api_key_id bigint,
  oauth_grant_id text,
  session_id bigint,
  constraint dns_confirmations_maker
    check (num_nonnulls(api_key_id, oauth_grant_id, session_id) = 1),
  -- The owner has protected the domain since.
  protected_since boolean not null default false,
  -- Why it did not go back.
  kept_because text,
  constraint dns_confirmations_kept
    check ((state = 'kept') <= (kept_because is not null)),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint dns_confirmations_ended
    check ((state = 'unconfirmed') = (ended_at is null))
);
create index dns_confirmations_of_domain on dns_confirmations (domain_id)
  where state in ('unconfirmed', 'kept');
