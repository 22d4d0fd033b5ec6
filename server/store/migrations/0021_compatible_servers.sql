-- compatible since: 20
-- A server of an older release reads here whether it runs on this schema (decision 5).
alter table schema_versions add column compatible_since int;
