-- compatible since: 44
-- People, whom CountUsers counts by this index alone: users with an address or a passkey who are not locked.
create index if not exists users_people on users (owner, passkey_count)
    where locked_at is null and (email <> '' or passkey_count > 0);
