-- A provider client is also behind when its own digest is written and is not the wanted one.
-- compatible from: 0037
create or replace trigger provider_clients_enqueue
  after update of digest, wanted_digest on provider_clients
  for each row when (
    new.wanted_digest is not null and new.digest is distinct from new.wanted_digest
    and (old.wanted_digest is distinct from new.wanted_digest
         or old.digest is distinct from new.digest))
  execute function provider_clients_enqueue();
