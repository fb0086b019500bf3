-- The conversation of a customer with the operators. Every change of it locks its row until the
-- transaction ends, so that the positions of its events have no gap and are committed in order: a
-- reader that continues after a position never skips one that is committed late.
create table support_threads (
  customer_id text primary key references customers (id),
  -- Position of the newest event.
  last_event bigint not null default 0 check (last_event >= 0),
  last_message_at timestamptz(3) not null default clock_timestamp(),
  -- Messages that the customer, and that the operators have not read.
  customer_unread integer not null default 0 check (customer_unread >= 0),
  operator_unread integer not null default 0 check (operator_unread >= 0),
  -- When the oldest message that no operator has read was written.
  waiting_since timestamptz(3),
  -- Up to this position the owner was mailed about messages.
  mailed_event bigint not null default 0 check (mailed_event >= 0),
  constraint support_threads_waiting check ((operator_unread = 0) = (waiting_since is null))
);
create index support_threads_by_wait on support_threads (waiting_since, customer_id)
  where waiting_since is not null;
create index support_threads_by_time on support_threads (last_message_at, customer_id)
  where waiting_since is null;
create index support_threads_old on support_threads (last_message_at);

create table support_messages (
  id text primary key,
  customer_id text not null references support_threads (customer_id) on delete cascade,
  -- Position of its event.
  event bigint not null check (event >= 1),
  sender text not null check (sender in ('customer', 'operator', 'system')),
  -- The name of the operator's key, for the operators alone.
  operator text check (operator is null or sender = 'operator'),
  body text not null check (length(body) between 1 and 4000),
  -- Of the request that sent it.
  idempotency_key text,
  created_at timestamptz(3) not null,
  -- By the other side.
  read_at timestamptz(3),
  constraint support_messages_event unique (customer_id, event),
  constraint support_messages_once unique (customer_id, sender, idempotency_key)
);
create index support_messages_unread on support_messages (customer_id, event)
  where read_at is null;

-- The events of a conversation, as its streams send them.
create table support_events (
  customer_id text not null references support_threads (customer_id) on delete cascade,
  position bigint not null check (position >= 1),
  kind text not null check (kind in ('message', 'read')),
  -- Of a read event the newest message that was read.
  message_id text not null references support_messages (id) on delete cascade,
  -- Of a read event: who read.
  reader text check (reader in ('customer', 'operator')),
  created_at timestamptz(3) not null,
  primary key (customer_id, position),
  constraint support_events_reader check ((kind = 'read') = (reader is not null))
);
create index support_events_of_message on support_events (message_id);

-- Nodes with open event streams. A node renews its row, and ends its streams when it could not. A
-- lease that has expired does not count.
create unlogged table support_stream_nodes (
  node text primary key,
  lease_until timestamptz not null
) with (fillfactor = 50);
create index support_stream_nodes_old on support_stream_nodes (lease_until);

-- Open event streams of customers, over all nodes.
create unlogged table support_streams (
  id text primary key,
  customer_id text not null,
  node text not null references support_stream_nodes (node) on delete cascade
);
create index support_streams_of_customer on support_streams (customer_id);
create index support_streams_of_node on support_streams (node);
