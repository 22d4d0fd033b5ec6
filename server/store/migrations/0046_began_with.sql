-- compatible since: 44
-- The passkey and the identity link of the session in which an object was made, by their IDs: it ends with one that is
-- lost or stolen.
alter table oauth_authorizations add column began_with text[] not null default '{}';
alter table application_grants add column began_with text[] not null default '{}';
alter table tokens add column began_with text[] not null default '{}';
