-- compatible since: 44
-- The algorithm of the application's client assertions, empty: any; and whether the URL of the token endpoint may be their
-- audience.
alter table applications
    add column token_endpoint_auth_signing_alg text not null default '',
    add column allows_token_endpoint_audience boolean not null default false;
