-- compatible since: 21
-- Locked users. The reason is empty if none was given.
alter table users add column locked_at timestamptz;
alter table users add column lock_reason text not null default '';
