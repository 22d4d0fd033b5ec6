-- compatible since: 44
-- Providers that are switched off, and the mapping of their claims. Servers of earlier releases sign people in with a
-- provider that is off, and do not map.
alter table idps
    add column is_disabled boolean not null default false,
    add column mappings jsonb not null default '[]';

-- The mappings that the latest sign-in skipped: reasons by attributes.
alter table idp_links add column skipped_mappings jsonb not null default '{}';

-- The link whose provider gave the membership. Null: somebody added the user.
alter table group_members
    add column link_id text collate "C",
    add constraint group_members_link foreign key (user_id, link_id)
        references idp_links (user_id, link_id) on delete cascade;
