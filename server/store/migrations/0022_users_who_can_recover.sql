-- compatible since: 21
-- Finds the users of a mail address who can recover by mail, organization by organization
-- (`user_aggregate.list_recoverable`).
create index if not exists users_recoverable on users (lower(normalize(email, nfkc)), owner, id)
    where email <> '' and passkey_count > 0 and roles = '{}';
