-- compatible from: 0001

-- The maker of a key. Null: it is older than this column; where its maker is a key or an app, their
-- ids name it.
alter table api_keys add column made_by text
  check (made_by in ('owner', 'api_key', 'app', 'operator', 'service'));

-- The key or the app that made a webhook, or gave it its URL, and with which it ends. Null of both:
-- the owner, or it is older than these columns.
alter table webhooks
  add column made_by text check (made_by in ('owner', 'api_key', 'app')),
  add column api_key_id bigint references api_keys (id),
  -- No reference: consents are purged earlier.
  add column oauth_grant_id text,
  add constraint webhooks_maker check (num_nonnulls(api_key_id, oauth_grant_id) <= 1);
