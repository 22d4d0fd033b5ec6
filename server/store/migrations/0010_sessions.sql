-- A projection. A session ends with its user and with its passkey. `hash` is that of the token.
create table sessions (
    user_id          text collate "C" not null references users (id) on delete cascade,
    session_id       text collate "C" not null,
    passkey_id       text collate "C" not null,
    hash             bytea            not null,
    authenticated_at timestamptz      not null,
    expires_at       timestamptz      not null,
    sequence         bigint           not null,
    creation_date    timestamptz      not null,
    change_date      timestamptz      not null,
    primary key (user_id, session_id),
    foreign key (user_id, passkey_id) references passkeys (user_id, passkey_id) on delete cascade
);
create index sessions_hash on sessions (hash);
create index sessions_expires_at on sessions (expires_at);

-- Not projections: nothing of these is in the log. What identifies a person's device can be erased.
-- `user_id` refers to nothing: a rebuild deletes sessions and puts them back.
create table session_activity (
    user_id      text collate "C" not null,
    session_id   text collate "C" not null,
    last_seen_at timestamptz      not null,
    device_name  text             not null,
    user_agent   text             not null,
    ip_address   text             not null,
    primary key (user_id, session_id)
) with (fillfactor = 90);

-- Challenges of sign-ins that were completed. The primary key is what lets a challenge be used once.
create table used_challenges (
    challenge  bytea       primary key,
    expires_at timestamptz not null
);
create index used_challenges_expires_at on used_challenges (expires_at);
