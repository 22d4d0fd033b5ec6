-- compatible since: 44
-- `pkce` replaces `requires_pkce`, and `omits_id_token_claims` replaces `id_token_claims`. Null in rows that older servers
-- add, which have the old columns. This release writes both, so that older servers allow no more than it does.
alter table applications
    add column pkce text,
    add column omits_id_token_claims boolean,
    add column access_token_typ text not null default 'AT_JWT',
    add column allows_http boolean not null default false,
    alter column requires_pkce set default true,
    alter column id_token_claims set default '{}';
update applications set
    pkce = case when requires_pkce then 'REQUIRED' else 'NONE' end,
    omits_id_token_claims = id_token_claims = '{}';
