-- compatible since: 21
-- The turn of a request among those of all networks. Requests of older releases come first.
alter table recovery_requests add column turn bigint not null default 0;
