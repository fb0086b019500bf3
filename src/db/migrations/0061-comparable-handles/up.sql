-- compatible from: 0001
-- no transaction

-- As handles are compared (src/db/comparable-name.ts). It is not unique: two contacts of before may
-- have handles that look alike, and keep them.
create index concurrently contacts_handle_as_seen on contacts (customer_id, (
  lower(btrim(regexp_replace(normalize(regexp_replace(normalize(handle, NFKC),
    '[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-' ||
    '\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff' ||
    '\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-' ||
    '\U000e0fff]',
    '', 'g'), NFKC), '\s+', ' ', 'g')) collate "C")
));
