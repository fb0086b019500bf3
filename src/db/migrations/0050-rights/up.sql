-- compatible from: 0001
-- The session, the API key as it was sent (SHA-256, hexadecimal) and the address of a purchase:
-- orders_place looks at them again.
alter type order_placing
  add attribute session_id bigint, add attribute key_hash text, add attribute address text;
