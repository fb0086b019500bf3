create unlogged table rate_limits (
  key text primary key,
  window_start bigint not null,
  used integer not null,
  granted integer not null
) with (fillfactor = 50);
