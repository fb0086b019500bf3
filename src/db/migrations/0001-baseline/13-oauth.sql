-- The storage of the authorization server: clients, codes, tokens, browser sessions. The id of most
-- of them is the secret that a client or a browser shows, so only its SHA-256 is here.
create table oauth_models (
  model text not null check (model ~ '^[A-Z][A-Za-z]{1,62}$'),
  id_hash bytea not null check (length(id_hash) = 32),
  payload jsonb not null,
  grant_id text,
  -- Of a session alone: how tokens and interactions name it without knowing its id.
  uid text,
  client_id text,
  -- A customer's id.
  account_id text,
  consumed_at timestamptz,
  -- Null: a client.
  expires_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  -- Of a client: the address that registered it, as limits count addresses, until it is used.
  registered_by text check (length(registered_by) between 1 and 64),
  primary key (model, id_hash)
) with (fillfactor = 80);
create index oauth_models_of_grant on oauth_models (grant_id) where grant_id is not null;
-- Not unique: a browser that goes on twice at once has two ids for one session, and ends both.
create index oauth_models_sessions on oauth_models (uid) where uid is not null;
create index oauth_models_of_account on oauth_models (account_id) where account_id is not null;
create index oauth_models_of_client on oauth_models (client_id) where client_id is not null;
create index oauth_models_ended on oauth_models (expires_at) where expires_at is not null;
-- A client without a consent so far.
create index oauth_clients_unused on oauth_models (registered_by, created_at desc)
  where model = 'Client' and registered_by is not null;

-- One consent of one customer to one client. Its id is no secret.
create table oauth_grants (
  id text primary key check (length(id) between 1 and 200),
  customer_id text not null references customers (id),
  client_id text not null check (length(client_id) between 1 and 2048),
  client_name text not null check (length(client_name) between 1 and 200),
  redirect_host text not null check (length(redirect_host) between 1 and 300),
  scopes text[] not null,
  -- The audience of its tokens (RFC 8707).
  resource text not null,
  -- SHA-256 of the interaction that it answers: one answer is one consent.
  interaction_hash bytea unique check (length(interaction_hash) = 32),
  -- The log-in of the browser that gave it. No reference: sessions are purged earlier.
  session_id bigint,
  created_at timestamptz not null,
  -- When its browser went on to the client with it, which it may do once.
  resumed_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  -- It ended so long ago that it would be purged, and stays: a key or an order was made with it.
  kept boolean not null default false
) with (fillfactor = 80);
create index oauth_grants_of_customer on oauth_grants (customer_id, created_at desc);
create index oauth_grants_of_client on oauth_grants (client_id);
create index oauth_grants_of_session on oauth_grants (session_id) where session_id is not null;
create index oauth_grants_open on oauth_grants (created_at) where revoked_at is null;
create index oauth_grants_open_of_customer
  on oauth_grants (customer_id, created_at desc, id desc) where revoked_at is null;
create index oauth_grants_ended on oauth_grants (revoked_at)
  where revoked_at is not null and not kept;
alter table api_keys add foreign key (oauth_grant_id) references oauth_grants (id);

-- The keys of the authorization server, sealed with ENCRYPTION_KEY.
create table oauth_signing_keys (
  kid text primary key check (length(kid) between 1 and 100),
  -- sign: ID tokens. cookie: cookies of the log-in page.
  purpose text not null check (purpose in ('sign', 'cookie')),
  alg text not null check (alg in ('RS256', 'EdDSA', 'HS256')),
  sealed text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- From then on new signatures are made with it; before, it is published and nothing more.
  signs_from timestamptz not null,
  -- From then on it is no longer published, or accepted. Null: no newer one has come.
  ends_at timestamptz
);

-- The metadata document of a client as it was last read, by any node. When the document's host is
-- away, its client goes on with it for a day.
create table oauth_documents (
  client_id text primary key check (length(client_id) between 1 and 2048),
  -- The fields that are kept: never more than 5 kB.
  fields jsonb not null,
  etag text check (length(etag) between 1 and 256),
  read_at timestamptz not null,
  -- From then on it is read again.
  fresh_until timestamptz not null check (fresh_until > read_at)
);
create index oauth_documents_by_age on oauth_documents (fresh_until);

-- The name that an MCP client of the older revisions gave in initialize, by its credential and
-- User-Agent. Unlogged: it labels audit rows, and a client says it again when it connects.
create unlogged table mcp_client_names (
  principal text not null,
  user_agent bytea not null,
  name text not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (principal, user_agent)
);
create index mcp_client_names_to_purge on mcp_client_names (seen_at);
