-- Keys that sign session JWTs. Not a projection: nothing of them is in the log. The private key is in `secrets`.
create table signing_keys (
    kid        text collate "C" primary key, -- the JWK thumbprint (RFC 7638)
    public_key text             not null,    -- a JWK (RFC 7517)
    created_at timestamptz      not null,
    signs_at   timestamptz      not null
);

-- Whether the sign-in of the session verified its user.
alter table sessions add column user_verified boolean not null default false;
update sessions set user_verified = coalesce((
    select (payload->>'user_verified')::boolean from events
    where events.aggregate_id = sessions.user_id
        and event_type in ('user.session_started', 'user.session_renewed')
        and payload->>'session_id' = sessions.session_id
    order by events.sequence desc limit 1), false);
