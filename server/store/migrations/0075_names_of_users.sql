-- compatible since: 44
-- The order of the lists of users by name: the display name, or else the user name, without case and accents. An entry
-- of an index holds no more than 2,700 bytes.
create index if not exists users_name on users (owner, (left((lower(normalize(regexp_replace(
    normalize(coalesce(nullif(display_name, ''), user_name), nfkd), '[\u0300-\u036f]', '', 'g'), nfkc)
    collate case_folding) collate "C"), 100) collate "C"), id);
