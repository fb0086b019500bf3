-- compatible from: 0001
-- no transaction

-- Of an account, for their number: one may have many that were revoked.
create index concurrently api_keys_active on api_keys (customer_id) where revoked_at is null;
