-- Registration links. Not a projection: the log says that a link was created and which passkey was
-- registered by it, not whether it is still good. So `user_id` refers to nothing here: a rebuild
-- deletes users and puts them back.
create table passkey_links (
    user_id     text collate "C" not null,
    link_id     text collate "C" not null,
    code_hash   bytea            not null,
    ceremonies  int              not null default 0, -- that were begun by it
    used_at     timestamptz,
    replaced_at timestamptz,
    created_at  timestamptz      not null,
    expires_at  timestamptz      not null,
    primary key (user_id, link_id)
);
create index passkey_links_code_hash on passkey_links (code_hash);
create index passkey_links_expires_at on passkey_links (expires_at);

-- The link that a ceremony was begun by; null: by a token. The ceremony is good no longer than its
-- link is neither used nor replaced.
alter table passkey_ceremonies add column link_id text collate "C";
