-- When an order's latest attempt without an answer is known to have ended: until some time after
-- that the registry may still apply it, so the order's hold is not released.
-- compatible from: 0037
alter table orders add column unanswered_at timestamptz;
do $$
begin
  if to_regrole('agent_registrar_app') is not null then
    perform grant_updates(t) from append_only_tables t where t.name = 'orders';
  end if;
end $$;
