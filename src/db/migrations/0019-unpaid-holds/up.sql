alter table domains
  -- We set clientHold because nobody pays for it and it cannot be deleted. When its lifting is
  -- tried next, by the registries' time; it waits for the payment.
  add column lift_hold_at timestamptz;
create index domains_on_unpaid_hold on domains (lift_hold_at)
  where lift_hold_at is not null and ended_at is null;

-- Its owner could not be told how the order ended; when that is tried next.
alter table orders add column tell_again_at timestamptz;

create index registry_messages_acked on registry_messages (acked_at) where acked_at is not null;
