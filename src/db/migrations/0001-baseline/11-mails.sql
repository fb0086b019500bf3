-- An event is mailed once, however often it is reported. A key is deleted together with its mail.
create table mail_dedupe_keys (
  dedupe_key text primary key,
  mail_id text collate "C" not null,
  unique (mail_id, dedupe_key)
);

-- The outbox of mails. A row is written in the transaction of its event.
create table mails (
  -- Its Message-ID is made of it, so a mail that is sent twice can be known as one.
  -- It begins with its time, which the partitions go by.
  id text collate "C" primary key check (id ~ '^mail_[0-9a-hjkmnp-tv-z]{26}$'),
  -- Null: mail to an address without an account (yet).
  customer_id text references customers (id),
  -- The event, named by the module that it belongs to.
  kind text not null check (kind ~ '^[a-z][a-z0-9_]{0,62}$'),
  -- Unique over all partitions by its key.
  dedupe_key text not null check (length(dedupe_key) between 1 and 400),
  recipient text not null check (
    recipient ~ '^[\x21-\x3f\x41-\x7e]+@[a-z0-9.-]+$' and length(recipient) between 3 and 320),
  subject text not null check (length(subject) between 1 and 200 and subject !~ '[\x01-\x1f\x7f]'),
  -- Null once it is purged, 30 days after the end.
  body text,
  -- The same without head and footer; null once it is purged, and for a mail without HTML.
  html text,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  created_at timestamptz not null default clock_timestamp(),
  -- When it was sent, or given up.
  ended_at timestamptz,
  -- The text is sealed while it waits, as it holds a secret, and is purged once it was sent.
  sealed boolean not null default false,
  -- The sign-up, reset or change of address that it answers; null: a mail about something else.
  request_id text collate "C",
  foreign key (id, dedupe_key) references mail_dedupe_keys (mail_id, dedupe_key)
    on delete cascade,
  check ((ended_at is null) = (state = 'queued')),
  check (body is not null or state in ('sent', 'failed'))
) partition by range (id);
create index mails_ended on mails (ended_at) where ended_at is not null;
create index mails_texts_to_purge on mails (ended_at)
  where ended_at is not null and body is not null;
create index mails_of_recipient on mails (recipient, id);
create index mails_of_request on mails (request_id, id) where request_id is not null;
create index mails_failed on mails (ended_at) where state = 'failed';
select make_partitioned('mails', true, 'mail', 80);
