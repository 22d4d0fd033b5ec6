-- compatible since: 44
-- The issuer and the claims of a workload that acts as the user. Null: a token of another kind.
alter table tokens add column workload jsonb;
