-- Marks the messages that one side sent as read by the other side, up to an event, or all if that
-- is null. Locks the conversation. Returns the number of messages that were unread, and of those
-- that are left.
create or replace function support_read(of_customer text, of_reader text, up_to bigint)
returns table (marked integer, unread integer)
language plpgsql as $$
declare
  now timestamptz(3);
  place bigint;
  newest text;
begin
  select last_event, case of_reader when 'customer' then customer_unread else operator_unread end
    into place, unread
    from support_threads where customer_id = of_customer for update;
  marked := 0;
  unread := coalesce(unread, 0);
  now := clock_timestamp();
  with read as (
    update support_messages set read_at = now
     where customer_id = of_customer and read_at is null and event <= coalesce(up_to, place)
       and (sender = 'customer') = (of_reader = 'operator')
    returning id, event
  )
  select count(*), (array_agg(id order by event desc))[1] into marked, newest from read;
  if marked = 0 then
    return next;
    return;
  end if;
  insert into support_events (customer_id, position, kind, message_id, reader, created_at)
  values (of_customer, place + 1, 'read', newest, of_reader, now);
  update support_threads
     set last_event = place + 1,
         customer_unread = customer_unread - case of_reader when 'customer' then marked else 0 end,
         operator_unread = operator_unread - case of_reader when 'operator' then marked else 0 end,
         waiting_since = case of_reader when 'customer' then waiting_since else (
           select min(m.created_at) from support_messages m
            where m.customer_id = of_customer and m.read_at is null and m.sender = 'customer') end
   where customer_id = of_customer;
  perform pg_notify('support_events', of_customer);
  unread := unread - marked;
  return next;
end $$;

-- Stores a message, unless the sender's idempotency key has one: then that message is returned, and
-- `replayed` is true. A message of an operator marks the customer's as read.
create or replace function support_post(
  of_customer text, new_id text, of_sender text, new_body text, new_key text,
  of_operator text default null)
returns table (id text, sender text, operator text, body text, created_at timestamptz,
               read_at timestamptz, replayed boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  now timestamptz(3);
  place bigint;
begin
  insert into support_threads (customer_id) values (of_customer)
  on conflict (customer_id) do nothing;
  perform from support_threads where customer_id = of_customer for update;
  return query
    select m.id, m.sender, m.operator, m.body, m.created_at::timestamptz, m.read_at::timestamptz,
           true
      from support_messages m
     where m.customer_id = of_customer and m.sender = of_sender and m.idempotency_key = new_key;
  if found then
    return;
  end if;
  if of_sender = 'operator' then
    perform from support_read(of_customer, 'operator', null);
  end if;
  select last_event + 1 into place from support_threads where customer_id = of_customer;
  now := clock_timestamp();
  insert into support_messages
    (id, customer_id, event, sender, operator, body, idempotency_key, created_at)
  values (new_id, of_customer, place, of_sender, of_operator, new_body, new_key, now);
  insert into support_events (customer_id, position, kind, message_id, created_at)
  values (of_customer, place, 'message', new_id, now);
  update support_threads
     set last_event = place, last_message_at = now,
         customer_unread = customer_unread + case of_sender when 'customer' then 0 else 1 end,
         operator_unread = operator_unread + case of_sender when 'customer' then 1 else 0 end,
         waiting_since = case of_sender when 'customer' then coalesce(waiting_since, now)
                                        else waiting_since end
   where customer_id = of_customer;
  perform pg_notify('support_events', of_customer);
  return query
    select new_id, of_sender, of_operator, new_body, now::timestamptz, null::timestamptz, false;
end $$;

-- Registers an event stream of a customer at a node, unless `most` are open at nodes whose lease is
-- valid. It begins after `last_event`, the newest event.
create or replace function support_open_stream(
  new_id text, of_customer text, at_node text, most integer, lease_ms integer)
returns table (opened boolean, last_event bigint)
language plpgsql as $$
#variable_conflict use_column
begin
  -- Serialized: two transactions that count at the same time would both see the last one free.
  perform pg_advisory_xact_lock(hashtextextended('support_streams ' || of_customer, 0));
  opened := most > (
    select count(*) from support_streams s join support_stream_nodes n on n.node = s.node
     where s.customer_id = of_customer and n.lease_until > clock_timestamp());
  if opened then
    insert into support_stream_nodes (node, lease_until)
    values (at_node, clock_timestamp() + lease_ms * interval '1 millisecond')
    on conflict (node) do update set lease_until = excluded.lease_until;
    insert into support_streams (id, customer_id, node) values (new_id, of_customer, at_node);
  end if;
  last_event := coalesce(
    (select t.last_event from support_threads t where t.customer_id = of_customer), 0);
  return next;
end $$;
