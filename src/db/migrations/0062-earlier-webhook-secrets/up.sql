-- compatible from: 0001

-- Secrets of a webhook before its previous one, which sign for their day as well: a secret that is
-- replaced twice within a day does not cut off the receiver that has the first.
create table webhook_secrets (
  id bigint generated always as identity primary key,
  webhook_id text not null references webhooks (id) on delete cascade,
  -- Sealed with ENCRYPTION_KEY.
  sealed text not null,
  signs_until timestamptz not null
);
create index webhook_secrets_of_webhook on webhook_secrets (webhook_id, signs_until);
create index webhook_secrets_to_purge on webhook_secrets (signs_until);
