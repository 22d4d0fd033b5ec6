-- compatible since: 21
-- Projections. A membership is removed with its user and with its group.
create table groups (
    id            text collate "C" primary key,
    owner         text collate "C" not null,
    name          text collate "C" not null,
    display_name  text             not null,
    sequence      bigint           not null,
    creation_date timestamptz      not null,
    change_date   timestamptz      not null
);
create index groups_owner on groups (owner, id);
create index groups_name on groups (owner, name);

create table group_members (
    user_id       text collate "C" not null references users (id) on delete cascade,
    group_id      text collate "C" not null references groups (id) on delete cascade,
    sequence      bigint           not null,
    creation_date timestamptz      not null,
    change_date   timestamptz      not null,
    primary key (user_id, group_id)
);
create index group_members_group_id on group_members (group_id, user_id);

create table applications (
    id                             text collate "C" primary key,
    owner                          text collate "C" not null,
    kind                           text             not null,
    name                           text             not null,
    redirect_uris                  text[]           not null,
    post_logout_redirect_uris      text[]           not null,
    backchannel_logout_uri         text             not null,
    token_endpoint_auth_method     text             not null,
    jwks                           text             not null,
    jwks_uri                       text             not null,
    scopes                         text[]           not null,
    id_token_alg                   text             not null,
    first_party                    boolean          not null,
    requires_pkce                  boolean          not null,
    -- Ids. Those of removed groups remain; ids are never used again.
    allowed_groups                 text[]           not null,
    admits_groups_only             boolean          not null,
    audience                       text             not null,
    access_token_lifetime_seconds  int              not null,
    refresh_token_lifetime_seconds int              not null,
    refresh_token_idle_seconds     int              not null,
    logo                           bytea            not null,
    id_token_claims                text[]           not null,
    origins                        text[]           not null,
    sequence                       bigint           not null,
    creation_date                  timestamptz      not null,
    change_date                    timestamptz      not null
);
create index applications_owner on applications (owner, id);

create table application_secrets (
    application_id text collate "C" not null references applications (id) on delete cascade,
    secret_id      text collate "C" not null,
    -- The SHA-256 of a secret of 256 random bits.
    hash           bytea            not null,
    creation_date  timestamptz      not null,
    primary key (application_id, secret_id)
);
