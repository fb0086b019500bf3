-- A mail and a request for a new password wait in the task queue.
-- compatible from: 0037
create function mails_enqueue() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'send_mail', new.id, '', jsonb_build_object('mail_id', new.id), new.run_at, 'keep');
  return null;
end $$;
-- A mail of the version before, which does not enqueue. This version writes the token 'tasks'.
create trigger mails_enqueue after insert on mails
  for each row when (new.state = 'queued' and new.lease_token is null)
  execute function mails_enqueue();
-- An operator sends it again.
create trigger mails_enqueue_again after update of state on mails
  for each row when (new.state = 'queued' and old.state in ('sent', 'failed'))
  execute function mails_enqueue();
insert into tasks (kind, key, payload, run_at, attempts, created_at)
  select 'send_mail', id, jsonb_build_object('mail_id', id), run_at, attempts, created_at
    from mails where state in ('queued', 'sending');

create function password_links_enqueue() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'answer_password_reset', new.id, '', jsonb_build_object('request_id', new.id),
    clock_timestamp(), 'keep');
  return null;
end $$;
create trigger password_links_enqueue after insert on password_links
  for each row when (new.answered_at is null) execute function password_links_enqueue();
insert into tasks (kind, key, payload, created_at)
  select 'answer_password_reset', id, jsonb_build_object('request_id', id), created_at
    from password_links where answered_at is null;
