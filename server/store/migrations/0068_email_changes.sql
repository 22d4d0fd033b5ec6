-- compatible since: 44
-- The mail address that a user has requested and not yet confirmed, with the ID of the request, which its link has. Both
-- are empty without a request. Servers of earlier releases do not clear them, so a link also has the address that it
-- replaces.
alter table users
    add column email_change_id text collate "C" not null default '',
    add column email_change_address text not null default '',
    add column email_change_expires_at timestamptz;
