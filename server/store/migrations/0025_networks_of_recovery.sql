-- compatible since: 21
-- The client network of a request, so that networks take turns. Servers of older releases write ''.
alter table recovery_requests add column network text not null default '';
