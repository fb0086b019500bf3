-- compatible from: 0001
-- Until when a zone is served though its domain has other name servers already, for resolvers that
-- know the former delegation; null: it is delegated to us.
alter table zones add column leaves_at timestamptz;
