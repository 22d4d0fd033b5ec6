-- compatible since: 44
-- When the user last entered the application: agreed, or got the first code of a session. Part of the projection; null
-- until `keystead rebuild` or the next time.
alter table application_grants add column entered_at timestamptz;
