-- Metrics of the whole service, read by one node for all of them; the newest reading alone is
-- kept. Unlogged: it is soon read again.
create unlogged table metric_snapshots (
  is_only boolean primary key default true check (is_only),
  -- When a node began to read, so that no other does at the same time.
  claimed_at timestamptz not null,
  taken_at timestamptz,
  -- [{"metric", "labels", "value"}]
  samples jsonb
) with (fillfactor = 50);

-- The newest comparison of the ledger with its evidence.
create table ledger_checks (
  is_only boolean primary key default true check (is_only),
  began_at timestamptz not null,
  finished_at timestamptz not null,
  -- Every currency is balanced, and nothing differs.
  sound boolean not null,
  -- Amounts that differ from their evidence.
  differing integer not null check (differing >= 0)
);
