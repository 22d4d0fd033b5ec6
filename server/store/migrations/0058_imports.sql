-- compatible since: 44
-- The SHA-256 of the values that a user was imported from. Null: it was not imported.
alter table users add column import_digest bytea;
