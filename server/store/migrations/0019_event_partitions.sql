-- The log in partitions by time, so that old ones can be archived (decision 3). `sequence` is
-- microseconds since the epoch: a range of it is a range of time.

-- The existing events become the first partition, which ends with the month of the latest one. Its
-- indexes are those of the partitioned table below and are not built again.
alter table events rename to events_first;
drop trigger events_await_their_position on events_first;
create table events (
    like events_first including defaults,
    constraint events_key primary key (aggregate_id, sequence)
) partition by range (sequence);
create index events_by_created_at on events using brin (created_at);
create index events_by_sequence on events (sequence);
create index events_by_owner on events (owner, sequence);
create index events_by_owner_event_type on events (owner, event_type, sequence);
create index events_by_owner_creator on events (owner, creator, sequence);
create trigger events_are_append_only before update or delete or truncate on events
    for each statement execute function events_are_append_only();
create trigger events_await_their_position after insert on events
    for each row execute function events_await_their_position();
revoke update, delete, truncate on events from current_user;

-- Events of times without a partition: the clock of the database was wrong. No write is refused.
create table events_default partition of events default;
create trigger events_are_append_only before update or delete or truncate on events_default
    for each statement execute function events_are_append_only();
revoke update, delete, truncate on events_default from current_user;

do $$
declare
    latest timestamptz := greatest(
        now(), 'epoch'::timestamptz + (select max(sequence) from events_first) * interval '1 microsecond');
    next_month timestamptz := (date_trunc('month', latest at time zone 'UTC') + interval '1 month')
        at time zone 'UTC';
begin
    execute format('alter table events attach partition events_first for values from (minvalue) to (%s)',
        (extract(epoch from next_month) * 1000000)::bigint);
end $$;

-- Partitions that were archived. `first_sequence` is null for the first partition. `positions` are
-- those of the events, `digest` the SHA-256 over the digests that the checkpoints have of them, in
-- the order of positions. `mac` authenticates the row. An archive is restored while its positions
-- exist.
create table event_archives (
    number         bigint         primary key,
    first_sequence bigint,
    until_sequence bigint         not null,
    event_count    bigint         not null,
    positions      int8multirange not null,
    digest         bytea          not null,
    file_name      text           not null,
    archived_at    timestamptz    not null,
    mac            bytea          not null
);
create trigger event_archives_are_append_only before update or delete or truncate
    on event_archives for each statement execute function events_are_append_only();
revoke update, delete, truncate on event_archives from current_user;
