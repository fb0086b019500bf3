-- To which provider of DNS the zones are pushed.
-- compatible from: 0037

-- provider: which one all nodes push to. Null: none, the name server in each node's process serves.
-- requeue_after: how far, by name, the zones were queued for it; null: all are.
alter table own_nameservers
  add column provider text,
  add column requeue_after text;
-- Null where a zone changed and no provider was there to be told.
alter table zones alter column push_at drop not null;
