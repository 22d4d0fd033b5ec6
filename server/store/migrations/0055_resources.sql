-- compatible since: 44
-- APIs as applications of the kind RESOURCE, and the resources and their scopes of an authorization, in the order of the
-- request. `resource` has the first identifier, for servers of earlier builds.
alter table applications
    add column identifier text not null default '',
    add column resource_scopes jsonb not null default '[]';
alter table oauth_authorizations
    add column resources text[] not null default '{}',
    add column resource_ids text[] not null default '{}',
    add column resource_scopes text[] not null default '{}';
alter table device_authorizations
    add column resources text[] not null default '{}',
    add column resource_scopes text[] not null default '{}';
