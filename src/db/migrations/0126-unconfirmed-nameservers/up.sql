-- compatible from: 0001

-- A change of name servers that goes back by itself unless it is confirmed. It is stored before the
-- registry gets the command, so that a change which was sent has its way back.
create table nameserver_confirmations (
  change_id text primary key check (change_id ~ '^nsc_[0-9a-z]{26}$'),
  domain_id bigint not null references domains (id),
  customer_id text not null references customers (id),
  state text not null default 'unconfirmed'
    check (state in ('unconfirmed', 'confirmed', 'reverted', 'kept')),
  -- Of the registry before, and of the change. Glue: addresses by host.
  before_nameservers text[] not null,
  before_glue jsonb not null,
  after_nameservers text[] not null,
  after_glue jsonb not null,
  -- When it goes back, or was to.
  reverts_at timestamptz not null,
  -- The maker: the key, the app's consent, or the session of the owner.
  api_key_id bigint,
  oauth_grant_id text,
  session_id bigint,
  constraint nameserver_confirmations_maker
    check (num_nonnulls(api_key_id, oauth_grant_id, session_id) = 1),
  actor_type text not null,
  actor_label text,
  -- The owner has protected, or locked, the domain since.
  protected_since boolean not null default false,
  locked_since boolean not null default false,
  -- From before the way back is sent to the registry: then it is confirmed no more.
  going_back_since timestamptz,
  -- Why it did not go back.
  kept_because text,
  constraint nameserver_confirmations_kept
    check ((state = 'kept') <= (kept_because is not null)),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint nameserver_confirmations_ended
    check ((state = 'unconfirmed') = (ended_at is null))
);
create unique index nameserver_confirmations_open on nameserver_confirmations (domain_id)
  where state = 'unconfirmed';
create index nameserver_confirmations_of_domain on nameserver_confirmations (domain_id);
create index nameserver_confirmations_of_customer
  on nameserver_confirmations (customer_id, change_id);
create index nameserver_confirmations_created_at on nameserver_confirmations (created_at);
