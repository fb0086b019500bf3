create table passwords (
  customer_id text primary key references customers (id),
  -- A PHC string with its own salt and parameters.
  hash text not null check (hash ~ '^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[^$]+\$[^$]+$'),
  -- When its owner set it. A new hash of the same password (other parameters) leaves it.
  changed_at timestamptz not null
) with (fillfactor = 80);

create table sessions (
  id bigint generated always as identity primary key,
  customer_id text not null references customers (id),
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  -- When the password was last given in it.
  signed_in_at timestamptz not null,
  -- A few seconds late: written for many at once.
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- The program that signed in, by its own word, and the address that it is counted by.
  agent text not null,
  address text not null,
  -- The log-in of a browser at the consent page is a session of its owner, without a token that
  -- anybody knows. This is the library's session (oauth_models.uid); null until the browser went
  -- on.
  oauth_uid text,
  -- The session of the dashboard that it was given in: it ends with that one. Null: its owner gave
  -- the password at the consent page. No reference: sessions are purged.
  begun_in bigint
) with (fillfactor = 80);
create index sessions_of_customer on sessions (customer_id, created_at);
create index sessions_to_purge on sessions (expires_at);
create index sessions_open on sessions (customer_id, id desc) where ended_at is null;
create index sessions_begun_in on sessions (begun_in) where begun_in is not null;
create index sessions_of_oauth on sessions (oauth_uid) where oauth_uid is not null;

-- Mailed links to a new password. Every request for a reset makes a row, whatever the address.
create table password_links (
  id text primary key check (id ~ '^pwl_[0-9a-hjkmnp-tv-z]{26}$'),
  kind text not null check (kind in ('setup', 'reset')),
  -- In lower case; the link is valid only while this is the account's address.
  email text not null check (length(email) between 3 and 320),
  -- Null: not looked up yet, or no account has that address.
  customer_id text references customers (id),
  token_hash bytea unique check (length(token_hash) = 32),
  -- HMAC of id and code, as a digest of six digits alone is found by brute force.
  code_mac bytea check (length(code_mac) = 32),
  -- Wrong codes so far.
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When its mail was queued, or it was found that there is no account to write to.
  answered_at timestamptz,
  used_at timestamptz,
  -- The address that the request for a reset is counted by.
  address text,
  check ((customer_id is null) = (token_hash is null)),
  check (kind = 'reset' or customer_id is not null)
);
create index password_links_of_customer on password_links (customer_id)
  where customer_id is not null and used_at is null;
create index password_links_to_purge on password_links (expires_at);

-- Sign-ups. Every request makes a row, whether or not an account has the address.
create table sign_ups (
  id text primary key check (id ~ '^sgn_[0-9a-hjkmnp-tv-z]{26}$'),
  email text not null check (length(email) between 3 and 320),
  name text not null check (length(name) between 1 and 200),
  company_name text check (length(company_name) between 1 and 200),
  -- Null once the account was created, which has it then.
  password_hash text check (password_hash ~ '^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[^$]+\$[^$]+$'),
  -- The version of the terms in force when they were accepted; null: the service had none.
  terms_version text,
  -- The address by which the latest request for a mail is counted.
  address text not null,
  -- The User-Agent that began it, which the page of the mailed link shows.
  agent text not null,
  created_at timestamptz not null,
  -- When the code of the latest request expires.
  expires_at timestamptz not null,
  -- When the latest request was answered; null: the job has not come to it.
  answered_at timestamptz,
  -- Null: no mail with a code was sent, as an account has the address.
  token_hash bytea unique check (length(token_hash) = 32),
  code_mac bytea check (length(code_mac) = 32),
  code_expires_at timestamptz,
  -- Wrong codes since the code was made.
  tries integer not null default 0,
  used_at timestamptz,
  check ((token_hash is null) = (code_mac is null)),
  check ((password_hash is null) = (used_at is not null))
);
create index sign_ups_to_purge on sign_ups (created_at);

