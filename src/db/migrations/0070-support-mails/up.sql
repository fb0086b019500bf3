-- compatible from: 0001
alter table support_threads
  -- Up to this position the operators were mailed about the customer's messages.
  add column operators_mailed_event bigint not null default 0 check (operators_mailed_event >= 0),
  -- When the operators were last mailed; null: not yet.
  add column operators_mailed_at timestamptz(3);
-- Each message that is there was mailed when it was written.
update support_threads set operators_mailed_event = last_event;
