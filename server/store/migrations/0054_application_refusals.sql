-- compatible since: 44
-- Refused requests of applications, one row for each cause and value. Not in the log: anybody can cause them.
create table application_refusals (
    application_id text not null,
    owner text not null,
    endpoint text not null,
    reason text not null,
    parameter text not null,
    value text not null,
    count bigint not null,
    -- The last one.
    refused_at timestamptz not null,
    -- Of the last ones, newest first.
    request_ids text[] not null,
    primary key (application_id, endpoint, reason, parameter, value)
);
create index application_refusals_by_owner on application_refusals (owner, refused_at);
create index application_refusals_by_time on application_refusals (refused_at);
-- Whether users without a mail address are refused.
alter table applications add column requires_email boolean not null default false;
