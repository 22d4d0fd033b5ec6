-- compatible since: 21
-- The users who could have made a passkey or a link for themselves (decision 12). Null in rows of earlier releases: the
-- user who began the registration, and the user of the link.
alter table passkeys add column makers text[];
alter table idp_links add column makers text[];
