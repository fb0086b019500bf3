-- Leaky buckets: puts one unit into each of them, or into none when one is full. Returns the
-- seconds until it may be tried again, or 0. Bucket i holds most[i] units and loses one every
-- drain_s[i] seconds.
create or replace function sign_in_take(keys text[], most float8[], drain_s float8[]) returns float8
language plpgsql as $$
declare
  -- Rows are locked in the order of their keys, so that concurrent calls do not deadlock.
  ordered constant text[] := array(select k from unnest(keys) k order by k);
  now timestamptz;
  wait_s float8;
begin
  insert into sign_in_failures (key, level, at)
  select k, 0, clock_timestamp() from unnest(ordered) k
  on conflict (key) do nothing;
  perform from sign_in_failures where key = any (ordered) order by key for update;
  now := clock_timestamp();
  select max((level_now + 1 - b.most) * b.drain_s)
    into wait_s
    from unnest(keys, most, drain_s) as b (key, most, drain_s)
    join sign_in_failures f on f.key = b.key
   cross join lateral (
     select greatest(0, f.level - extract(epoch from now - f.at) / b.drain_s) as level_now) l;
  if wait_s > 0 then
    return wait_s;
  end if;
  update sign_in_failures f
     set level = greatest(0, f.level - extract(epoch from now - f.at) / b.drain_s) + 1, at = now
    from unnest(keys, drain_s) as b (key, drain_s)
   where f.key = b.key;
  return 0;
end $$;

-- Removes the unit of an attempt that was no failure; empties the buckets of `emptied`.
create or replace function sign_in_give_back(keys text[], emptied text[]) returns void
language plpgsql as $$
begin
  perform from sign_in_failures where key = any (keys || emptied) order by key for update;
  update sign_in_failures set level = greatest(0, level - 1) where key = any (keys);
  update sign_in_failures set level = 0 where key = any (emptied);
end $$;

-- Enqueues the task of the kind that the trigger names, which answers the request by mail.
create or replace function mail_requests_enqueue() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    tg_argv[0], new.id, '', jsonb_build_object('request_id', new.id), clock_timestamp(), 'keep');
  return null;
end $$;

create or replace trigger password_links_enqueue after insert on password_links
  for each row when (new.answered_at is null)
  execute function mail_requests_enqueue('answer_password_reset');

create or replace trigger sign_ups_enqueue after insert or update of answered_at on sign_ups
  for each row when (new.answered_at is null)
  execute function mail_requests_enqueue('answer_sign_up');

-- Sets a customer's verified email address. False if another customer has it, including one that
-- sets it concurrently.
create or replace function customers_change_email(
  customer text, address text, changed_at timestamptz
) returns boolean
language plpgsql as $$
begin
  update customers set email = address, email_verified = true, updated_at = changed_at
   where id = customer;
  return found;
exception
  when unique_violation then return false;
end $$;
