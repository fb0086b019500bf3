-- Enqueues the sending of a mail.
create or replace function mails_enqueue() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'send_mail', new.id, '', jsonb_build_object('mail_id', new.id), new.run_at, 'keep');
  return null;
end $$;

-- A mail of the version before, which does not enqueue. This version writes the token 'tasks'.
create or replace trigger mails_enqueue after insert on mails
  for each row when (new.state = 'queued' and new.lease_token is null)
  execute function mails_enqueue();
-- An operator requeues it.
create or replace trigger mails_enqueue_again after update of state on mails
  for each row when (new.state = 'queued' and old.state in ('sent', 'failed'))
  execute function mails_enqueue();
