-- compatible since: 44
-- With the replaced refresh token, the salt gives the present one: requests with the replaced one get it, too.
alter table oauth_authorizations add column successor_salt bytea;
