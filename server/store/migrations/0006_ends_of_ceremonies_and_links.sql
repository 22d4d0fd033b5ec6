-- What a user has begun and not completed ends when one of its tokens or roles is revoked. By bytes,
-- as the ids that it is compared with.
create index passkey_ceremonies_creator on passkey_ceremonies (creator collate "C")
    where verified_at is null;

-- The user that the code of a link was returned to, with whose role it ends; null: it was mailed.
alter table passkey_links add column returned_to text collate "C";
update passkey_links set returned_to = events.creator from events
where events.aggregate_id = passkey_links.user_id
    and events.event_type = 'user.passkey_link_created'
    and events.payload->>'link_id' = passkey_links.link_id
    and events.payload->>'delivery' = 'return_code';
create index passkey_links_returned_to on passkey_links (returned_to)
    where used_at is null and replaced_at is null;
