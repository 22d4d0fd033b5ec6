alter table organizations add column allows_mail_recovery boolean not null default false;

-- Finds the users of a mail address in any of its spellings (`user_aggregate.address_key`).
create index users_address on users (lower(normalize(email, nfkc))) where email <> '';

-- 'registration' or 'recovery'.
alter table passkey_links add column purpose text not null default 'registration';

-- Requests for recovery links that are to be looked at. Not a projection, and never long: rows are
-- deleted once the address was looked up, and nothing is written while there are too many.
create table recovery_requests (
    address      text        primary key,
    requested_at timestamptz not null,
    due_at       timestamptz not null
);
