-- A projection. A link is removed with its user and with its identity provider.
create table idp_links (
    user_id       text collate "C" not null references users (id) on delete cascade,
    link_id       text collate "C" not null,
    idp_id        text collate "C" not null references idps (id) on delete cascade,
    issuer        text             not null,
    subject       text             not null,
    sequence      bigint           not null,
    creation_date timestamptz      not null,
    change_date   timestamptz      not null,
    primary key (user_id, link_id)
);
create index idp_links_idp_id on idp_links (idp_id);

-- A session has the passkey or the link that its user signed in with, and ends with either.
alter table sessions
    alter column passkey_id drop not null,
    add column link_id text collate "C",
    add column idp_id text collate "C",
    add foreign key (user_id, link_id) references idp_links (user_id, link_id) on delete cascade;
create index sessions_idp_id on sessions (idp_id) where idp_id is not null;

-- Flows that were completed. The primary key is what lets a flow be used once.
create table used_flows (
    flow       bytea       primary key,
    expires_at timestamptz not null
);
create index used_flows_expires_at on used_flows (expires_at);
