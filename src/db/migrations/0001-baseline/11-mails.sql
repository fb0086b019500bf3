-- The outbox of mails. A row is written in the transaction of its event.
create table mails (
  -- Its Message-ID is made of it, so a mail that is sent twice can be known as one.
  id text primary key check (id ~ '^mail_[0-9a-hjkmnp-tv-z]{26}$'),
  -- Null: mail to an address without an account (yet).
  customer_id text references customers (id),
  -- The event, named by the module that it belongs to.
  kind text not null check (kind ~ '^[a-z][a-z0-9_]{0,62}$'),
  -- The same event queues one mail, however often it is reported.
  dedupe_key text not null check (length(dedupe_key) between 1 and 400),
  recipient text not null check (
    recipient ~ '^[\x21-\x3f\x41-\x7e]+@[a-z0-9.-]+$' and length(recipient) between 3 and 320),
  subject text not null check (length(subject) between 1 and 200 and subject !~ '[\x01-\x1f\x7f]'),
  -- Null once it is purged, 30 days after the end.
  body text,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  created_at timestamptz not null default clock_timestamp(),
  -- When it was sent, or given up.
  ended_at timestamptz,
  -- The text is sealed while it waits, as it holds a secret, and is purged once it was sent.
  sealed boolean not null default false,
  check ((ended_at is null) = (state = 'queued')),
  check (body is not null or state in ('sent', 'failed'))
) with (fillfactor = 80);
create unique index mails_once on mails (dedupe_key);
create index mails_ended on mails (ended_at) where ended_at is not null;
create index mails_texts_to_purge on mails (ended_at)
  where ended_at is not null and body is not null;
create index mails_failed on mails (ended_at) where state = 'failed';
