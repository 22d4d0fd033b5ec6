-- compatible since: 21

-- The look of an organization, and that of the instance, which the default organization owns.
create table brands (
    org_id          text collate "C" not null references organizations (id),
    of_instance     boolean          not null,
    name            text             not null,
    logo            bytea            not null,
    color           text             not null,
    support_address text             not null,
    sequence        bigint           not null,
    creation_date   timestamptz      not null,
    change_date     timestamptz      not null,
    primary key (org_id, of_instance)
);
