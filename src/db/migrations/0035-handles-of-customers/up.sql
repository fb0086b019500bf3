-- compatible from: 0035
-- no transaction
create unique index concurrently contacts_handle_of_customer
  on contacts (customer_id, lower(handle collate "C"));
drop index concurrently if exists contacts_handle;
