-- compatible since: 44
-- A log that was set back, by a restored backup or a failover that lost commits, begins another life:
-- the positions that consumers get are counted from `cursor_offset`, beyond any that was given out
-- before (decision 2). Servers of earlier releases give out positions of the first life.
alter table last_event_position
    add column cursor_offset bigint not null default 0,
    add column origin text not null default '';

-- The lives that ended, each with the last position that belongs to the next one as well.
create table event_log_lives (
    cursor_offset bigint primary key,
    last_position bigint not null
);

-- The cluster, its timeline and the database: a restored dump and a promoted standby have another one.
-- Null on a standby, and the same for all if the provider of PostgreSQL forbids to ask.
create function event_log_origin() returns text language plpgsql as $$
begin
    if pg_is_in_recovery() then
        return null;
    end if;
    return concat_ws(' ', (select system_identifier from pg_control_system()),
        left(pg_walfile_name(pg_current_wal_lsn()), 8),
        (select oid from pg_database where datname = current_database()));
exception when others then
    return '';
end $$;

update last_event_position set origin = event_log_origin();
