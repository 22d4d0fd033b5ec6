-- By whose hands it came: its creator, and the makers of the token that the creator used. When its
-- user is granted a role, it ends if one of them does not have what the role allows.
alter table tokens add column makers text[];
update tokens set makers = array[creator];
alter table tokens alter column makers set not null;

alter table passkey_ceremonies add column makers text[];
update passkey_ceremonies set makers = array[creator];
alter table passkey_ceremonies alter column makers set not null;

-- The user who created the link.
alter table passkey_links add column creator text collate "C", add column makers text[];
update passkey_links set creator = events.creator, makers = array[events.creator] from events
where events.aggregate_id = passkey_links.user_id
    and events.event_type = 'user.passkey_link_created'
    and events.payload->>'link_id' = passkey_links.link_id;
alter table passkey_links alter column creator set not null, alter column makers set not null;
-- A passkey names the user who created its link: the code proves no identity.
update passkey_ceremonies set creator = link.creator from passkey_links as link
where link.user_id = passkey_ceremonies.user_id and link.link_id = passkey_ceremonies.link_id
    and passkey_ceremonies.verified_at is null;

-- The tokens of a user that are good, however many have expired. PostgreSQL searches no index for a
-- condition on `clock_timestamp()`, so statements compare with `statement_timestamp()`.
create index tokens_valid on tokens (user_id, coalesce(expires_at, 'infinity'::timestamptz));
create index tokens_expires_at on tokens (expires_at) where expires_at is not null;
