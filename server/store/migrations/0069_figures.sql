-- compatible since: 44
-- The days (UTC) of organizations. No projection: housekeeping counts the sign-ins of a day once, from the log, with the
-- users at that time. Refused sign-ins are not in the log, so they are counted when they are recorded.
create table organization_days (
    owner text collate "C" not null,
    day date not null,
    -- Null: not counted yet. The other numbers are of the same time.
    counted_at timestamptz,
    sign_ins bigint not null default 0,
    refused_sign_ins bigint not null default 0,
    user_count int not null default 0,
    users_active_7_days int not null default 0,
    users_active_30_days int not null default 0,
    users_invited int not null default 0,
    users_with_one_passkey int not null default 0,
    users_locked int not null default 0,
    session_count int not null default 0,
    primary key (owner, day)
);
create index organization_days_by_day on organization_days (day);

-- Refused sign-ins of known users, one row for each cause and network. Not in the log: unauthenticated clients cause
-- them.
create table sign_in_refusals (
    user_id text collate "C" not null,
    owner text collate "C" not null,
    method text not null,
    reason text not null,
    -- Of the address of the client; empty: unknown.
    network text not null,
    count bigint not null,
    -- The last one.
    refused_at timestamptz not null,
    -- Of the last ones, newest first.
    request_ids text[] not null,
    primary key (user_id, method, reason, network)
);
create index sign_in_refusals_by_owner on sign_in_refusals (owner, refused_at, user_id);
create index sign_in_refusals_by_time on sign_in_refusals (refused_at);
