-- compatible since: 44
-- With statistics of a table without pending deliveries, the planner took this index for the deliveries
-- of an aggregate, because it had the pending ones of all targets in one place.
drop index push_deliveries_ended_at;
create index push_deliveries_ended_at on push_deliveries (ended_at) where ended_at is not null;
