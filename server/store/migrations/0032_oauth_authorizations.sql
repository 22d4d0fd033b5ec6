-- compatible since: 21
-- Approved authorizations: a code, and later a family of refresh tokens. No projection, and without foreign keys, since a
-- rebuild deletes and reinserts users and applications.
create table oauth_authorizations (
    authorization_id    text collate "C" primary key,
    application_id      text collate "C" not null,
    user_id             text collate "C" not null,
    session_id          text collate "C" not null,
    redirect_uri        text             not null,
    code_challenge      text             not null,
    nonce               text             not null,
    scopes              text[]           not null,
    id_token_claims     text[]           not null,
    user_info_claims    text[]           not null,
    resource            text             not null,
    -- SHA-256
    code_hash           bytea            not null unique,
    code_expires_at     timestamptz      not null,
    code_used_at        timestamptz,
    -- Of refresh tokens: the SHA-256 of the half that names the family, and of whole tokens.
    family              bytea unique,
    generation          bytea,
    previous_generation bytea,
    rotated_at          timestamptz,
    idle_expires_at     timestamptz,
    expires_at          timestamptz      not null
);
create index oauth_authorizations_user_id on oauth_authorizations (user_id, application_id);
create index oauth_authorizations_expires_at on oauth_authorizations (expires_at);

-- Projection: the scopes that a user granted to an application.
create table application_grants (
    user_id        text collate "C" not null references users (id) on delete cascade,
    application_id text collate "C" not null,
    scopes         text[]           not null,
    sequence       bigint           not null,
    creation_date  timestamptz      not null,
    change_date    timestamptz      not null,
    primary key (user_id, application_id)
);
