-- compatible from: 0001
-- Only orders_place called it, which calls orders_unauthorized now; no node replaces that again.
drop function if exists limits_ended(order_placing[], timestamptz);
