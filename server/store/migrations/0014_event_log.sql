-- Pages of the log, each a range of one index. `created_at` is the instant of `sequence`, so a range
-- of time is one of sequences. The events of an aggregate are found by the primary key.
create index events_sequence on events (sequence);
create index events_owner on events (owner, sequence);
create index events_owner_event_type on events (owner, event_type, sequence);
create index events_owner_creator on events (owner, creator, sequence);

-- Checkpoints of the log. Each covers the positions after those of the checkpoint before it.
-- `digests` are the SHA-256 of the events, one after another; `mac` authenticates the row and the
-- checkpoint before it.
create table event_checkpoints (
    number        bigint      primary key,
    last_position bigint      not null,
    taken_at      timestamptz not null,
    digests       bytea       not null,
    mac           bytea       not null
);
create trigger event_checkpoints_are_append_only before update or delete or truncate
    on event_checkpoints for each statement execute function events_are_append_only();
revoke update, delete, truncate on event_checkpoints from current_user;