-- Links that verify the new e-mail address of an account.
create table email_changes (
  id text primary key check (id ~ '^emc_[0-9a-hjkmnp-tv-z]{26}$'),
  customer_id text not null references customers (id),
  email text not null check (length(email) between 3 and 320),
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index email_changes_of_customer on email_changes (customer_id) where used_at is null;
create index email_changes_to_purge on email_changes (expires_at);

-- Evidence of which version of the terms an account accepted.
create table terms_acceptances (
  customer_id text not null references customers (id),
  version text not null,
  accepted_at timestamptz not null,
  primary key (customer_id, version)
);
select make_append_only('terms_acceptances');

-- Leaky buckets of failed attempts. Unlogged: a crash empties them.
create unlogged table sign_in_failures (
  key text primary key,
  level double precision not null,
  at timestamptz not null
) with (fillfactor = 50);
create index sign_in_failures_to_purge on sign_in_failures (at);

-- Networks from which an account was signed in to with its password: a brute-force attack from
-- elsewhere does not lock its owner out there.
create table sign_in_networks (
  customer_id text not null references customers (id),
  address text not null,
  last_at timestamptz not null,
  primary key (customer_id, address)
) with (fillfactor = 80);
create index sign_in_networks_to_purge on sign_in_networks (last_at);

-- Discoverable WebAuthn credentials that log an owner in.
create table passkeys (
  id bigint generated always as identity primary key,
  customer_id text not null references customers (id),
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  -- COSE_Key.
  public_key bytea not null,
  -- The authenticator's signature counter; always 0 where it has none.
  sign_count bigint not null check (sign_count >= 0),
  transports text[] not null,
  name text not null check (length(name) between 1 and 100),
  -- Synchronised between devices.
  backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
) with (fillfactor = 80);
create index passkeys_of_customer on passkeys (customer_id, id desc);

-- Open challenges of WebAuthn.
create table passkey_challenges (
  -- SHA-256 of the session, or of the browser's cookie, that alone may answer it.
  binding bytea primary key check (length(binding) = 32),
  challenge text not null,
  expires_at timestamptz not null
);
create index passkey_challenges_to_purge on passkey_challenges (expires_at);

-- Accounts at identity providers that log an owner in.
create table sso_identities (
  id bigint generated always as identity primary key,
  customer_id text not null references customers (id),
  -- As in the settings; the identity itself is issuer and subject.
  provider text not null,
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  -- The verified address that the provider showed when it was linked; null: none.
  email text,
  created_at timestamptz not null,
  last_used_at timestamptz,
  unique (issuer, subject)
) with (fillfactor = 80);
create index sso_identities_of_customer on sso_identities (customer_id, id desc);

-- Log-ins through an identity provider: the request, its answer as a ticket, and the link to an
-- account that has the address.
create table sso_log_ins (
  id text primary key check (id ~ '^sso_[0-9a-hjkmnp-tv-z]{26}$'),
  provider text not null,
  state_hash bytea not null unique check (length(state_hash) = 32),
  -- SHA-256 of the cookie of the browser that alone may go on.
  browser_hash bytea not null check (length(browser_hash) = 32),
  -- Nonce and PKCE code verifier, encrypted with ENCRYPTION_KEY.
  sealed text not null,
  -- A path of this service, for the browser after the log-in.
  return_to text,
  -- The account whose owner confirms a log-in by it; null: any identity may log in.
  confirms_customer_id text references customers (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the provider's response came: a state is used once.
  answered_at timestamptz,
  issuer text,
  subject text,
  -- Verified by the provider.
  email text,
  name text,
  ticket_hash bytea unique check (length(ticket_hash) = 32),
  ticket_expires_at timestamptz,
  ticket_used_at timestamptz,
  -- The account that has the address, and what its owner sends beside password or code.
  customer_id text references customers (id),
  link_hash bytea unique check (length(link_hash) = 32),
  link_expires_at timestamptz,
  -- HMAC of id and code; null: no code was mailed.
  code_mac bytea check (length(code_mac) = 32),
  code_expires_at timestamptz,
  -- Wrong codes so far, of all that were mailed.
  tries integer not null default 0,
  linked_at timestamptz,
  check ((ticket_hash is null) = (subject is null)),
  check ((link_hash is null) = (customer_id is null))
) with (fillfactor = 80);
create index sso_log_ins_to_purge on sso_log_ins (expires_at);
