-- A mail that was given up is sent again when an operator sets its state to queued.
create or replace function mails_requeue() returns trigger
language plpgsql as $$
begin
  new.ended_at := null;
  perform tasks_enqueue(
    'send_mail', new.id, '', jsonb_build_object('mail_id', new.id), clock_timestamp(), 'keep');
  return new;
end $$;

create or replace trigger mails_requeue before update of state on mails
  for each row when (new.state = 'queued' and old.state in ('sent', 'failed'))
  execute function mails_requeue();
