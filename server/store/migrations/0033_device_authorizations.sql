-- compatible since: 21
-- Authorizations that devices have started and people have not approved yet, or a while ago (RFC 8628). Approved ones
-- are rows of `oauth_authorizations`. No projection, and without foreign keys, as these.
create table device_authorizations (
    -- SHA-256
    device_code_hash bytea primary key,
    user_code_hash   bytea            not null unique,
    application_id   text collate "C" not null,
    scopes           text[]           not null,
    resource         text             not null,
    decision         text             not null default 'pending',
    -- Polls before this time make the interval longer.
    next_poll_at     timestamptz      not null,
    poll_seconds     int              not null,
    expires_at       timestamptz      not null
);
create index device_authorizations_expires_at on device_authorizations (expires_at);

-- The uses of user codes by each user, as a time of the generic cell rate algorithm.
create table user_code_budgets (
    user_id                text collate "C" primary key,
    theoretical_arrival_at timestamptz      not null
);
create index user_code_budgets_theoretical_arrival_at on user_code_budgets (theoretical_arrival_at);
