-- compatible from: 0001
-- A purchase of a batch that is not placed: its position in the batch, and the rest as orders_place
-- returns it.
create type order_rejection as (i integer, outcome text, order_id text, available bigint);
