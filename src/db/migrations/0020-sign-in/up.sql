-- How a person signs in: a password, sessions, mailed links, and the count of what failed.
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
  address text not null
) with (fillfactor = 80);
create index sessions_of_customer on sessions (customer_id, created_at);
create index sessions_to_forget on sessions (expires_at);

-- A mailed way to a new password. Who asks for a reset gets a row, whoever that is.
create table password_links (
  id text primary key check (id ~ '^pwl_[0-9a-hjkmnp-tv-z]{26}$'),
  kind text not null check (kind in ('setup', 'reset')),
  -- In lower case; the link is good only while this is the account's address.
  email text not null check (length(email) between 3 and 320),
  -- Null: nobody looked yet, or nobody has that address.
  customer_id text references customers (id),
  token_hash bytea unique check (length(token_hash) = 32),
  -- HMAC of id and code, as a digest of six digits alone is soon guessed.
  code_mac bytea check (length(code_mac) = 32),
  -- Wrong codes so far.
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When its mail was queued, or it was found that there is nobody to write to.
  answered_at timestamptz,
  used_at timestamptz,
  -- Where a reset was asked from: an address that calls are counted by.
  address text,
  check ((customer_id is null) = (token_hash is null)),
  check (kind = 'reset' or customer_id is not null)
);
create index password_links_to_answer on password_links (created_at) where answered_at is null;
create index password_links_of_customer on password_links (customer_id)
  where customer_id is not null and used_at is null;
create index password_links_to_forget on password_links (expires_at);

-- Buckets of failures that run dry by themselves. Not worth a log: a crash forgives everybody.
create unlogged table sign_in_failures (
  key text primary key,
  level double precision not null,
  at timestamptz not null
) with (fillfactor = 50);
create index sign_in_failures_to_forget on sign_in_failures (at);

-- Where an account was signed in to with its password: guessers elsewhere do not shut it there.
create table sign_in_places (
  customer_id text not null references customers (id),
  address text not null,
  last_at timestamptz not null,
  primary key (customer_id, address)
) with (fillfactor = 80);
create index sign_in_places_to_forget on sign_in_places (last_at);

-- Puts one unit into each of the buckets, or into none when one is full: then the seconds until it
-- may be tried again, else 0. Bucket i holds most[i] units and loses one every dry_s[i] seconds.
create function sign_in_take(keys text[], most float8[], dry_s float8[]) returns float8
language plpgsql as $$
declare
  -- Rows in the order of their keys, so that takers of the same ones never wait for each other.
  ordered constant text[] := array(select k from unnest(keys) k order by k);
  now timestamptz;
  wait_s float8;
begin
  insert into sign_in_failures (key, level, at)
  select k, 0, clock_timestamp() from unnest(ordered) k
  on conflict (key) do nothing;
  perform from sign_in_failures where key = any (ordered) order by key for update;
  now := clock_timestamp();
  select max((level_now + 1 - b.most) * b.dry_s)
    into wait_s
    from unnest(keys, most, dry_s) as b (key, most, dry_s)
    join sign_in_failures f on f.key = b.key
   cross join lateral (
     select greatest(0, f.level - extract(epoch from now - f.at) / b.dry_s) as level_now) l;
  if wait_s > 0 then
    return wait_s;
  end if;
  update sign_in_failures f
     set level = greatest(0, f.level - extract(epoch from now - f.at) / b.dry_s) + 1, at = now
    from unnest(keys, dry_s) as b (key, dry_s)
   where f.key = b.key;
  return 0;
end $$;

-- Takes the unit back, of what turned out to be no failure; empties the buckets of `emptied`.
create function sign_in_give_back(keys text[], emptied text[]) returns void
language plpgsql as $$
begin
  perform from sign_in_failures where key = any (keys || emptied) order by key for update;
  update sign_in_failures set level = greatest(0, level - 1) where key = any (keys);
  update sign_in_failures set level = 0 where key = any (emptied);
end $$;

-- The text is sealed while it waits, as it holds a secret, and is forgotten once it was sent.
alter table mails add column sealed boolean not null default false;
