-- A projection. The settings are removed with their provider.
create table idp_oidc_configs (
    idp_id                     text collate "C" primary key references idps (id) on delete cascade,
    issuer                     text             not null,
    client_id                  text             not null,
    client_secret_id           text,
    scopes                     text[]           not null,
    token_endpoint_auth_method text             not null,
    logo                       bytea            not null,
    background_color           text             not null,
    text_color                 text             not null,
    sequence                   bigint           not null,
    creation_date              timestamptz      not null,
    change_date                timestamptz      not null
);
