-- compatible since: 21
-- The attempts in progress of a target, which each turn counts.
create index push_deliveries_leased on push_deliveries (target_id, next_attempt_at) where is_leased;

-- Without statistics of the table, the planner took push_deliveries_due for the deliveries of an
-- aggregate, because both indexes had the same condition, and read all of the target.
drop index push_deliveries_aggregate;
create index push_deliveries_aggregate on push_deliveries (target_id, aggregate_id, position)
    where ended_at is null;
