-- compatible since: 44
-- The grants of roles: by role, who granted it and when, and the time at which it ends. Roles without an entry do not end;
-- `keystead rebuild` fills the entries of earlier grants from the log.
alter table users
    add column role_grants jsonb not null default '{}',
    -- The first of these times; null: none ends.
    add column roles_end_at timestamptz;
create index users_roles_end_at on users (roles_end_at) where roles_end_at is not null;
