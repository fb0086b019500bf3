-- compatible from: 0035
-- no transaction
create index concurrently domains_by_name_of_customer
  on domains (customer_id, (name collate "C"))
  where ended_at is null and customer_id is not null;
