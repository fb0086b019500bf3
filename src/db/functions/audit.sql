-- Stores one row as it was hashed, in the caller's own transaction; returns its id.
create or replace function audit_append(entry jsonb) returns bigint
language plpgsql set search_path = public, pg_temp as $$
declare
  new_id bigint;
begin
  insert into audit_logs (
    entry_point, action, actor_type, actor_label, agent_identifier, api_key_id, customer_id,
    target_type, target, result, status_code, error_code, metadata, created_at, row_hash)
  values (
    entry->>'entry_point', entry->>'action', entry->>'actor_type', entry->>'actor_label',
    entry->>'agent_identifier', (entry->>'api_key_id')::bigint, entry->>'customer_id',
    entry->>'target_type', entry->>'target', entry->>'result', (entry->>'status_code')::integer,
    entry->>'error_code', entry->'metadata', (entry->>'created_at')::timestamptz,
    decode(entry->>'row_hash', 'hex'))
  returning id into new_id;
  return new_id;
end $$;

create or replace function audit_append_all(entries audit_entry[]) returns void
language plpgsql as $$
begin
  insert into audit_logs (
    entry_point, action, actor_type, actor_label, agent_identifier, api_key_id, customer_id,
    target_type, target, result, status_code, error_code, metadata, created_at, row_hash)
  select e.entry_point, e.action, e.actor_type, e.actor_label, e.agent_identifier, e.api_key_id,
         e.customer_id, e.target_type, e.target, e.result, e.status_code, e.error_code, e.metadata,
         e.created_at, decode(e.row_hash, 'hex')
    from unnest(entries) e;
end $$;
