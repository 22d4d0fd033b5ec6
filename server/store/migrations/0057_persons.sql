-- compatible since: 44
-- The fields of a person, and the attributes that organizations declare. The verification of a mail address names the
-- address, so it ends also when a server of an earlier release changes `email`.
alter table users
    add column given_name text not null default '',
    add column family_name text not null default '',
    add column locale text not null default '',
    add column zoneinfo text not null default '',
    add column external_id text not null default '',
    -- By ids of definitions. Those of removed definitions remain; ids are never used again.
    add column attributes jsonb not null default '{}',
    add column verified_email text not null default '',
    add column email_verification text not null default '',
    add column email_verified_at timestamptz;

-- A projection.
create table attribute_definitions (
    id            text collate "C" primary key,
    owner         text collate "C" not null,
    name          text collate "C" not null,
    display_name  text             not null,
    type          text             not null,
    user_access   text             not null,
    sequence      bigint           not null,
    creation_date timestamptz      not null,
    change_date   timestamptz      not null
);
create index attribute_definitions_owner on attribute_definitions (owner, id);
