-- Identifiers and unique values are `collate "C"`: they compare by bytes, which is faster, and no
-- update of the operating system's collations can leave their indexes in a wrong order.

-- The log: what happened, and nothing else is the truth. Everything under "Projections" can be
-- rebuilt from it. `sequence` is a hybrid logical clock: microseconds since the Unix epoch,
-- strictly increasing within an aggregate.
create table events (
    aggregate_id   text collate "C" not null,
    sequence       bigint           not null,
    aggregate_type text             not null,
    event_type     text             not null,
    revision       smallint         not null,
    payload        jsonb            not null,
    creator        text             not null,
    owner          text collate "C" not null,
    created_at     timestamptz      not null,
    primary key (aggregate_id, sequence)
);
create index events_created_at on events using brin (created_at);

create function events_are_append_only() returns trigger language plpgsql as $$
begin
    raise exception 'events are append-only: % is refused', lower(tg_op);
end $$;
create trigger events_are_append_only before update or delete or truncate on events
    for each statement execute function events_are_append_only();
-- Twice, since no privilege binds a superuser, and an owner could disable the trigger by mistake.
revoke update, delete, truncate on events from current_user;

-- Projections. Each is keyed by its aggregate; `sequence` is that of the last event of the object.
create table organizations (
    id            text collate "C" primary key,
    name          text             not null,
    is_default    boolean          not null,
    sequence      bigint           not null,
    creation_date timestamptz      not null,
    change_date   timestamptz      not null
);

-- One row an aggregate: tokens and passkeys belong to their user's aggregate, so their events move
-- its sequence too.
create table users (
    id            text collate "C" primary key,
    owner         text collate "C" not null,
    user_name     text             not null,
    display_name  text             not null,
    email         text             not null,
    roles         text[]           not null,
    user_handle   bytea            not null,
    passkey_count int              not null,
    sequence      bigint           not null,
    creation_date timestamptz      not null,
    change_date   timestamptz      not null
);
create index users_owner on users (owner, id);
create index users_instance_owners on users (id) where 'INSTANCE_OWNER' = any(roles);

create table tokens (
    user_id       text collate "C" not null references users (id) on delete cascade,
    token_id      text collate "C" not null,
    name          text             not null,
    creator       text             not null,
    hash          bytea            not null,
    expires_at    timestamptz,
    sequence      bigint           not null,
    creation_date timestamptz      not null,
    change_date   timestamptz      not null,
    primary key (user_id, token_id)
);
-- Not unique: a hash of 256 random bits cannot meet another, and a distributed table could not
-- enforce it.
create index tokens_hash on tokens (hash);

create table passkeys (
    user_id             text collate "C" not null references users (id) on delete cascade,
    passkey_id          text collate "C" not null,
    name                text             not null,
    began_by            text             not null,
    rp_id               text             not null,
    credential_id       bytea            not null,
    public_key          bytea            not null,
    algorithm           int              not null,
    sign_count          bigint           not null,
    aaguid              text             not null,
    transports          text[]           not null,
    attachment          text             not null,
    attestation_format  text             not null,
    attestation_type    text             not null,
    attestation_trusted boolean          not null,
    user_verified       boolean          not null,
    backup_eligible     boolean          not null,
    backed_up           boolean          not null,
    origin              text             not null,
    top_origin          text             not null,
    last_used_at        timestamptz,
    sequence            bigint           not null,
    creation_date       timestamptz      not null,
    change_date         timestamptz      not null,
    primary key (user_id, passkey_id)
);

create table idps (
    id            text collate "C" primary key,
    owner         text collate "C" not null,
    name          text             not null,
    styling_type  int              not null,
    auto_register boolean          not null,
    sequence      bigint           not null,
    creation_date timestamptz      not null,
    change_date   timestamptz      not null
);
create index idps_owner on idps (owner, id);

-- At most one row: that is what "only if none is set" means under any concurrency.
create table smtp_configs (
    singleton          boolean          primary key default true check (singleton),
    id                 text collate "C" not null,
    owner              text collate "C" not null,
    sender_address     text             not null,
    sender_name        text             not null,
    tls                boolean          not null,
    host               text             not null,
    user_name          text             not null,
    password_secret_id text,
    sequence           bigint           not null,
    creation_date      timestamptz      not null,
    change_date        timestamptz      not null
);

-- What must be unique across aggregates: the name of an organization, of a user within one, a
-- credential id.
create table unique_claims (
    kind         text collate "C" not null,
    value        text collate "C" not null,
    aggregate_id text collate "C" not null,
    primary key (kind, value)
);
create index unique_claims_aggregate_id on unique_claims (aggregate_id);

-- Not projections: nothing of these is in the log.

-- Secrets, encrypted. Events and projections hold the secret_id only, so removing one erases it for
-- good and the log stays untouched when keys rotate.
create table secrets (
    aggregate_id text collate "C" not null,
    secret_id    text collate "C" not null,
    key_id       text             not null,
    ciphertext   bytea            not null,
    primary key (aggregate_id, secret_id)
);

-- Registration ceremonies. The columns from `rp_id` to `attestation` are a snapshot of the policy:
-- later settings do not reinterpret a running ceremony.
create table passkey_ceremonies (
    user_id                 text collate "C" not null,
    passkey_id              text collate "C" not null,
    challenge               bytea            not null,
    rp_id                   text             not null,
    rp_name                 text             not null,
    origins                 text[]           not null,
    top_origins             text[]           not null,
    algorithms              int[]            not null,
    user_verification       text             not null,
    attestation             text             not null,
    creator                 text             not null,
    registration_token_hash bytea            not null,
    attempts                int              not null default 0,
    verified_at             timestamptz,
    created_at              timestamptz      not null,
    expires_at              timestamptz      not null,
    primary key (user_id, passkey_id)
);
create index passkey_ceremonies_registration_token_hash
    on passkey_ceremonies (registration_token_hash);
create index passkey_ceremonies_expires_at on passkey_ceremonies (expires_at);
