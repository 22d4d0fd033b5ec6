-- compatible since: 44
-- A projection: mail domains that organizations have claimed.
create table mail_domains (
    id            text collate "C" primary key,
    owner         text collate "C" not null,
    domain        text collate "C" not null,
    -- Empty: any provider. No foreign key: without its provider, a domain must not count for the others.
    idp_id        text collate "C" not null,
    challenge     text             not null,
    -- Null: not proven.
    proven_at     timestamptz,
    missed_at timestamptz,
    sequence      bigint           not null,
    creation_date timestamptz      not null,
    change_date   timestamptz      not null
);
create index mail_domains_owner on mail_domains (owner, id);
create index mail_domains_domain on mail_domains (domain, owner);
create index mail_domains_proven on mail_domains (id) where proven_at is not null;

-- The latest look-ups of records of proven domains. No projection.
create table mail_domain_checks (
    mail_domain_id text collate "C" primary key,
    checked_at     timestamptz not null
);
create index mail_domain_checks_checked_at on mail_domain_checks (checked_at);
