-- Every event gets a position in one order of all events, after its commit (decision 2).

-- Events whose position is still to be assigned. The trigger serves every writer, older releases
-- included.
create table unpositioned_events (
    aggregate_id text collate "C" not null,
    sequence     bigint           not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

create function events_await_their_position() returns trigger language plpgsql as $$
begin
    insert into unpositioned_events values (new.aggregate_id, new.sequence);
    return null;
end $$;
create trigger events_await_their_position after insert on events
    for each row execute function events_await_their_position();

create table event_positions (
    position     bigint           primary key,
    aggregate_id text collate "C" not null,
    sequence     bigint           not null
);

-- One row. Whoever assigns positions locks it.
create table last_event_position (
    position bigint not null
);

insert into event_positions
select row_number() over (order by sequence, aggregate_id), aggregate_id, sequence from events;
insert into last_event_position select coalesce(max(position), 0) from event_positions;
