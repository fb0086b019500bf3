-- The transfer code that a registry has now, and one that was sent and never confirmed: both are
-- sealed.
alter table domains
  add column auth_code_sealed text,
  add column auth_code_sent_sealed text;

-- Whatever ends a holding: its code is worth nothing from then on.
create function domains_forget_code_at_end() returns trigger
language plpgsql set search_path = pg_catalog, public as $$
begin
  new.auth_code_hash := null;
  new.auth_code_sealed := null;
  new.auth_code_sent_sealed := null;
  new.auth_code_expires_at := null;
  new.auth_code_unset_at := null;
  return new;
end $$;

create trigger domains_forget_code_at_end before insert or update on domains
  for each row when (new.ended_at is not null)
  execute function domains_forget_code_at_end();

-- Fires the trigger for holdings that ended before it was there.
update domains set updated_at = updated_at
  where ended_at is not null and (auth_code_hash is not null or auth_code_unset_at is not null);
