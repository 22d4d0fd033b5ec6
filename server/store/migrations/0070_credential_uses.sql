-- compatible since: 44
-- The last use of a token of a user, or of a secret of an application. Not a projection: nothing of it is in the log.
create table credential_uses (
    credential_id text collate "C" primary key,
    last_used_at  timestamptz not null
) with (fillfactor = 90);
create index credential_uses_last_used_at on credential_uses (last_used_at);
